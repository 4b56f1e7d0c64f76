/* SPDX-License-Identifier: MIT */
/*
 * opcodes.h - the instructions of the virtual machine that are looked at or put in.
 */
#ifndef SER_JAVA_CLASSFILE_FORMAT_OPCODES_H
#define SER_JAVA_CLASSFILE_FORMAT_OPCODES_H

enum {
    OP_ACONST_NULL = 0x01,
    OP_SIPUSH = 0x11,
    OP_LDC_W = 0x13,
    OP_ILOAD = 0x15,
    OP_ALOAD_0 = 0x2a,
    OP_IALOAD = 0x2e,
    OP_SALOAD = 0x35,
    OP_ISTORE = 0x36,
    OP_ASTORE = 0x3a,
    OP_ISTORE_0 = 0x3b,
    OP_ASTORE_0 = 0x4b,
    OP_IASTORE = 0x4f,
    OP_SASTORE = 0x56,
    OP_POP = 0x57,
    OP_DUP = 0x59,
    OP_DUP_X1 = 0x5a,
    OP_DUP_X2 = 0x5b,
    OP_DUP2 = 0x5c,
    OP_DUP2_X1 = 0x5d,
    OP_DUP2_X2 = 0x5e,
    OP_SWAP = 0x5f,
    OP_IFEQ = 0x99,
    OP_JSR = 0xa8,
    OP_TABLESWITCH = 0xaa,
    OP_LOOKUPSWITCH = 0xab,
    OP_IRETURN = 0xac,
    OP_RETURN = 0xb1,
    OP_GETSTATIC = 0xb2,
    OP_PUTSTATIC = 0xb3,
    OP_GETFIELD = 0xb4,
    OP_PUTFIELD = 0xb5,
    OP_INVOKEVIRTUAL = 0xb6,
    OP_INVOKESPECIAL = 0xb7,
    OP_INVOKESTATIC = 0xb8,
    OP_INVOKEINTERFACE = 0xb9,
    OP_INVOKEDYNAMIC = 0xba,
    OP_NEW = 0xbb,
    OP_ATHROW = 0xbf,
    OP_MONITORENTER = 0xc2,
    OP_MONITOREXIT = 0xc3,
    OP_WIDE = 0xc4,
    OP_IFNULL = 0xc6,
    OP_IFNONNULL = 0xc7,
    OP_GOTO_W = 0xc8,
    OP_JSR_W = 0xc9,
    OP_LAST = 0xc9,
};

#endif
