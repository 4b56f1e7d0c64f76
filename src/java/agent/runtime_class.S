/* SPDX-License-Identifier: MIT */
/* The class file of Seriatim.java as data; the build says where it is. */
    .section .rodata
    .global ser_runtime_class, ser_runtime_class_end
    .hidden ser_runtime_class, ser_runtime_class_end
ser_runtime_class:
    .incbin SER_RUNTIME_CLASS
ser_runtime_class_end:
    .section .note.GNU-stack, "", %progbits
