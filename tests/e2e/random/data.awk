# SPDX-License-Identifier: MIT
# awk -v seed=N -f data.awk: a C program of two or three threads, each of which calls a function
# block_T that should be atomic. What its statements read goes into stores, branches and
# addresses, through locals, results and parameters of functions, under locks and not. There is no
# compare-exchange: one that fails in a replay is another event than the one that was recorded.

function below(n) { return int(rand() * n) }
function variable() { return "x[" below(3) "]" }

function locked(text) {
    if (below(2))
        return text
    return "pthread_mutex_lock(&m); " text " pthread_mutex_unlock(&m);"
}

function statement(kind) {
    kind = below(14)
    if (kind <= 1) return locked(variable() " = " variable() " + " below(5) ";")
    if (kind <= 3) return "set(" below(3) ", get(" below(3) ") + " below(5) ");"
    if (kind == 4) return "if (" variable() " > " below(6) ") " variable() " = " below(4) ";"
    if (kind == 5) return "y[" variable() " & 3] = " below(9) ";"
    if (kind == 6) return "{ int v = " variable() ", w = v * 2; " variable() " = w; }"
    if (kind == 7) return "{ int v = get(" below(3) "); if (v & 1) set(" below(3) ", v); }"
    if (kind == 8) return "keep(" variable() ");"
    if (kind == 9) return "judge(" variable() ");"
    if (kind == 10) return "atomic_store(&a, atomic_load(&a) + 1);"
    if (kind == 11) return "atomic_fetch_add(&a, " variable() ");"
    if (kind == 12) return "y[0] = atomic_exchange(&a, " below(7) ");"
    return "{ int v = a; atomic_store(&a, v + " variable() "); }"
}

BEGIN {
    srand(seed)
    threads = 2 + below(2)
    print "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>"
    print "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint x[3], y[4];\n_Atomic int a;"
    print "#define APART __attribute__((noinline))"
    print "APART int get(int i) { pthread_mutex_lock(&m); int v = x[i];" \
          " pthread_mutex_unlock(&m); return v; }"
    print "APART void set(int i, int v) { pthread_mutex_lock(&m); x[i] = v;" \
          " pthread_mutex_unlock(&m); }"
    print "APART static void keep(int v) { y[1] = v; y[2] = v + 1; }"
    print "APART static void judge(int v) { y[3] = v; if (v > 3) x[0] = 1; }"
    for (t = 0; t < threads; t++) {
        print "APART void block_" t "(void)\n{"
        for (n = 2 + below(3); n > 0; n--)
            print "    " statement()
        print "}\nstatic void *work_" t "(void *unused) { block_" t "(); return unused; }"
    }
    print "int main(void)\n{\n    pthread_t t[3];"
    for (t = 0; t < threads; t++)
        print "    pthread_create(&t[" t "], 0, work_" t ", 0);"
    for (t = 0; t < threads; t++)
        print "    pthread_join(t[" t "], 0);"
    print "    printf(\"%d %d %d\\n\", x[0], y[1], a);\n    return 0;\n}"
}
