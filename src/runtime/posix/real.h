/* SPDX-License-Identifier: MIT */
/*
 * real.h - the functions that the runtime interposes, as the program would have
 * found them without it.
 *
 * One table: X(result, name, parameters). ser_real.name is the next definition after ours in the
 * order of lookup (RTLD_NEXT), so that another interposer behind us is still called, or null if
 * there is none. ser_real_find fills it; functions that may be called before the constructor call
 * that first.
 */
#ifndef SER_RUNTIME_POSIX_REAL_H
#define SER_RUNTIME_POSIX_REAL_H

#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <wchar.h>

/* Macros of the C library's headers. */
#undef fread_unlocked
#undef fwrite_unlocked

typedef const struct timespec *ser_time;
typedef void (*ser_handler)(int);

#define SER_REAL_THREADS(X)                                                                        \
    X(int, pthread_create, (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))       \
    X(int, pthread_join, (pthread_t, void **))                                                     \
    X(int, pthread_tryjoin_np, (pthread_t, void **))                                               \
    X(int, pthread_timedjoin_np, (pthread_t, void **, ser_time))                                   \
    X(int, pthread_clockjoin_np, (pthread_t, void **, clockid_t, ser_time))                        \
    X(int, pthread_detach, (pthread_t))                                                            \
    X(int, pthread_cancel, (pthread_t))                                                            \
    X(int, pthread_setcanceltype, (int, int *))                                                    \
    X(int, pthread_setcancelstate, (int, int *))                                                   \
    X(pid_t, _Fork, (void))                                                                        \
    X(int, clone, (int (*)(void *), void *, int, void *, ...))                                     \
    X(int, sigaction, (int, const struct sigaction *, struct sigaction *))                         \
    X(ser_handler, signal, (int, ser_handler))                                                     \
    X(ser_handler, __sysv_signal, (int, ser_handler))                                              \
    X(int, pthread_sigmask, (int, const sigset_t *, sigset_t *))                                   \
    X(int, sigprocmask, (int, const sigset_t *, sigset_t *))                                       \
    X(int, sigpending, (sigset_t *))                                                               \
    X(int, sched_yield, (void))                                                                    \
    X(int, thrd_create, (thrd_t *, thrd_start_t, void *))                                          \
    X(int, thrd_join, (thrd_t, int *))                                                             \
    X(int, thrd_detach, (thrd_t))                                                                  \
    X(void, thrd_yield, (void))                                                                    \
    X(int, thrd_sleep, (ser_time, struct timespec *))

#define SER_REAL_LOCKS(X)                                                                          \
    X(int, pthread_mutex_lock, (pthread_mutex_t *))                                                \
    X(int, pthread_mutex_trylock, (pthread_mutex_t *))                                             \
    X(int, pthread_mutex_timedlock, (pthread_mutex_t *, ser_time))                                 \
    X(int, pthread_mutex_clocklock, (pthread_mutex_t *, clockid_t, ser_time))                      \
    X(int, pthread_mutex_unlock, (pthread_mutex_t *))                                              \
    X(int, pthread_mutex_destroy, (pthread_mutex_t *))                                             \
    X(int, mtx_lock, (mtx_t *))                                                                    \
    X(int, mtx_trylock, (mtx_t *))                                                                 \
    X(int, mtx_timedlock, (mtx_t *, ser_time))                                                     \
    X(int, mtx_unlock, (mtx_t *))                                                                  \
    X(int, pthread_rwlock_rdlock, (pthread_rwlock_t *))                                            \
    X(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t *))                                         \
    X(int, pthread_rwlock_timedrdlock, (pthread_rwlock_t *, ser_time))                             \
    X(int, pthread_rwlock_clockrdlock, (pthread_rwlock_t *, clockid_t, ser_time))                  \
    X(int, pthread_rwlock_wrlock, (pthread_rwlock_t *))                                            \
    X(int, pthread_rwlock_trywrlock, (pthread_rwlock_t *))                                         \
    X(int, pthread_rwlock_timedwrlock, (pthread_rwlock_t *, ser_time))                             \
    X(int, pthread_rwlock_clockwrlock, (pthread_rwlock_t *, clockid_t, ser_time))                  \
    X(int, pthread_rwlock_unlock, (pthread_rwlock_t *))                                            \
    X(int, pthread_spin_lock, (pthread_spinlock_t *))                                              \
    X(int, pthread_spin_trylock, (pthread_spinlock_t *))                                           \
    X(int, pthread_spin_unlock, (pthread_spinlock_t *))

#define SER_REAL_MEETINGS(X)                                                                       \
    X(int, pthread_cond_wait, (pthread_cond_t *, pthread_mutex_t *))                               \
    X(int, pthread_cond_timedwait, (pthread_cond_t *, pthread_mutex_t *, ser_time))                \
    X(int, pthread_cond_clockwait, (pthread_cond_t *, pthread_mutex_t *, clockid_t, ser_time))     \
    X(int, pthread_cond_signal, (pthread_cond_t *))                                                \
    X(int, pthread_cond_broadcast, (pthread_cond_t *))                                             \
    X(int, cnd_wait, (cnd_t *, mtx_t *))                                                           \
    X(int, cnd_timedwait, (cnd_t *, mtx_t *, ser_time))                                            \
    X(int, cnd_signal, (cnd_t *))                                                                  \
    X(int, cnd_broadcast, (cnd_t *))                                                               \
    X(int, pthread_barrier_wait, (pthread_barrier_t *))                                            \
    X(int, sem_init, (sem_t *, int, unsigned))                                                     \
    X(int, sem_wait, (sem_t *))                                                                    \
    X(int, sem_trywait, (sem_t *))                                                                 \
    X(int, sem_timedwait, (sem_t *, ser_time))                                                     \
    X(int, sem_clockwait, (sem_t *, clockid_t, ser_time))                                          \
    X(int, sem_post, (sem_t *))                                                                    \
    X(int, pthread_once, (pthread_once_t *, void (*)(void)))                                       \
    X(void, call_once, (once_flag *, void (*)(void)))                                              \
    X(long, syscall, (long, ...))

#define SER_REAL_HEAP(X)                                                                           \
    X(void *, malloc, (size_t))                                                                    \
    X(void *, calloc, (size_t, size_t))                                                            \
    X(void *, realloc, (void *, size_t))                                                           \
    X(void, free, (void *))                                                                        \
    X(int, posix_memalign, (void **, size_t, size_t))                                              \
    X(void *, aligned_alloc, (size_t, size_t))                                                     \
    X(void *, memalign, (size_t, size_t))                                                          \
    X(void *, valloc, (size_t))                                                                    \
    X(void *, pvalloc, (size_t))                                                                   \
    X(size_t, malloc_usable_size, (void *))                                                        \
    X(void *, mmap, (void *, size_t, int, int, int, off_t))                                        \
    X(void *, mremap, (void *, size_t, size_t, int, ...))                                          \
    X(int, munmap, (void *, size_t))                                                               \
    X(void *, shmat, (int, const void *, int))

#define SER_REAL_INPUTS(X)                                                                         \
    X(int, clock_gettime, (clockid_t, struct timespec *))                                          \
    X(clock_t, clock, (void))                                                                      \
    X(clock_t, times, (struct tms *))                                                              \
    X(ssize_t, getrandom, (void *, size_t, unsigned))                                              \
    X(int, getentropy, (void *, size_t))                                                           \
    X(pid_t, getpid, (void))                                                                       \
    X(pid_t, getppid, (void))                                                                      \
    X(pid_t, gettid, (void))                                                                       \
    X(int, kill, (pid_t, int))                                                                     \
    X(int, tgkill, (pid_t, pid_t, int))                                                            \
    X(int, sigqueue, (pid_t, int, const union sigval))

/* What may not be there: in C programs, with older C libraries. */
#define SER_REAL_OPTIONAL(X)                                                                       \
    X(int, __cxa_guard_acquire, (void *))                                                          \
    X(void, __cxa_guard_release, (void *))                                                         \
    X(void, __cxa_guard_abort, (void *))                                                           \
    X(uint32_t, arc4random, (void))                                                                \
    X(uint32_t, arc4random_uniform, (uint32_t))                                                    \
    X(void, arc4random_buf, (void *, size_t))                                                      \
    X(unsigned, _ZNSt13random_device9_M_getvalEv, (void *))

#define SER_REAL_ENDS(X)                                                                           \
    X(void, _exit, (int))                                                                          \
    X(void, _Exit, (int))                                                                          \
    X(void, quick_exit, (int))

#define SER_REAL_STREAMS(X)                                                                        \
    X(ssize_t, read, (int, void *, size_t))                                                        \
    X(ssize_t, write, (int, const void *, size_t))                                                 \
    X(int, eventfd, (unsigned, int))                                                               \
    X(int, socketpair, (int, int, int, int[2]))                                                    \
    X(int, close, (int))                                                                           \
    X(int, shutdown, (int, int))                                                                   \
    X(int, connect, (int, const struct sockaddr *, socklen_t))                                     \
    X(int, poll, (struct pollfd *, nfds_t, int))                                                   \
    X(int, ppoll, (struct pollfd *, nfds_t, ser_time, const sigset_t *))                           \
    X(int, select, (int, fd_set *, fd_set *, fd_set *, struct timeval *))                          \
    X(int, pselect, (int, fd_set *, fd_set *, fd_set *, ser_time, const sigset_t *))               \
    X(int, epoll_ctl, (int, int, int, struct epoll_event *))                                       \
    X(int, epoll_wait, (int, struct epoll_event *, int, int))                                      \
    X(int, epoll_pwait, (int, struct epoll_event *, int, int, const sigset_t *))                   \
    X(int, dup, (int))                                                                             \
    X(int, dup2, (int, int))                                                                       \
    X(int, dup3, (int, int, int))                                                                  \
    X(int, signalfd, (int, const sigset_t *, int))                                                 \
    X(int, eventfd_read, (int, uint64_t *))                                                        \
    X(int, eventfd_write, (int, uint64_t))

/* Calls that order threads in other ways than by bytes; streams/gates.c. */
#define SER_REAL_GATES(X)                                                                          \
    X(int, raise, (int))                                                                           \
    X(int, pthread_kill, (pthread_t, int))                                                         \
    X(int, flock, (int, int))                                                                      \
    X(int, lockf, (int, int, off_t))                                                               \
    X(int, fcntl, (int, int, ...))                                                                 \
    X(int, fcntl64, (int, int, ...))

/* X(result, name, parameters, arguments, blocks): calls of other objects of the system, which may
 * block; streams/system.c. The next ones take more arguments, or only look. */
#define SER_REAL_SYSTEM(X)                                                                         \
    X(int, timerfd_settime, (int a, int b, const struct itimerspec *c, struct itimerspec *d),      \
      (a, b, c, d), false)                                                                         \
    X(int, mkdir, (const char *a, mode_t b), (a, b), false)                                        \
    X(int, mkdirat, (int a, const char *b, mode_t c), (a, b, c), false)                            \
    X(int, rmdir, (const char *a), (a), false)                                                     \
    X(int, unlink, (const char *a), (a), false)                                                    \
    X(int, unlinkat, (int a, const char *b, int c), (a, b, c), false)                              \
    X(int, remove, (const char *a), (a), false)                                                    \
    X(int, rename, (const char *a, const char *b), (a, b), false)                                  \
    X(int, renameat, (int a, const char *b, int c, const char *d), (a, b, c, d), false)            \
    X(int, link, (const char *a, const char *b), (a, b), false)                                    \
    X(int, linkat, (int a, const char *b, int c, const char *d, int e), (a, b, c, d, e), false)    \
    X(int, symlink, (const char *a, const char *b), (a, b), false)                                 \
    X(int, symlinkat, (const char *a, int b, const char *c), (a, b, c), false)                     \
    X(int, creat, (const char *a, mode_t b), (a, b), false)

/* The same with a test whether it may block: processes that the program starts; streams/system.c.
 */
#define SER_REAL_CHILDREN(X)                                                                       \
    X(pid_t, wait, (int *a), (a), 1)                                                               \
    X(pid_t, waitpid, (pid_t a, int *b, int c), (a, b, c), !(c & WNOHANG))                         \
    X(pid_t, wait3, (int *a, int b, struct rusage *c), (a, b, c), !(b & WNOHANG))                  \
    X(pid_t, wait4, (pid_t a, int *b, int c, struct rusage *d), (a, b, c, d), !(c & WNOHANG))      \
    X(int, waitid, (idtype_t a, id_t b, siginfo_t * c, int d), (a, b, c, d), !(d & WNOHANG))       \
    X(int, system, (const char *a), (a), 1)

/* Semaphores and message queues; streams/tokens.c. */
#define SER_REAL_TOKENS(X)                                                                         \
    X(int, semop, (int, struct sembuf *, size_t))                                                  \
    X(int, semtimedop, (int, struct sembuf *, size_t, ser_time))                                   \
    X(int, msgsnd, (int, const void *, size_t, int))                                               \
    X(ssize_t, msgrcv, (int, void *, size_t, long, int))                                           \
    X(int, mq_send, (mqd_t, const char *, size_t, unsigned))                                       \
    X(int, mq_timedsend, (mqd_t, const char *, size_t, unsigned, ser_time))                        \
    X(ssize_t, mq_receive, (mqd_t, char *, size_t, unsigned *))                                    \
    X(ssize_t, mq_timedreceive, (mqd_t, char *, size_t, unsigned *, ser_time))

#define SER_REAL_OPENS(X)                                                                          \
    X(int, semctl, (int, int, int, ...))                                                           \
    X(int, open, (const char *, int, ...))                                                         \
    X(int, open64, (const char *, int, ...))                                                       \
    X(int, openat, (int, const char *, int, ...))                                                  \
    X(int, openat64, (int, const char *, int, ...))

#define SER_REAL_FILE_LOOKS(X)                                                                     \
    X(int, access, (const char *a, int b), (a, b))                                                 \
    X(int, faccessat, (int a, const char *b, int c, int d), (a, b, c, d))                          \
    X(int, stat, (const char *a, struct stat *b), (a, b))                                          \
    X(int, stat64, (const char *a, struct stat64 *b), (a, b))                                      \
    X(int, lstat, (const char *a, struct stat *b), (a, b))                                         \
    X(int, lstat64, (const char *a, struct stat64 *b), (a, b))                                     \
    X(int, fstatat, (int a, const char *b, struct stat *c, int d), (a, b, c, d))                   \
    X(int, fstatat64, (int a, const char *b, struct stat64 *c, int d), (a, b, c, d))

/* X(result, name, parameters, arguments): calls that wait for a signal; streams/gates.c. */
#define SER_REAL_AWAITS(X)                                                                         \
    X(int, sigwait, (const sigset_t *a, int *b), (a, b))                                           \
    X(int, sigwaitinfo, (const sigset_t *a, siginfo_t *b), (a, b))                                 \
    X(int, sigtimedwait, (const sigset_t *a, siginfo_t *b, ser_time c), (a, b, c))

/* Streams of the C library begin and end, and their locks; __isoc99_fscanf, __isoc99_scanf,
 * fprintf, fwprintf and __fprintf_chk call the others; streams/stdio.c and files.c. */
#define SER_REAL_FILES(X)                                                                          \
    X(FILE *, fdopen, (int, const char *))                                                         \
    X(FILE *, fopen, (const char *, const char *))                                                 \
    X(FILE *, fopen64, (const char *, const char *))                                               \
    X(int, fclose, (FILE *))                                                                       \
    X(int, fflush, (FILE *))                                                                       \
    X(void, rewind, (FILE *))                                                                      \
    X(void, flockfile, (FILE *))                                                                   \
    X(int, ftrylockfile, (FILE *))                                                                 \
    X(void, funlockfile, (FILE *))                                                                 \
    X(int, getchar, (void))                                                                        \
    X(int, getchar_unlocked, (void))                                                               \
    X(int, __isoc99_vfscanf, (FILE *, const char *, va_list))                                      \
    X(int, vfwprintf, (FILE *, const wchar_t *, va_list))                                          \
    X(int, vfprintf, (FILE *, const char *, va_list))                                              \
    X(int, __vfprintf_chk, (FILE *, int, const char *, va_list))

/* X(result, name, parameters, arguments, file): calls that read from a FILE, and that write to
 * one. */
#define SER_REAL_FILE_READS(X)                                                                     \
    X(int, fgetc, (FILE * a), (a), a)                                                              \
    X(int, getc, (FILE * a), (a), a)                                                               \
    X(char *, fgets, (char *a, int b, FILE *c), (a, b, c), c)                                      \
    X(size_t, fread, (void *a, size_t b, size_t c, FILE *d), (a, b, c, d), d)                      \
    X(ssize_t, getline, (char **a, size_t *b, FILE *c), (a, b, c), c)                              \
    X(ssize_t, getdelim, (char **a, size_t *b, int c, FILE *d), (a, b, c, d), d)                   \
    X(wint_t, fgetwc, (FILE * a), (a), a)                                                          \
    X(wint_t, getwc, (FILE * a), (a), a)                                                           \
    X(wchar_t *, fgetws, (wchar_t * a, int b, FILE *c), (a, b, c), c)

#define SER_REAL_FILE_WRITES(X)                                                                    \
    X(int, fputc, (int a, FILE *b), (a, b), b)                                                     \
    X(int, putc, (int a, FILE *b), (a, b), b)                                                      \
    X(int, fputs, (const char *a, FILE *b), (a, b), b)                                             \
    X(size_t, fwrite, (const void *a, size_t b, size_t c, FILE *d), (a, b, c, d), d)               \
    X(wint_t, fputwc, (wchar_t a, FILE * b), (a, b), b)                                            \
    X(wint_t, putwc, (wchar_t a, FILE * b), (a, b), b)                                             \
    X(int, fputws, (const wchar_t *a, FILE *b), (a, b), b)

/* X(result, name, parameters, arguments, file, use): calls that look where a FILE is, or move it;
 * LOOKS, READS or MOVES (streams/files.h). */
#define SER_REAL_FILE_MOVES(X)                                                                     \
    X(int, ungetc, (int a, FILE *b), (a, b), b, READS)                                             \
    X(wint_t, ungetwc, (wint_t a, FILE * b), (a, b), b, READS)                                     \
    X(int, fseek, (FILE * a, long b, int c), (a, b, c), a, MOVES)                                  \
    X(int, fseeko, (FILE * a, off_t b, int c), (a, b, c), a, MOVES)                                \
    X(int, fseeko64, (FILE * a, off64_t b, int c), (a, b, c), a, MOVES)                            \
    X(int, fsetpos, (FILE * a, const fpos_t *b), (a, b), a, MOVES)                                 \
    X(int, fgetpos, (FILE * a, fpos_t * b), (a, b), a, LOOKS)                                      \
    X(long, ftell, (FILE * a), (a), a, LOOKS)                                                      \
    X(off_t, ftello, (FILE * a), (a), a, LOOKS)                                                    \
    X(off64_t, ftello64, (FILE * a), (a), a, LOOKS)                                                \
    X(int, feof, (FILE * a), (a), a, LOOKS)                                                        \
    X(int, ferror, (FILE * a), (a), a, LOOKS)

/* The same that take no lock: READS or APPENDS. */
#define SER_REAL_FILE_UNLOCKED(X)                                                                  \
    X(int, fgetc_unlocked, (FILE * a), (a), a, READS)                                              \
    X(int, getc_unlocked, (FILE * a), (a), a, READS)                                               \
    X(char *, fgets_unlocked, (char *a, int b, FILE *c), (a, b, c), c, READS)                      \
    X(size_t, fread_unlocked, (void *a, size_t b, size_t c, FILE *d), (a, b, c, d), d, READS)      \
    X(int, fputc_unlocked, (int a, FILE *b), (a, b), b, APPENDS)                                   \
    X(int, putc_unlocked, (int a, FILE *b), (a, b), b, APPENDS)                                    \
    X(int, fputs_unlocked, (const char *a, FILE *b), (a, b), b, APPENDS)                           \
    X(size_t, fwrite_unlocked, (const void *a, size_t b, size_t c, FILE *d), (a, b, c, d), d,      \
      APPENDS)

/* X(result, name, parameters, arguments, flags): calls that receive from the descriptor a, with
 * flags of recv; streams/transfers.c. */
#define SER_REAL_RECEIVES(X)                                                                       \
    X(ssize_t, readv, (int a, const struct iovec *b, int c), (a, b, c), 0)                         \
    X(ssize_t, recv, (int a, void *b, size_t c, int d), (a, b, c, d), d)                           \
    X(ssize_t, recvfrom, (int a, void *b, size_t c, int d, struct sockaddr *e, socklen_t *f),      \
      (a, b, c, d, e, f), d)                                                                       \
    X(ssize_t, recvmsg, (int a, struct msghdr *b, int c), (a, b, c), c)                            \
    X(int, accept, (int a, struct sockaddr *b, socklen_t *c), (a, b, c), 0)                        \
    X(int, accept4, (int a, struct sockaddr *b, socklen_t *c, int d), (a, b, c, d), 0)

/* The same that send, with how many bytes. */
#define SER_REAL_SENDS(X)                                                                          \
    X(ssize_t, writev, (int a, const struct iovec *b, int c), (a, b, c), 0, ser_length_of(b, c))   \
    X(ssize_t, send, (int a, const void *b, size_t c, int d), (a, b, c, d), d, c)                  \
    X(ssize_t, sendto,                                                                             \
      (int a, const void *b, size_t c, int d, const struct sockaddr *e, socklen_t f),              \
      (a, b, c, d, e, f), d, c)                                                                    \
    X(ssize_t, sendmsg, (int a, const struct msghdr *b, int c), (a, b, c), c,                      \
      ser_length_of(b->msg_iov, b->msg_iovlen))

/* X(result, name, parameters, arguments, test): calls that may block; outside.c. The
 * test, over the parameters a, b, ..., says whether this one can. */
#define SER_REAL_OUTSIDE(X)                                                                        \
    X(int, nanosleep, (ser_time a, struct timespec * b), (a, b), 1)                                \
    X(int, clock_nanosleep, (clockid_t a, int b, ser_time c, struct timespec *d), (a, b, c, d), 1) \
    X(int, usleep, (useconds_t a), (a), 1)                                                         \
    X(unsigned, sleep, (unsigned a), (a), 1)                                                       \
    X(int, pause, (void), (), 1)                                                                   \
    X(int, sigsuspend, (const sigset_t *a), (a), 1)                                                \
    X(int, fsync, (int a), (a), 1)                                                                 \
    X(int, fdatasync, (int a), (a), 1)                                                             \
    X(int, msync, (void *a, size_t b, int c), (a, b, c), 1)                                        \
    X(int, tcdrain, (int a), (a), 1)

#define SER_REAL_ALL(X)                                                                            \
    SER_REAL_THREADS(X)                                                                            \
    SER_REAL_LOCKS(X)                                                                              \
    SER_REAL_MEETINGS(X)                                                                           \
    SER_REAL_HEAP(X)                                                                               \
    SER_REAL_INPUTS(X)                                                                             \
    SER_REAL_STREAMS(X)                                                                            \
    SER_REAL_GATES(X)                                                                              \
    SER_REAL_AWAITS(X)                                                                             \
    SER_REAL_SYSTEM(X)                                                                             \
    SER_REAL_TOKENS(X)                                                                             \
    SER_REAL_CHILDREN(X)                                                                           \
    SER_REAL_OPENS(X)                                                                              \
    SER_REAL_FILE_LOOKS(X)                                                                         \
    SER_REAL_FILES(X)                                                                              \
    SER_REAL_FILE_READS(X)                                                                         \
    SER_REAL_FILE_WRITES(X)                                                                        \
    SER_REAL_FILE_MOVES(X)                                                                         \
    SER_REAL_FILE_UNLOCKED(X)                                                                      \
    SER_REAL_ENDS(X)

typedef struct ser_real_functions {
#define SER_X(result, name, parameters, ...) result(*name) parameters;
    SER_REAL_ALL(SER_X)
    SER_REAL_OUTSIDE(SER_X)
    SER_REAL_RECEIVES(SER_X)
    SER_REAL_SENDS(SER_X)
    SER_REAL_OPTIONAL(SER_X)
#undef SER_X
} ser_real_functions;

extern ser_real_functions ser_real;

/* Is the real malloc another one than the C library's? It may be instrumented. */
extern bool ser_real_heap_is_foreign;

/* Fills the table, once. Any thread, also before main. */
void ser_real_find(void);

/* The real time, not that of a replay. */
void ser_real_now(clockid_t clock, struct timespec *now);

#endif
