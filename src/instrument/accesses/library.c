/* SPDX-License-Identifier: MIT */
#include "instrument/accesses/library.h"

#define R(pointer, measure, argument)                                                              \
    {                                                                                              \
        'r', pointer, SER_SIZE_##measure, argument                                                 \
    }
#define W(pointer, measure, argument)                                                              \
    {                                                                                              \
        'w', pointer, SER_SIZE_##measure, argument                                                 \
    }

/* Sorted by what they do. Names with _chk are those of _FORTIFY_SOURCE. */
static const ser_library_function functions[] = {
    {"strlen", 1, {R(0, STRING, 0)}},
    {"strnlen", 2, {R(0, BOUNDED, 1)}},
    {"strcmp", 2, {R(0, STRING, 0), R(1, STRING, 1)}},
    {"strcasecmp", 2, {R(0, STRING, 0), R(1, STRING, 1)}},
    {"strncmp", 3, {R(0, BOUNDED, 2), R(1, BOUNDED, 2)}},
    {"strncasecmp", 3, {R(0, BOUNDED, 2), R(1, BOUNDED, 2)}},
    {"memcmp", 3, {R(0, ARGUMENT, 2), R(1, ARGUMENT, 2)}},
    {"bcmp", 3, {R(0, ARGUMENT, 2), R(1, ARGUMENT, 2)}},
    {"strchr", 2, {R(0, SEARCHED, 0)}},
    {"strrchr", 2, {R(0, STRING, 0)}},
    {"memchr", 3, {R(0, FOUND, 2)}},
    {"memrchr", 3, {R(0, ARGUMENT, 2)}},
    {"strstr", 2, {R(0, STRING, 0), R(1, STRING, 1)}},
    {"strspn", 2, {R(1, STRING, 1)}},
    {"strcspn", 2, {R(1, STRING, 1)}},
    {"strpbrk", 2, {R(1, STRING, 1)}},
    {"strdup", 1, {R(0, STRING, 0), W(SER_TO_RESULT, STRING, 0)}},
    {"strcasestr", 2, {R(0, STRING, 0), R(1, STRING, 1)}},
    {"strcoll", 2, {R(0, STRING, 0), R(1, STRING, 1)}},
    {"memmem", 4, {R(0, ARGUMENT, 1), R(2, ARGUMENT, 3)}},
    {"atoi", 1, {R(0, STRING, 0)}},
    {"atol", 1, {R(0, STRING, 0)}},
    {"atoll", 1, {R(0, STRING, 0)}},
    {"atof", 1, {R(0, STRING, 0)}},
    {"strtol", 3, {R(0, STRING, 0), W(1, CONSTANT, 8)}},
    {"strtoul", 3, {R(0, STRING, 0), W(1, CONSTANT, 8)}},
    {"strtoll", 3, {R(0, STRING, 0), W(1, CONSTANT, 8)}},
    {"strtoull", 3, {R(0, STRING, 0), W(1, CONSTANT, 8)}},
    {"strtof", 2, {R(0, STRING, 0), W(1, CONSTANT, 8)}},
    {"strtod", 2, {R(0, STRING, 0), W(1, CONSTANT, 8)}},
    {"strtold", 2, {R(0, STRING, 0), W(1, CONSTANT, 8)}},

    {"strcpy", 2, {R(1, STRING, 1), W(0, STRING, 1)}},
    {"stpcpy", 2, {R(1, STRING, 1), W(0, STRING, 1)}},
    {"__strcpy_chk", 3, {R(1, STRING, 1), W(0, STRING, 1)}},
    {"__stpcpy_chk", 3, {R(1, STRING, 1), W(0, STRING, 1)}},
    {"strncpy", 3, {R(1, BOUNDED, 2), W(0, ARGUMENT, 2)}},
    {"__strncpy_chk", 4, {R(1, BOUNDED, 2), W(0, ARGUMENT, 2)}},
    {"strcat", 2, {R(0, STRING, 0), R(1, STRING, 1), W(SER_TO_END, STRING, 1)}},
    {"__strcat_chk", 3, {R(0, STRING, 0), R(1, STRING, 1), W(SER_TO_END, STRING, 1)}},
    {"strncat", 3, {R(0, STRING, 0), R(1, BOUNDED, 2), W(SER_TO_END, APPENDED, 2)}},
    {"__strncat_chk", 4, {R(0, STRING, 0), R(1, BOUNDED, 2), W(SER_TO_END, APPENDED, 2)}},
    {"stpncpy", 3, {R(1, BOUNDED, 2), W(0, ARGUMENT, 2)}},
    {"__memcpy_chk", 4, {R(1, ARGUMENT, 2), W(0, ARGUMENT, 2)}},
    {"__memmove_chk", 4, {R(1, ARGUMENT, 2), W(0, ARGUMENT, 2)}},
    {"__memset_chk", 4, {W(0, ARGUMENT, 2)}},
    {"mempcpy", 3, {R(1, ARGUMENT, 2), W(0, ARGUMENT, 2)}},
    {"bzero", 2, {W(0, ARGUMENT, 1)}},
    {"explicit_bzero", 2, {W(0, ARGUMENT, 1)}},
    {"strndup", 2, {R(0, BOUNDED, 1), W(SER_TO_RESULT, FILLED, 0)}},
    {"qsort", 4, {R(0, PRODUCT, 1), W(0, PRODUCT, 1)}},
    {"bsearch", 5, {R(1, PRODUCT, 2)}},
    {"rand_r", 1, {R(0, CONSTANT, 4), W(0, CONSTANT, 4)}},
    {"strtok_r", 3, {R(2, CONSTANT, 8), W(2, CONSTANT, 8)}},
    {"__strtok_r", 3, {R(2, CONSTANT, 8), W(2, CONSTANT, 8)}},
    {"strsep", 2, {R(0, CONSTANT, 8), W(0, CONSTANT, 8)}},
    {"getline", 3, {R(0, CONSTANT, 8), W(0, CONSTANT, 8), W(1, CONSTANT, 8)}},
    {"__getdelim", 4, {R(0, CONSTANT, 8), W(0, CONSTANT, 8), W(1, CONSTANT, 8)}},
    {"getdelim", 4, {R(0, CONSTANT, 8), W(0, CONSTANT, 8), W(1, CONSTANT, 8)}},

    {"read", 3, {W(1, RESULT, 0)}},
    {"pread", 4, {W(1, RESULT, 0)}},
    {"pread64", 4, {W(1, RESULT, 0)}},
    {"recv", 4, {W(1, RESULT, 0)}},
    {"recvfrom", 6, {W(1, RESULT, 0)}},
    {"readlink", 3, {W(1, RESULT, 0)}},
    {"getrandom", 3, {W(0, RESULT, 0)}},
    {"write", 3, {R(1, ARGUMENT, 2)}},
    {"pwrite", 4, {R(1, ARGUMENT, 2)}},
    {"pwrite64", 4, {R(1, ARGUMENT, 2)}},
    {"send", 4, {R(1, ARGUMENT, 2)}},
    {"sendto", 6, {R(1, ARGUMENT, 2)}},
    {"connect", 3, {R(1, ARGUMENT, 2)}},
    {"bind", 3, {R(1, ARGUMENT, 2)}},
    {"epoll_ctl", 4, {R(3, CONSTANT, 12)}},
    {"poll", 3, {R(0, POLLED, 1), W(0, POLLED, 1)}},
    {"fread", 4, {W(0, RESULT_PARTS, 1)}},
    {"fwrite", 4, {R(0, PRODUCT, 1)}},
    {"fgets", 3, {W(0, FILLED, 0)}},
    {"getcwd", 2, {W(SER_TO_RESULT, FILLED, 0)}},
    {"puts", 1, {R(0, STRING, 0)}},
    {"fputs", 2, {R(0, STRING, 0)}},

    {"time", 1, {W(0, CONSTANT, 8)}},
    {"clock_gettime", 2, {W(1, CONSTANT, 16)}},
    {"gettimeofday", 2, {W(0, CONSTANT, 16)}},
    {"localtime_r", 2, {R(0, CONSTANT, 8), W(1, CONSTANT, 56)}},
    {"gmtime_r", 2, {R(0, CONSTANT, 8), W(1, CONSTANT, 56)}},
    {"mktime", 1, {R(0, CONSTANT, 56), W(0, CONSTANT, 56)}},
    {"timegm", 1, {R(0, CONSTANT, 56), W(0, CONSTANT, 56)}},
    {"strftime", 4, {R(2, STRING, 2), R(3, CONSTANT, 56), W(0, PRINTED, 1)}},
    {"stat", 2, {R(0, STRING, 0), W(1, CONSTANT, 144)}},
    {"lstat", 2, {R(0, STRING, 0), W(1, CONSTANT, 144)}},
    {"fstat", 2, {W(1, CONSTANT, 144)}},
    {"pipe", 1, {W(0, CONSTANT, 8)}},
    {"pipe2", 2, {W(0, CONSTANT, 8)}},
    {"socketpair", 4, {W(3, CONSTANT, 8)}},
    {"_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
     3,
     {R(1, CONSTANT, 8), W(1, CONSTANT, 8)}},
    {"_ZNSt6thread4joinEv", 1, {W(0, CONSTANT, 8)}},
    {"_ZNSt6thread6detachEv", 1, {W(0, CONSTANT, 8)}},

    /* std::istream::operator>>, and what most of them call, by the type of what is read */
    {"_ZNSirsERs", 2, {W(1, CONSTANT, 2)}},
    {"_ZNSirsERi", 2, {W(1, CONSTANT, 4)}},
    {"_ZNSi10_M_extractIbEERSiRT_", 2, {W(1, CONSTANT, 1)}},
    {"_ZNSi10_M_extractItEERSiRT_", 2, {W(1, CONSTANT, 2)}},
    {"_ZNSi10_M_extractIjEERSiRT_", 2, {W(1, CONSTANT, 4)}},
    {"_ZNSi10_M_extractIlEERSiRT_", 2, {W(1, CONSTANT, 8)}},
    {"_ZNSi10_M_extractImEERSiRT_", 2, {W(1, CONSTANT, 8)}},
    {"_ZNSi10_M_extractIxEERSiRT_", 2, {W(1, CONSTANT, 8)}},
    {"_ZNSi10_M_extractIyEERSiRT_", 2, {W(1, CONSTANT, 8)}},
    {"_ZNSi10_M_extractIfEERSiRT_", 2, {W(1, CONSTANT, 4)}},
    {"_ZNSi10_M_extractIdEERSiRT_", 2, {W(1, CONSTANT, 8)}},

    {"sprintf", 2, {W(0, ALL_PRINTED, 0)}},
    {"vsprintf", 3, {W(0, ALL_PRINTED, 0)}},
    {"__sprintf_chk", 4, {W(0, ALL_PRINTED, 0)}},
    {"__vsprintf_chk", 5, {W(0, ALL_PRINTED, 0)}},
    {"snprintf", 3, {W(0, PRINTED, 1)}},
    {"vsnprintf", 4, {W(0, PRINTED, 1)}},
    {"__snprintf_chk", 5, {W(0, PRINTED, 1)}},
    {"__vsnprintf_chk", 6, {W(0, PRINTED, 1)}},
};

static bool is_kind(LLVMValueRef value, LLVMTypeKind kind)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == kind;
}

static bool is_pointer(LLVMValueRef value)
{
    return is_kind(value, LLVMPointerTypeKind) &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(value)) == 0;
}

/* Is the argument what the measure takes it for? */
static bool suits(LLVMValueRef call, const ser_effect *effect)
{
    if (effect->measure == SER_SIZE_CONSTANT)
        return true;
    LLVMValueRef argument = LLVMGetOperand(call, effect->argument);
    switch (effect->measure) {
    case SER_SIZE_CONSTANT:
    case SER_SIZE_ARGUMENT:
    case SER_SIZE_BOUNDED:
    case SER_SIZE_APPENDED:
    case SER_SIZE_POLLED:
        return is_kind(argument, LLVMIntegerTypeKind);
    case SER_SIZE_PRODUCT:
        return is_kind(argument, LLVMIntegerTypeKind) &&
               is_kind(LLVMGetOperand(call, effect->argument + 1U), LLVMIntegerTypeKind);
    case SER_SIZE_STRING:
        return is_pointer(argument);
    case SER_SIZE_RESULT:
    case SER_SIZE_ALL_PRINTED:
        return is_kind(call, LLVMIntegerTypeKind);
    case SER_SIZE_RESULT_PARTS:
    case SER_SIZE_PRINTED:
        return is_kind(call, LLVMIntegerTypeKind) && is_kind(argument, LLVMIntegerTypeKind);
    case SER_SIZE_FOUND:
        return is_pointer(call) && is_kind(argument, LLVMIntegerTypeKind);
    case SER_SIZE_FILLED:
    case SER_SIZE_SEARCHED:
        return is_pointer(call);
    }
    return false;
}

static bool is_called_rightly(LLVMValueRef call, const ser_library_function *function)
{
    if (LLVMGetNumArgOperands(call) < function->arguments)
        return false;
    for (const ser_effect *effect = function->effects; effect->kind; effect++) {
        unsigned pointer = effect->pointer == SER_TO_END ? 0 : effect->pointer;
        if (!is_pointer(pointer == SER_TO_RESULT ? call : LLVMGetOperand(call, pointer)) ||
            !suits(call, effect))
            return false;
    }
    return true;
}

const ser_library_function *ser_library_find(LLVMValueRef call)
{
    LLVMValueRef callee = ser_called_function(call);
    if (!callee || !LLVMIsDeclaration(callee))
        return NULL;
    const char *name = ser_called_name(call);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0)
            return is_called_rightly(call, &functions[i]) ? &functions[i] : NULL;
    return NULL;
}

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

bool ser_library_is_recorded(const ser_library_function *function)
{
    static const char *const names[] = {"read", "recv",   "recvfrom", "write",
                                        "send", "sendto", "connect",  "poll"};
    return is_one_of(function->name, names, sizeof names / sizeof *names);
}

bool ser_library_frees(LLVMValueRef call)
{
    /* operator delete and delete[]: plain, with a size, with an alignment, nothrow */
    static const char *const names[] = {
        "free",
        "realloc",
        "reallocarray",
        "munmap",
        "_ZdlPv",
        "_ZdaPv",
        "_ZdlPvm",
        "_ZdaPvm",
        "_ZdlPvSt11align_val_t",
        "_ZdaPvSt11align_val_t",
        "_ZdlPvmSt11align_val_t",
        "_ZdaPvmSt11align_val_t",
        "_ZdlPvRKSt9nothrow_t",
        "_ZdaPvRKSt9nothrow_t",
        "_ZdlPvSt11align_val_tRKSt9nothrow_t",
        "_ZdaPvSt11align_val_tRKSt9nothrow_t",
    };
    if (LLVMGetNumArgOperands(call) == 0 || !is_pointer(LLVMGetOperand(call, 0)))
        return false;
    return is_one_of(ser_called_name(call), names, sizeof names / sizeof *names);
}

/* A pointer that is returned may be the argument itself, which then lives on. */
bool ser_library_forgets(const ser_library_function *function, LLVMValueRef call, unsigned argument)
{
    if (is_pointer(call))
        return false;
    for (const ser_effect *effect = function->effects; effect->kind; effect++)
        if (effect->pointer == argument)
            return true;
    return false;
}
