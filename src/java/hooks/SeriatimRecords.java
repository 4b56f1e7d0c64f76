// SPDX-License-Identifier: MIT
package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * The fast path of accesses, calls and returns: a record goes into the ring without a native call, if
 * the thread has the token and nothing else must be recorded before. What it does is what
 * core/enter.h and core/records/record.h do; everything else is left to the natives.
 *
 * An error in the midst of it (the stack is full) may leave `inside` set: the thread's next hook
 * clears it.
 */
final class SeriatimRecords {
    private SeriatimRecords() {}

    private static final Unsafe unsafe = Unsafe.getUnsafe();
    private static final long EETOP = unsafe.objectFieldOffset(Thread.class, "eetop");

    /** Where things are in memory, and in the structures of C: in the order of fast_path.c. */
    private static native void layout(long[] places);

    private static final long HOLDER, SITES, NAMED;
    private static final long MACHINE, INSIDE, LIMIT, RING, TAG, CLOCK, STAMP, RECORDED, RECORDED_ELIDED;
    private static final long CALLS, CALL_ROOM, DEPTH, RECORDED_DEPTH, KEEPING;
    private static final long RECORDS, CALL_SITE, CALL_SIZE, CALL, RETURN;

    static {
        long[] places = new long[23];
        layout(places);
        int i = 0;
        HOLDER = places[i++];
        SITES = places[i++];
        NAMED = places[i++];
        MACHINE = places[i++];
        INSIDE = places[i++];
        LIMIT = places[i++];
        RING = places[i++];
        TAG = places[i++];
        CLOCK = places[i++];
        STAMP = places[i++];
        RECORDED = places[i++];
        RECORDED_ELIDED = places[i++];
        CALLS = places[i++];
        CALL_ROOM = places[i++];
        DEPTH = places[i++];
        RECORDED_DEPTH = places[i++];
        KEEPING = places[i++];
        RECORDS = places[i++];
        CALL_SITE = places[i++];
        CALL_SIZE = places[i++];
        CALL = places[i++];
        RETURN = places[i++];
    }

    private static final long RING_RECORDS = 1 << 15, RECORD_SIZE = 32;
    private static final int STAMP_OPERATION = 20, WEIGHS_ONE = 4;
    private static final long MANAGED = 1L << 63, MOST_CELLS = 1 << 27;

    /** The thread that has the token, if it is the caller; else 0. */
    private static long own() {
        long me = unsafe.getLongOpaque(null, HOLDER);
        return me != 0 && unsafe.getLong(me + MACHINE) == unsafe.getLong(Thread.currentThread(), EETOP)
            ? me : 0;
    }

    private static long elided(long me) {
        return (unsafe.getLong(me + STAMP) >>> STAMP_OPERATION) - unsafe.getLong(me + RECORDED);
    }

    private static boolean isTurnOver(long me) {
        long head = unsafe.getLong(unsafe.getLong(me + RING));
        return head + (elided(me) >>> WEIGHS_ONE) >= unsafe.getLongOpaque(null, me + LIMIT);
    }

    private static void enter(long me) {
        unsafe.putIntOpaque(null, me + INSIDE, 1);
    }

    private static void leave(long me) {
        unsafe.putIntRelease(null, me + INSIDE, 0);
    }

    /** Inside; there is room. */
    private static void put(long me, long object, long value, long tag) {
        long ring = unsafe.getLong(me + RING), head = unsafe.getLong(ring);
        long record = ring + RECORDS + (head & (RING_RECORDS - 1)) * RECORD_SIZE;
        unsafe.putLong(record, object);
        unsafe.putLong(record + 8, value);
        unsafe.putLong(record + 16, unsafe.getLong(me + CLOCK));
        unsafe.putLong(record + 24, tag | unsafe.getLong(me + TAG));
        unsafe.putLong(me + STAMP, unsafe.getLong(me + STAMP) + (1L << STAMP_OPERATION));
        unsafe.putLong(me + RECORDED, unsafe.getLong(me + RECORDED) + 1);
        unsafe.putLongRelease(null, ring, head + 1);
    }

    /** May the thread go on in its turn? */
    static boolean step() {
        long me = own();
        return me != 0 && !isTurnOver(me);
    }

    private static long entryOf(int site) {
        return SITES + site * 16L;
    }

    private static boolean isNamed(int id) {
        return (unsafe.getByte(NAMED + (id >>> 3)) >>> (id & 7) & 1) != 0;
    }

    /** index: of an element; negative: a field. */
    static boolean access(int id, int index, long value, int site) {
        long me = own(), tag = unsafe.getLong(entryOf(site));
        if (me == 0 || tag == 0 || !isNamed(id))
            return false;
        long cell = index >= 0 ? (index & (MOST_CELLS - 1)) << 3 : unsafe.getLong(entryOf(site) + 8);
        enter(me);
        boolean inTurn = unsafe.getLongOpaque(null, me + LIMIT) != 0;
        if (inTurn)
            put(me, MANAGED | (long) id << 32 | cell, value, tag);
        leave(me);
        return inTurn;
    }

    /** Is every open call recorded, and every elided operation counted? */
    private static boolean owesNothing(long me, int depth) {
        return unsafe.getInt(me + RECORDED_DEPTH) == depth && elided(me) == unsafe.getLong(me + RECORDED_ELIDED);
    }

    private static void setDepth(long me, int depth) {
        unsafe.putInt(me + DEPTH, depth);
        unsafe.putInt(me + RECORDED_DEPTH, depth);
    }

    /** Not the first one of its thread: the natives look at that. */
    static boolean called(int site) {
        return called(site, 0);
    }

    /** Not one that follows another task of its thread. */
    static boolean began(int site) {
        return called(site, 1);
    }

    /** Unless the thread has exactly so many open calls. */
    private static boolean called(int site, int slowDepth) {
        long me = own(), number = unsafe.getLong(entryOf(site));
        if (me == 0 || number == 0)
            return false;
        enter(me);
        int depth = unsafe.getInt(me + DEPTH);
        boolean can = depth != slowDepth && !isTurnOver(me) && unsafe.getInt(me + KEEPING) != 0 && owesNothing(me, depth)
            && depth < unsafe.getInt(me + CALL_ROOM);
        if (can) {
            unsafe.putInt(unsafe.getLong(me + CALLS) + depth * CALL_SIZE + CALL_SITE, (int) number);
            setDepth(me, depth + 1);
            put(me, number, 0, CALL | number);
        }
        leave(me);
        return can;
    }

    static boolean returned(int site) {
        long me = own(), number = unsafe.getLong(entryOf(site));
        if (me == 0 || number == 0)
            return false;
        enter(me);
        int depth = unsafe.getInt(me + DEPTH) - 1;
        boolean can = !isTurnOver(me) && owesNothing(me, depth + 1) && depth >= 0
            && depth < unsafe.getInt(me + CALL_ROOM)
            && unsafe.getInt(unsafe.getLong(me + CALLS) + depth * CALL_SIZE + CALL_SITE) == (int) number;
        if (can) {
            setDepth(me, depth);
            put(me, number, 0, RETURN | number);
        }
        leave(me);
        return can;
    }
}
