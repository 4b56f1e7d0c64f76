/* Unaligned, packed, bit fields, vectors, atomics of 1 and 16 bytes, across lines and pages.
   flags: -mcx16 -latomic */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static struct __attribute__((packed)) {
    char byte;
    long word;
    short half;
    double number;
} packed;
static struct {
    unsigned a : 3, b : 13, c : 1;
    long d : 50;
} bits;
static char area[16384] __attribute__((aligned(4096)));
static _Alignas(16) __int128 wide;
static unsigned char byte;
static volatile long plain;
typedef int vector __attribute__((vector_size(32)));
static vector lanes;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    for (int i = 0; i < 500; i++) {
        pthread_mutex_lock(&lock);
        packed.word++, packed.half += 2, packed.number += 0.5;
        bits.a++, bits.b += 3, bits.c ^= 1, bits.d -= 5;
        *(long __attribute__((aligned(1))) *)(area + 4096 - 3) += 1;
        *(long __attribute__((aligned(1))) *)(area + 61) += 1;
        lanes += (vector){1, 2, 3, 4, 5, 6, 7, 8};
        plain++;
        pthread_mutex_unlock(&lock);
        __int128 old = __atomic_load_n(&wide, __ATOMIC_SEQ_CST);
        while (!__atomic_compare_exchange_n(&wide, &old, old + ((__int128)1 << 60), 0,
                                            __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        }
        __atomic_fetch_nand(&byte, 0x0f, __ATOMIC_SEQ_CST),
            __atomic_fetch_xor(&byte, 0x0f, __ATOMIC_SEQ_CST);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    long across;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    memcpy(&across, area + 4093, sizeof across);
    printf("%ld %d %g, %d %d %d %ld\n", packed.word, packed.half, packed.number, bits.a, bits.b,
           bits.c, (long)bits.d);
    printf("%ld %d %ld %ld\n", across, lanes[7], plain, (long)(wide >> 60));
}
