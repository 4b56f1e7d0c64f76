/* SPDX-License-Identifier: MIT */
#include "instrument/accesses/outside.h"

#include <fnmatch.h>
#include <limits.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>

#include "contract/abi.h"
#include "instrument/accesses/body.h"
#include "instrument/accesses/library/library.h"
#include "instrument/instrument.h"
#include "instrument/unrecorded.h"

/* Functions that read nothing of the program but their arguments, or objects of their own:
 * locks, threads, unused memory, clocks, exceptions. A star stands for anything. */
static const char harmless[] =
    "pthread_* sem_init sem_destroy sem_wait sem_trywait sem_timedwait sem_post sem_getvalue "
    "mtx_init mtx_destroy mtx_lock mtx_timedlock mtx_trylock mtx_unlock cnd_init cnd_destroy "
    "cnd_signal cnd_broadcast cnd_wait cnd_timedwait thrd_create thrd_join thrd_detach "
    "thrd_current thrd_equal thrd_exit thrd_sleep thrd_yield call_once malloc calloc free "
    "aligned_alloc memalign posix_memalign _Znwm* _Znam* _ZdlPv* _ZdaPv* abort __assert_fail "
    "_ZSt9terminatev __cxa_* _Unwind_Resume _ZSt*__throw_* __stack_chk_fail __errno_location "
    "sched_yield usleep sleep nanosleep clock_nanosleep time clock clock_gettime "
    "gettimeofday getpid gettid rand srand random srandom drand48 lrand48 putchar putc fputc "
    "_IO_putc fflush getchar close socket socketpair listen accept accept4 shutdown getsockname "
    "getpeername pipe pipe2 dup dup2 dup3 eventfd epoll_create epoll_create1 epoll_wait raise "
    "isatty sysconf get_nprocs sqrt sqrtf sin sinf cos "
    "cosf tan tanf exp expf log logf log2 log10 pow powf fmod fmodf floor floorf ceil ceilf "
    "round roundf _ZNSt6thread* _ZNKSt6thread* _ZNSt18condition_variable* "
    "_ZNSt11this_thread* _ZNSt6chrono* _ZSt17current_exceptionv _ZNSt15__exception_ptr* "
    "_ZNSt8ios_base4Init* __kmpc_* omp_* g_mutex_* g_rec_mutex_* g_rw_lock_* g_cond_* g_thread_* "
    "g_async_queue_* ";

/* They access more than the table says (library.h), or call back. */
static const char beyond_effects[] =
    "qsort qsort_r bsearch lfind lsearch tfind tsearch tdelete hsearch strtok strtok_r __strtok_r "
    "strsep insque remque glob scandir g_hash_table_* g_tree_* g_queue_* g_ptr_array_* g_array_* ";

/* Functions that may read memory, but do not call back into the program. */
static const char closed[] =
    "strtol strtoul strtoll strtoull strtod strtof strtold strtok strtok_r strspn strcspn "
    "strpbrk strstr strerror strerror_r strsep strndup memrchr memmem memccpy rawmemchr atoi "
    "atol atoll atof rand_r realloc reallocarray getenv setenv perror vprintf vfprintf "
    "vsprintf sscanf scanf fscanf __isoc99_sscanf __isoc99_scanf __isoc99_fscanf "
    "__vfprintf_chk __vprintf_chk fopen fclose fdopen open openat ioctl fcntl select "
    "writev readv gmtime gmtime_r localtime localtime_r mktime strftime getopt getopt_long "
    "exit _exit _ZSt*_Rb_tree_* _ZSt11_Hash_bytes* _ZNSt8__detail15_List_node_base* "
    "_ZNKSt8__detail20_Prime_rehash_policy* _ZNSt7__cxx1112basic_string* "
    "_ZNKSt7__cxx1112basic_string* ";

/* Does one of the patterns, each followed by a space, match? */
static bool is_among(const char *name, const char *patterns)
{
    char pattern[64];
    for (size_t length; *patterns; patterns += length + 1) {
        length = strcspn(patterns, " ");
        snprintf(pattern, sizeof pattern, "%.*s", (int)length, patterns);
        if (fnmatch(pattern, name, 0) == 0)
            return true;
    }
    return false;
}

/* --- what is called ----------------------------------------------------------- */

/* LLVM-C has no other way to look into assembly in all versions. */
static ser_outside_call judge_assembly(LLVMValueRef assembly)
{
    char *text = LLVMPrintValueToString(assembly);
    const char *code = strstr(text, " \"");
    bool empty = code && code[2] == '"';
    bool reads = strstr(text, "~{memory}") || strstr(text, "\"*") || strstr(text, ",*");
    LLVMDisposeMessage(text);
    return empty || !reads ? SER_OUTSIDE_NOT : SER_OUTSIDE_RUNS;
}

/* By the compiler's attributes; where there is one attribute for all memory, 0 means "none". */
static bool reads_nothing(LLVMValueRef function)
{
    const LLVMAttributeIndex where = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", strlen("memory"));
    LLVMAttributeRef memory = kind ? LLVMGetEnumAttributeAtIndex(function, where, kind) : NULL;
    return (memory && LLVMGetEnumAttributeValue(memory) == 0) ||
           ser_has_attribute(function, "readnone") || ser_has_attribute(function, "writeonly") ||
           ser_has_attribute(function, "inaccessiblememonly");
}

/* Those that copy were considered before: what is left of them copies what is private. */
static ser_outside_call judge_intrinsic(LLVMValueRef function, const char *name)
{
    static const char silent[] =
        "llvm.dbg.* llvm.lifetime.* llvm.assume llvm.expect* llvm.mem* llvm.prefetch* "
        "llvm.stack* llvm.eh.* llvm.object* llvm.*trap llvm.va_* llvm.frame* "
        "llvm.return* llvm.invariant* llvm.launder* llvm.threadlocal* llvm.coro.* "
        "llvm.x86.*fence llvm.x86.*pause llvm.donothing llvm.annotation* "
        "llvm.ptr.annotation* llvm.var.annotation* ";
    bool known = is_among(name, silent);
    return known || reads_nothing(function) ? SER_OUTSIDE_NOT : SER_OUTSIDE_RUNS;
}

static bool has_known_format(const ser_library_function *function, LLVMValueRef call)
{
    ser_effect_list effects = {0};
    bool known = ser_format_effects(function, call, &effects);
    ser_vector_free(&effects);
    return known;
}

static ser_outside_call judge_declared(LLVMValueRef call, LLVMValueRef function, const char *name)
{
    if (ser_starts_with(name, "llvm."))
        return judge_intrinsic(function, name);
    if (is_among(name, harmless) || reads_nothing(function))
        return SER_OUTSIDE_NOT;
    const ser_library_function *known = ser_library_find(call);
    if (known && known->conversions != SER_NO_FORMAT)
        return has_known_format(known, call) ? SER_OUTSIDE_NOT : SER_OUTSIDE_RUNS;
    if (known && !is_among(name, beyond_effects))
        return SER_OUTSIDE_NOT;
    return is_among(name, closed) ? SER_OUTSIDE_RUNS : SER_OUTSIDE_PERHAPS;
}

/* Constructors may be called by other names. */
static LLVMValueRef find_function(LLVMValueRef call)
{
    LLVMValueRef callee = ser_strip_offsets(LLVMGetCalledValue(call));
    if (LLVMIsAGlobalAlias(callee))
        callee = ser_strip_offsets(LLVMAliasGetAliasee(callee));
    return LLVMIsAFunction(callee);
}

ser_outside_call ser_goes_outside(ser_unit *unit, LLVMValueRef call)
{
    if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
        return judge_assembly(LLVMGetCalledValue(call));
    LLVMValueRef function = find_function(call);
    if (!function)
        return SER_OUTSIDE_POINTER;
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    if (ser_may_instrument(unit, function) || ser_starts_with(name, "__seriatim_"))
        return SER_OUTSIDE_NOT;
    bool is_here = LLVMGetFirstBasicBlock(function) &&
                   LLVMGetLinkage(function) != LLVMAvailableExternallyLinkage;
    return is_here ? SER_OUTSIDE_LEAVES : judge_declared(call, function, name);
}

/* --- telling ------------------------------------------------------------------ */

#define SEEN "__seriatim_seen."

/* The name of the symbol that marks a function as instrumented; NULL: too long. */
static const char *name_seen(LLVMValueRef function, char *name, size_t size)
{
    size_t length;
    int needed = snprintf(name, size, SEEN "%s", LLVMGetValueName2(function, &length));
    return needed < (int)size ? name : NULL;
}

static LLVMValueRef number_of(const ser_unit *unit, unsigned stage)
{
    return LLVMConstInt(unit->i32, stage, false);
}

/* The stage, or that nothing happens, if the symbol beside the function is there. */
static LLVMValueRef unless_seen(ser_unit *unit, LLVMValueRef call, unsigned stage)
{
    char name[1024];
    if (!name_seen(ser_called_function(call), name, sizeof name))
        return number_of(unit, stage);
    LLVMValueRef symbol = LLVMGetNamedGlobal(unit->module, name);
    if (!symbol) {
        symbol = LLVMAddGlobal(unit->module, unit->i8, name);
        LLVMSetLinkage(symbol, LLVMExternalWeakLinkage);
    }
    LLVMValueRef missing = LLVMBuildIsNull(unit->builder, symbol, "");
    return LLVMBuildSelect(unit->builder, missing, number_of(unit, stage),
                           number_of(unit, SER_ABI_STAYS), "");
}

LLVMValueRef ser_stage_outside(ser_unit *unit, LLVMValueRef call, ser_outside_call how,
                               unsigned stage)
{
    return how == SER_OUTSIDE_PERHAPS ? unless_seen(unit, call, stage) : number_of(unit, stage);
}

static void call_at_stage(ser_unit *unit, LLVMValueRef call, ser_outside_call how, unsigned stage)
{
    LLVMSetCurrentDebugLocation2(unit->builder, LLVMInstructionGetDebugLoc(call));
    if (how == SER_OUTSIDE_POINTER) {
        SER_CALL(unit, "__seriatim_outside_by", LLVMGetCalledValue(call), number_of(unit, stage));
        return;
    }
    SER_CALL(unit, "__seriatim_outside", ser_stage_outside(unit, call, how, stage));
}

void ser_tell_outside(ser_unit *unit, LLVMValueRef instruction, ser_outside_call how)
{
    LLVMPositionBuilderBefore(unit->builder, instruction);
    if (how == SER_OUTSIDE_RUNS) {
        call_at_stage(unit, instruction, how, SER_ABI_RUNS);
        return;
    }
    call_at_stage(unit, instruction, how, SER_ABI_LEAVES);
    LLVMValueRef after = ser_must_tail(instruction) ? NULL : ser_place_after(instruction);
    if (!after) /* then it counts as never coming back */
        return;
    LLVMPositionBuilderBefore(unit->builder, after);
    call_at_stage(unit, instruction, how, SER_ABI_RETURNS);
}

static bool is_address_taken(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool calls = LLVMIsACallInst(user) || LLVMIsAInvokeInst(user);
        if (ser_is_in_copy(user))
            continue;
        if (!calls || LLVMGetCalledValue(user) != function)
            return true;
        for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
            if (LLVMGetOperand(user, i) == function)
                return true;
    }
    return false;
}

static void define_symbol(ser_unit *unit, LLVMValueRef function)
{
    char name[1024];
    if (!name_seen(function, name, sizeof name) || LLVMGetNamedGlobal(unit->module, name))
        return;
    LLVMValueRef symbol = LLVMAddGlobal(unit->module, unit->i8, name);
    LLVMSetInitializer(symbol, LLVMConstInt(unit->i8, 1, false));
    LLVMSetLinkage(symbol, LLVMWeakODRLinkage);
    LLVMSetGlobalConstant(symbol, true);
    LLVMSetVisibility(symbol, LLVMGetVisibility(function));
}

void ser_mark_seen(ser_unit *unit)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(unit->module); function;
         function = LLVMGetNextFunction(function)) {
        if (!ser_may_instrument(unit, function))
            continue;
        if (LLVMGetLinkage(function) == LLVMExternalLinkage)
            define_symbol(unit, function);
        if (is_address_taken(function))
            ser_put_before_function(function, SER_ABI_SEEN);
    }
}
