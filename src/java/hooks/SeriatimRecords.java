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

    private static final long HOLDER, SITES, STATES, STAMPS;
    private static final long MACHINE, INSIDE, LIMIT, RING, TAG, CLOCK, STAMP, RECORDED, RECORDED_ELIDED;
    private static final long CALLS, CALL_ROOM, DEPTH, RECORDED_DEPTH, KEEPING;
    private static final long RING_MASK, RECORDS, CALL_SITE, CALL_STAMP, CALL_SIZE, KNOWN, CALL, RETURN, SKIP;

    static {
        long[] places = new long[27];
        layout(places);
        int i = 0;
        HOLDER = places[i++];
        SITES = places[i++];
        STATES = places[i++];
        STAMPS = places[i++];
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
        RING_MASK = places[i++];
        RECORDS = places[i++];
        CALL_SITE = places[i++];
        CALL_STAMP = places[i++];
        CALL_SIZE = places[i++];
        KNOWN = places[i++];
        CALL = places[i++];
        RETURN = places[i++];
        SKIP = places[i++];
    }

    private static final long RECORD_SIZE = 32;
    private static final int STAMP_THREAD = 4, STAMP_OPERATION = 20, WEIGHS_ONE = 4;
    private static final long STAMP_ONE = 1L << STAMP_OPERATION;
    /** Of objects: in identities.h. */
    private static final int RECORDED_OBJECT = 1, PRIVATE_OBJECT = 2;
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

    /** A record that is no operation. Inside; there is room. */
    private static void putRaw(long me, long object, long value, long tag) {
        long ring = unsafe.getLong(me + RING), head = unsafe.getLong(ring);
        long clock = unsafe.getLong(me + CLOCK), thread = unsafe.getLong(me + TAG);
        long record = ring + RECORDS + (head & RING_MASK) * RECORD_SIZE;
        unsafe.putLong(record, object);
        unsafe.putLong(record + 8, value);
        unsafe.putLong(record + 16, clock);
        unsafe.putLong(record + 24, tag | thread);
        unsafe.putLongRelease(null, ring, head + 1);
    }

    /** The same of an operation. All is read before anything is written, which compilers do not dare to move. */
    private static void put(long me, long object, long value, long tag) {
        long stamp = unsafe.getLong(me + STAMP), recorded = unsafe.getLong(me + RECORDED);
        long ring = unsafe.getLong(me + RING), head = unsafe.getLong(ring);
        long clock = unsafe.getLong(me + CLOCK), thread = unsafe.getLong(me + TAG);
        long record = ring + RECORDS + (head & RING_MASK) * RECORD_SIZE;
        unsafe.putLong(me + STAMP, stamp + STAMP_ONE);
        unsafe.putLong(me + RECORDED, recorded + 1);
        unsafe.putLong(record, object);
        unsafe.putLong(record + 8, value);
        unsafe.putLong(record + 16, clock);
        unsafe.putLong(record + 24, tag | thread);
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

    /** Is the stamp the thread's own? */
    private static boolean isOwn(long me, long stamp) {
        return ((stamp ^ unsafe.getLong(me + STAMP)) & (STAMP_ONE - (1 << STAMP_THREAD))) == 0;
    }

    /** Of an object that is private: an access by its thread is only counted. */
    private static boolean elide(long me, int id) {
        long place = STAMPS + ((long) id << 3);
        enter(me);
        boolean can = unsafe.getLongOpaque(null, me + LIMIT) != 0 && unsafe.getInt(me + KEEPING) == 0
            && isOwn(me, unsafe.getLong(place));
        if (can) {
            long stamp = unsafe.getLong(me + STAMP) + STAMP_ONE;
            unsafe.putLong(me + STAMP, stamp);
            unsafe.putLong(place, stamp);
        }
        leave(me);
        return can;
    }

    /** Of an object that was private: does all that was elided come before the thread's next event? */
    private static boolean isBehind(long me, int id) {
        long stamp = unsafe.getLong(STAMPS + ((long) id << 3));
        return isOwn(me, stamp)
            || unsafe.getLong(me + KNOWN + (stamp >>> STAMP_THREAD & 0xffff) * 8) >= stamp >>> STAMP_OPERATION;
    }

    /** Elided operations are counted before the next event; not here if open calls were elided. */
    private static boolean countElided(long me) {
        long before = unsafe.getLong(me + RECORDED_ELIDED), count = elided(me) - before;
        if (count == 0)
            return true;
        if (unsafe.getInt(me + RECORDED_DEPTH) < unsafe.getInt(me + DEPTH))
            return false;
        unsafe.putLong(me + RECORDED_ELIDED, before + count);
        putRaw(me, 0, count, SKIP);
        return true;
    }

    /** index: of an element; negative: a field. */
    static boolean access(int id, int index, long value, int site) {
        long me = own(), tag = unsafe.getLong(entryOf(site));
        if (me == 0 || tag == 0)
            return false;
        int state = unsafe.getByte(STATES + id);
        if (state != RECORDED_OBJECT && (state <= PRIVATE_OBJECT || !isBehind(me, id)))
            return state == PRIVATE_OBJECT && elide(me, id);
        long cell = index >= 0 ? (index & (MOST_CELLS - 1)) << 3 : unsafe.getLong(entryOf(site) + 8);
        enter(me);
        boolean can = unsafe.getLongOpaque(null, me + LIMIT) != 0 && countElided(me);
        if (can)
            put(me, MANAGED | (long) id << 32 | cell, value, tag);
        leave(me);
        return can;
    }

    /** Is every open call recorded, and every elided operation counted? */
    private static boolean owesNothing(long me, int depth) {
        return unsafe.getInt(me + RECORDED_DEPTH) == depth && elided(me) == unsafe.getLong(me + RECORDED_ELIDED);
    }

    private static void setDepth(long me, int depth) {
        unsafe.putInt(me + DEPTH, depth);
        unsafe.putInt(me + RECORDED_DEPTH, depth);
    }

    /** One operation more, which is elided. */
    private static void count(long me) {
        unsafe.putLong(me + STAMP, unsafe.getLong(me + STAMP) + STAMP_ONE);
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
        boolean elides = unsafe.getInt(me + KEEPING) == 0;
        boolean can = depth != slowDepth && !isTurnOver(me) && (elides || owesNothing(me, depth))
            && depth < unsafe.getInt(me + CALL_ROOM);
        if (can) {
            long call = unsafe.getLong(me + CALLS) + depth * CALL_SIZE;
            unsafe.putInt(call + CALL_SITE, (int) number);
            if (elides) { // until something is recorded in it
                unsafe.putLong(call + CALL_STAMP, unsafe.getLong(me + STAMP));
                unsafe.putInt(me + DEPTH, depth + 1);
                count(me);
            } else {
                setDepth(me, depth + 1);
                put(me, number, 0, CALL | number);
            }
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
        boolean elides = unsafe.getInt(me + RECORDED_DEPTH) <= depth;
        boolean can = !isTurnOver(me) && (elides || owesNothing(me, depth + 1)) && depth >= 0
            && depth < unsafe.getInt(me + CALL_ROOM)
            && unsafe.getInt(unsafe.getLong(me + CALLS) + depth * CALL_SIZE + CALL_SITE) == (int) number;
        if (can && elides) {
            unsafe.putInt(me + DEPTH, depth);
            count(me);
        } else if (can) {
            setDepth(me, depth);
            put(me, number, 0, RETURN | number);
        }
        leave(me);
        return can;
    }
}
