/* SPDX-License-Identifier: MIT */
/*
 * Scripts as C. Variables and functions have the script's number in their names, so that many fit
 * into one program. Cells are bytes, and values are the two high bits, so that they wrap around as
 * those of the script do.
 */
#include "script.h"

enum { UNIT = 256 / SCRIPT_VALUES };

static const char prelude[] =
    "#include <pthread.h>\n"
    "#include <semaphore.h>\n"
    "#include <seriatim/annotate.h>\n"
    "#include <stdlib.h>\n"
    "typedef unsigned char cell;\n"
    "#define ADD(c, n) __atomic_fetch_add(&(c), n, __ATOMIC_SEQ_CST)\n"
    "#define EXCHANGE(c, e, n) ({ cell seen = e; __atomic_compare_exchange_n(&(c), &seen, n, 0, "
    "__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ? 64 : 0; })\n";

/* Every other script has atomics instead of plain variables. */
static const char *const accesses[] = {
    "#undef LOAD\n#undef STORE\n#define LOAD(c) (c)\n#define STORE(c, v) ((c) = (v))\n",
    "#undef LOAD\n#undef STORE\n#define LOAD(c) __atomic_load_n(&(c), __ATOMIC_RELAXED)\n"
    "#define STORE(c, v) __atomic_store_n(&(c), v, __ATOMIC_RELAXED)\n",
};

static void print_cell(FILE *file, const instruction *access, unsigned number)
{
    if (access->index != NO_REGISTER)
        fprintf(file, "a%u[r%u / %d & 1]", number, access->index, UNIT);
    else if (access->object >= SCRIPT_ARRAY && access->object < SCRIPT_FLAG)
        fprintf(file, "a%u[%d]", number, access->object - SCRIPT_ARRAY);
    else if (access->object >= SCRIPT_FLAG)
        fprintf(file, "flag%u", number);
    else
        fprintf(file, "x%u_%u", number, access->object);
}

static void print_access(FILE *file, const instruction *access, unsigned number)
{
    bool is_load = access->kind == SCRIPT_LOAD;
    if (access->to != NO_REGISTER)
        fprintf(file, "r%u = ", access->to);
    if (access->kind == SCRIPT_ADD || access->kind == SCRIPT_COMPARE_EXCHANGE) {
        fputs(access->kind == SCRIPT_ADD ? "ADD(" : "EXCHANGE(", file);
        print_cell(file, access, number);
        if (access->kind == SCRIPT_COMPARE_EXCHANGE)
            fprintf(file, ", %d", access->expected * UNIT);
        fprintf(file, ", %d);\n", access->constant * UNIT);
        return;
    }
    fputs(is_load ? "LOAD(" : "STORE(", file);
    print_cell(file, access, number);
    if (!is_load && access->from != NO_REGISTER)
        fprintf(file, ", (cell)(r%u + %d)", access->from, access->constant * UNIT);
    else if (!is_load)
        fprintf(file, ", %d", access->constant * UNIT);
    fputs(");\n", file);
}

static void print_instruction(FILE *file, const instruction *now, unsigned number)
{
    switch ((instruction_kind)now->kind) {
    case SCRIPT_LOCK:
    case SCRIPT_UNLOCK:
        fprintf(file, "pthread_mutex_%s(&m%u[%u]);\n", now->kind == SCRIPT_LOCK ? "lock" : "unlock",
                number, now->object);
        break;
    case SCRIPT_POST:
    case SCRIPT_TAKE:
        fprintf(file, "sem_%s(&s%u);\n", now->kind == SCRIPT_POST ? "post" : "wait", number);
        break;
    case SCRIPT_WAIT:
        fprintf(file, "pthread_cond_wait(&c%u, &m%u[%d]);\n", number, number, SCRIPT_LOCKS - 1);
        break;
    case SCRIPT_NOTIFY:
        fprintf(file, "pthread_cond_signal(&c%u);\n", number);
        break;
    case SCRIPT_BEGIN:
    case SCRIPT_END:
        fprintf(file,
                now->kind == SCRIPT_BEGIN ? "SERIATIM_ATOMIC_BEGIN(\"b%u\");\n"
                                          : "SERIATIM_ATOMIC_END();\n",
                now->block - 1u);
        break;
    case SCRIPT_FORK:
        fprintf(file, "pthread_create(&t[%u], 0, thread%u_%u, 0);\n", now->object, number,
                now->object);
        break;
    case SCRIPT_JOIN:
        fprintf(file, "pthread_join(t[%u], 0);\n", now->object);
        break;
    case SCRIPT_UNLESS:
        fprintf(file, "if (r%u != %d) goto l%u;\n", now->from, now->constant * UNIT, now->target);
        break;
    case SCRIPT_JUMP:
        fprintf(file, "goto l%u;\n", now->target);
        break;
    default:
        fprintf(file, "return 0;\n");
        break;
    }
}

/* What only changes registers. */
static void print_computation(FILE *file, const instruction *now)
{
    switch ((instruction_kind)now->kind) {
    case SCRIPT_SUM:
        fprintf(file, "r%u = (cell)(r%u + r%u);\n", now->to, now->to, now->from);
        break;
    case SCRIPT_COUNT:
        fprintf(file, "if (r%u == %d) r%u = (cell)(r%u + %d);\n", now->from, now->expected * UNIT,
                now->to, now->to, UNIT);
        break;
    case SCRIPT_MIX:
        fprintf(file, "r%u = (cell)(r%u * 3 ^ r%u);\n", now->to, now->to, now->from);
        break;
    case SCRIPT_MOST:
        fprintf(file, "if (r%u > r%u) r%u = r%u;\n", now->from, now->to, now->to, now->from);
        break;
    case SCRIPT_LAST:
        fprintf(file, "r%u = r%u;\n", now->to, now->from);
        break;
    case SCRIPT_AGAIN:
        fprintf(file, "r%u = (cell)(r%u + %d);\n    if (r%u != %d) goto l%u;\n", now->to, now->to,
                UNIT, now->to, now->constant * UNIT, now->target);
        break;
    default:
        fprintf(file, "r%u = %d;\n", now->to, now->constant * UNIT);
        break;
    }
}

static bool is_target(const script *s, size_t thread, size_t at)
{
    for (size_t i = 0; i < s->length[thread]; i++) {
        uint8_t kind = s->code[thread][i].kind;
        bool goes = kind == SCRIPT_UNLESS || kind == SCRIPT_JUMP || kind == SCRIPT_AGAIN;
        if (goes && s->code[thread][i].target == at)
            return true;
    }
    return false;
}

static void print_thread(FILE *file, const script *s, size_t thread, unsigned number)
{
    fprintf(file, "static void *thread%u_%zu(void *unused)\n{\n", number, thread);
    for (int i = 0; i < SCRIPT_REGISTERS; i++)
        fprintf(file, "    cell r%d = 0;\n    (void)r%d;\n", i, i);
    fprintf(file, "    (void)unused;\n");
    if (thread == 0)
        fprintf(file, "    pthread_t t[%d];\n", SCRIPT_THREADS);
    for (size_t i = 0; i < s->length[thread]; i++) {
        if (is_target(s, thread, i))
            fprintf(file, "l%zu:\n", i);
        fputs("    ", file);
        if (s->code[thread][i].kind <= SCRIPT_COMPARE_EXCHANGE)
            print_access(file, &s->code[thread][i], number);
        else if (script_computes(&s->code[thread][i]))
            print_computation(file, &s->code[thread][i]);
        else
            print_instruction(file, &s->code[thread][i], number);
    }
    fprintf(file, "}\n");
}

void print_script(FILE *file, const script *s, unsigned number)
{
    fputs(accesses[number % 2], file);
    fprintf(file, "static cell x%u_0, x%u_1, x%u_2, a%u[2], flag%u;\n", number, number, number,
            number, number);
    fprintf(file, "static pthread_mutex_t m%u[%d] = {", number, SCRIPT_LOCKS);
    for (int i = 0; i < SCRIPT_LOCKS; i++)
        fprintf(file, "%sPTHREAD_MUTEX_INITIALIZER", i ? ", " : "");
    fprintf(file, "};\nstatic pthread_cond_t c%u = PTHREAD_COND_INITIALIZER;\nstatic sem_t s%u;\n",
            number, number);
    for (size_t thread = s->threads; thread-- > 0;)
        print_thread(file, s, thread, number);
}

void print_scripts(FILE *file, uint64_t seed, unsigned count)
{
    fputs(prelude, file);
    for (unsigned i = 0; i < count; i++) {
        script s;
        write_script(&s, seed + i);
        print_script(file, &s, i);
    }
    fprintf(file,
            "int main(int argc, char **argv)\n{\n    switch (argc > 1 ? atoi(argv[1]) : 0) {\n");
    for (unsigned i = 0; i < count; i++)
        fprintf(file, "    case %u: sem_init(&s%u, 0, 0); thread%u_0(0); break;\n", i, i, i);
    fprintf(file, "    }\n    return 0;\n}\n");
}

void print_violable(FILE *file, uint64_t seed, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        script s;
        write_script(&s, seed + i);
        for (size_t block = 0; block < s.blocks; block++)
            if (search_script(&s, block) != SCRIPT_NONE)
                fprintf(file, "%u b%zu\n", i, block);
    }
}
