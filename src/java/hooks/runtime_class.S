/* SPDX-License-Identifier: MIT */
/* The class files of Seriatim*.java as data; the build says where to
 * look for them. */
    .macro CLASS name file
    .global ser_class_\name, ser_class_\name\()_end
    .hidden ser_class_\name, ser_class_\name\()_end
ser_class_\name:
    .incbin "\file"
ser_class_\name\()_end:
    .endm

    .section .rodata
    CLASS hooks "Seriatim.class"
    CLASS held "Seriatim$Held.class"
    CLASS records "SeriatimRecords.class"
    CLASS sync "SeriatimSync.class"
    CLASS locks "SeriatimLocks.class"
    CLASS operations "SeriatimOperations.class"
    CLASS inputs "SeriatimInputs.class"
    CLASS updates "SeriatimUpdates.class"
    CLASS views "SeriatimViews.class"
    CLASS shape "SeriatimViews$Shape.class"
    CLASS handles "SeriatimHandles.class"
    CLASS cell "SeriatimHandles$Cell.class"
    .section .note.GNU-stack, "", %progbits
