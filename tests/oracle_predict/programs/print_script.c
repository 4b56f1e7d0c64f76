/* SPDX-License-Identifier: MIT */
/*
 * A script as C. Variables, locals and blocks have the names of the script's number, so that many of
 * them fit into one program.
 */
#include "script.h"

static void print_cell(FILE *file, const instruction *access, unsigned number)
{
    if (access->index != NO_REGISTER)
        fprintf(file, "a%u[r%u & 1]", number, access->index);
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
        fprintf(file, access->kind == SCRIPT_ADD ? "add(&" : "exchange(&");
        print_cell(file, access, number);
        if (access->kind == SCRIPT_COMPARE_EXCHANGE)
            fprintf(file, ", %u", access->expected);
        fprintf(file, ", %u);\n", access->constant);
        return;
    }
    fputs(is_load ? "LOAD(" : "STORE(", file);
    print_cell(file, access, number);
    if (!is_load && access->from != NO_REGISTER)
        fprintf(file, ", (r%u + %u) & 3", access->from, access->constant);
    else if (!is_load)
        fprintf(file, ", %u", access->constant);
    fputs(");\n", file);
}

static void print_instruction(FILE *file, const instruction *now, unsigned number)
{
    switch ((instruction_kind)now->kind) {
    case SCRIPT_LOCK:
    case SCRIPT_UNLOCK:
        fprintf(file, "pthread_mutex_%s(&m%u[%u]);\n",
                now->kind == SCRIPT_LOCK ? "lock" : "unlock", number, now->object);
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
        fprintf(file, "SERIATIM_ATOMIC_%s(\"b%u\");\n", now->kind == SCRIPT_BEGIN ? "BEGIN" : "END",
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
        fprintf(file, "if (r%u != %u) goto l%u;\n", now->from, now->constant, now->target);
        break;
    case SCRIPT_JUMP:
        fprintf(file, "goto l%u;\n", now->target);
        break;
    default:
        fprintf(file, "return 0;\n");
        break;
    }
}

static bool is_target(const script *s, size_t thread, size_t at)
{
    for (size_t i = 0; i < s->length[thread]; i++) {
        uint8_t kind = s->code[thread][i].kind;
        if ((kind == SCRIPT_UNLESS || kind == SCRIPT_JUMP) && s->code[thread][i].target == at)
            return true;
    }
    return false;
}

static void print_thread(FILE *file, const script *s, size_t thread, unsigned number)
{
    fprintf(file, "static void *thread%u_%zu(void *unused)\n{\n", number, thread);
    fprintf(file, "    int r0 = 0, r1 = 0, r2 = 0, r3 = 0;\n");
    fprintf(file, "    (void)unused, (void)r0, (void)r1, (void)r2, (void)r3;\n");
    if (thread == 0)
        fprintf(file, "    pthread_t t[%d];\n", SCRIPT_THREADS);
    for (size_t i = 0; i < s->length[thread]; i++) {
        if (is_target(s, thread, i))
            fprintf(file, "l%zu:\n", i);
        fputs("    ", file);
        if (s->code[thread][i].kind <= SCRIPT_COMPARE_EXCHANGE)
            print_access(file, &s->code[thread][i], number);
        else
            print_instruction(file, &s->code[thread][i], number);
    }
    fprintf(file, "}\n");
}

void print_script(FILE *file, const script *s, unsigned number)
{
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
