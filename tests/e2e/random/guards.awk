# SPDX-License-Identifier: MIT
# awk -v seed=N -f guards.awk: a C program of two or three threads, each of which calls a function
# block_T that should be atomic. What its statements read decides where they go: in comparisons,
# cases, indices and arguments, through locals, results and parameters, of numbers of several widths;
# some steps after it was read, behind locks, loops and branches, or in a loop's next round; and what
# loops make of it: sums, counts, checksums, largest elements, what only some rounds add, with breaks,
# locks, loops inside, or no round at all.

function below(n) { return int(rand() * n) }
function variable() { return "x[" below(3) "]" }

function condition(v, kind) {
    kind = below(12)
    if (kind > 8) return v " " (kind == 9 ? ">" : kind == 10 ? "!=" : "<=") " n"
    if (kind == 0) return v " > " below(4)
    if (kind == 1) return v " & " (1 + below(3))
    if (kind == 2) return v " != " below(3)
    if (kind == 3) return "(" v " + " below(3) ") * 2 >= " below(8)
    if (kind == 4) return "(unsigned char)(" v " << 6) < 100"
    if (kind == 5) return v " % 3 == " below(2)
    if (kind == 6) return "!" v
    if (kind == 7) return v " > 0 && " v " < " (2 + below(4))
    return "is_large(" v ")"
}

function action() {
    return variable() " = " below(5) ";"
}

function locked(code) { return "pthread_mutex_lock(&m); " code " pthread_mutex_unlock(&m);" }

# What was read decides some steps later.
function late_statement(kind) {
    kind = below(5)
    if (kind == 0) return "{ " locked("int v = " variable() ";") " " action() " for (int i = 0; i < 2; i++) y[i] = i; if (" condition("v") ") " action() " }"
    if (kind == 1) return "{ int s = 0; " locked("for (int i = 0; i < 3; i++) s += x[i];") " if (" condition("s") ") " action() " }"
    if (kind == 2) return "{ int v = " variable() "; if (y[2]) y[0] = 1; else y[1] = 2; " variable() " = v + 1; if (" condition("v") ") " action() " }"
    if (kind == 3) return "{ int v = 0; for (int i = 0; i < 3; i++) { if (" condition("v") ") " action() " v = " variable() "; } " action() " }"
    return locked(variable() " = abs(" variable() " - " below(4) ");")
}

# What rounds make together is stored, or decides.
function use_of(v) {
    return below(2) ? variable() " = " v " & 7;" : "if (" condition(v) ") " action()
}

function loop_statement(kind, rounds) {
    kind = below(11)
    rounds = "for (int i = 0; i < " (below(2) ? "n" : "3") "; i++) "
    if (kind == 0) return "{ int c = 0; " rounds "if (" condition("x[i]") ") c++; " use_of("c") " }"
    if (kind == 1) return "{ int s = n; " rounds "{ s += x[i]; if (s > " below(6) ") break; } " use_of("s") " }"
    if (kind == 2) return "{ unsigned h = 7; " rounds "h = h * 33 ^ x[i]; " use_of("h") " }"
    if (kind == 3) return "{ int s = 0; " rounds "{ for (int j = 0; j < 2; j++) s += x[(i + j) % 3]; " use_of("s") " } " use_of("s") " }"
    if (kind == 4) return "{ int s = 1; " rounds "{ " locked("s += x[i];") " } " use_of("s") " }"
    if (kind == 5) return "{ int i = 0, s = 0; while (i < 3 && x[i] != " below(4) ") s += x[i++]; " use_of("s") " }"
    if (kind == 6) return "{ int s = 0; " rounds "{ s = 0; for (int j = 0; j < n; j++) s ^= x[j]; " use_of("s") " } " action() " }"
    if (kind == 7) return "{ int most = 0; " rounds "if (x[i] > most) most = x[i]; " use_of("most") " }"
    if (kind == 8) return "{ int s = n; " rounds "{ if (" condition("x[i]") ") s += y[i]; if (s > " below(6) ") " action() " } " use_of("s") " }"
    if (kind == 9) return "{ int s = 0; " rounds "{ " locked("if (x[i] >= s) s = x[i] + 1;") " if (x[2 - i] < s) break; } " use_of("s") " }"
    return "{ int hi = 0, lo = 9; " rounds "{ if (x[i] > hi) hi = x[i]; if (x[i] < lo) lo = x[i]; if (hi - lo > 2) continue; " action() " } " use_of("hi - lo") " }"
}

function statement(kind) {
    kind = below(21)
    if (kind > 16) return loop_statement()
    if (kind > 11) return late_statement()
    if (kind <= 2) return "if (" condition(variable()) ") " action()
    if (kind == 3) return "{ int v = " variable() "; if (" condition("v") ") " action() " }"
    if (kind == 4) return "{ long v = " variable() "; if (" condition("v") ") " action() " else " action() " }"
    if (kind == 5) return "switch (" variable() ") { case 1: " action() " break; case 3: " action() " }"
    if (kind == 6) return "y[" variable() " & 1] = " below(9) ";"
    if (kind == 7) return "for (int i = 0; i < 3 && " variable() " > " below(3) "; i++) " action()
    if (kind == 8) return "decide(" variable() ");"
    if (kind == 9) return "if (b) " action() " b = " below(2) ";"
    if (kind == 10) return "if (atomic_load(&a) " (below(2) ? ">" : "==") " " below(3) ") atomic_store(&a, " below(4) ");"
    return action()
}

BEGIN {
    srand(seed)
    threads = 2 + below(2)
    print "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdbool.h>\n#include <stdio.h>\n#include <stdlib.h>"
    print "int x[3], y[4];\nbool b;\n_Atomic int a;\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"
    print "#define APART __attribute__((noinline))"
    print "APART static int is_large(int v) { return v > 2; }"
    print "APART static void decide(int v) { if (v == 2) y[3] = 1; else x[0] = 3; }"
    for (t = 0; t < threads; t++) {
        print "APART void block_" t "(int n)\n{"
        for (n = 2 + below(3); n > 0; n--)
            print "    " statement()
        print "}\nstatic void *work_" t "(void *unused) { block_" t "(" below(4) "); return unused; }"
    }
    print "int main(void)\n{\n    pthread_t t[3];\n    for (int i = 0; i < 3; i++)\n        x[i] = i;"
    print "    a = b = 0;"
    for (t = 0; t < threads; t++)
        print "    pthread_create(&t[" t "], 0, work_" t ", 0);"
    for (t = 0; t < threads; t++)
        print "    pthread_join(t[" t "], 0);"
    print "    printf(\"%d %d %d\\n\", x[0], y[1], a);\n    return 0;\n}"
}
