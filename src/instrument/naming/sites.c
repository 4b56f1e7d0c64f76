/* SPDX-License-Identifier: MIT */
#include "instrument/naming/sites.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cxx_names.h"
#include "contract/abi.h"
#include "instrument/instrument.h"
#include "instrument/naming/debug_info.h"

enum {
#define SER_ABI_FIELD(type, name) FIELD_##name,
#include "contract/abi.def"
    SITE_FIELDS
};

static LLVMValueRef number(const ser_unit *unit, unsigned value)
{
    return LLVMConstInt(unit->i32, value, false);
}

static LLVMValueRef make_site(ser_unit *unit, const ser_site_place *place, LLVMValueRef name)
{
    LLVMValueRef members[SITE_FIELDS] = {
        [FIELD_number] = number(unit, 0),
        [FIELD_line] = number(unit, place->line),
        [FIELD_column] = number(unit, place->column),
        [FIELD_flags] = number(unit, 0),
        [FIELD_file] = place->file,
        [FIELD_function] = place->function,
        [FIELD_name] = name,
        [FIELD_guards] = ser_unit_text(unit, NULL),
    };
    LLVMValueRef global = LLVMAddGlobal(unit->module, unit->site, "seriatim.site");
    LLVMSetInitializer(global,
                       LLVMConstStructInContext(unit->context, members, SITE_FIELDS, false));
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetAlignment(global, 8);
    return global;
}

/* bank::Account::deposit(int) const becomes bank::Account::deposit. */
static void cut_parameters(char *name)
{
    int depth = 0;
    for (char *end = strrchr(name, ')'); end && end >= name; end--) {
        depth += *end == ')';
        depth -= *end == '(';
        if (depth == 0 && end > name && !ser_starts_with(end, "(anonymous")) {
            *end = '\0';
            return;
        }
    }
}

/* What clang calls the functions that it makes of OpenMP's constructs says little; their place says
 * which ones they are. */
static const char *plain(const char *name)
{
    if (name && ser_starts_with(name, ".omp_task"))
        return "openmp_task";
    return name && ser_starts_with(name, ".omp_outlined") ? "openmp_region" : name;
}

/* Without debug information the symbol is all there is. */
static LLVMValueRef name_by_symbol(ser_unit *unit, LLVMValueRef function)
{
    size_t length;
    const char *symbol = LLVMGetValueName2(function, &length);
    char *name = ser_llvm_demangle(symbol);
    if (!name)
        return ser_unit_text(unit, plain(symbol));
    cut_parameters(name);
    ser_drop_abi_tags(name);
    LLVMValueRef text = ser_unit_text(unit, name);
    free(name);
    return text;
}

static LLVMValueRef make_name(ser_unit *unit, LLVMValueRef subprogram)
{
    char name[1024];
    if (!ser_node_text(subprogram, SER_NODE_NAME))
        return ser_unit_text(unit, plain(ser_node_text(subprogram, SER_NODE_LINKAGE)));
    ser_node_qualified(subprogram, name, sizeof name);
    return ser_unit_text(unit, plain(name));
}

static LLVMValueRef name_subprogram(ser_unit *unit, LLVMValueRef subprogram)
{
    LLVMMetadataRef key = LLVMValueAsMetadata(subprogram);
    uint32_t index = ser_names_add(unit->scopes, (const char *)&key, sizeof key);
    if (index == unit->scope_texts.count)
        ser_vector_push(&unit->scope_texts, make_name(unit, subprogram));
    return unit->scope_texts.items[index];
}

/*
 * A file's name as the compiler got it: relative to the folder it runs in, or absolute.
 * Of an absolute name clang makes a folder, what it has in common with the one it runs
 * in, and a rest.
 */
static void find_file(LLVMMetadataRef scope, char *path, size_t size)
{
    LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    unsigned length, folder_length;
    const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
    const char *folder = file ? LLVMDIFileGetDirectory(file, &folder_length) : NULL;
    char here[PATH_MAX] = "";
    *path = '\0';
    if (!name || length == 0)
        return;
    bool whole = *name == '/' || !folder || folder_length == 0 || !getcwd(here, sizeof here) ||
                 (strlen(here) == folder_length && memcmp(here, folder, folder_length) == 0);
    if (whole)
        snprintf(path, size, "%.*s", (int)length, name);
    else
        snprintf(path, size, "%.*s/%.*s", (int)folder_length, folder, (int)length, name);
}

static LLVMValueRef name_file(ser_unit *unit, LLVMMetadataRef scope)
{
    char path[PATH_MAX];
    find_file(scope, path, sizeof path);
    return ser_unit_text(unit, *path ? path : NULL);
}

ser_site_place ser_site_place_of_function(ser_unit *unit, LLVMValueRef function)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    if (!subprogram)
        return (ser_site_place){.file = ser_unit_text(unit, NULL),
                                .function = name_by_symbol(unit, function)};
    return (ser_site_place){
        .file = name_file(unit, subprogram),
        .function = name_subprogram(unit, LLVMMetadataAsValue(unit->context, subprogram)),
        .line = LLVMDISubprogramGetLine(subprogram),
    };
}

LLVMValueRef ser_site_of_function(ser_unit *unit, LLVMValueRef function)
{
    ser_site_place place = ser_site_place_of_function(unit, function);
    return make_site(unit, &place, ser_unit_text(unit, NULL));
}

static bool is_of_system(LLVMMetadataRef scope)
{
    char path[PATH_MAX];
    find_file(scope, path, sizeof path);
    return ser_starts_with(path, "/usr/include/") || ser_starts_with(path, "/usr/lib/");
}

/* A header of another library than those of C and C++, as /usr/include/asio/... */
static bool is_of_other_library(const char *path)
{
    static const char *const of_language[] = {"/c++/", "/bits/", "/sys/", "/clang/", "/gcc/"};
    static const char system_folder[] = "/usr/include/";
    if (!ser_starts_with(path, system_folder) || !strchr(path + sizeof system_folder - 1, '/'))
        return false;
    for (size_t i = 0; i < sizeof of_language / sizeof *of_language; i++)
        if (strstr(path, of_language[i]))
            return false;
    return true;
}

/* Where the C++ library waits: nobody has written such a loop, and nobody can change it. */
static bool is_of_waits(const char *path)
{
    static const char *const headers[] = {"/bits/atomic_wait.h", "/bits/atomic_timed_wait.h",
                                          "/bits/semaphore_base.h"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (strstr(path, headers[i]))
            return true;
    return false;
}

static bool is_atomic(LLVMValueRef instruction)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(instruction);
    return op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg ||
           ((op == LLVMLoad || op == LLVMStore) &&
            LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic);
}

/* Is the place of inlined code told, and not the one where that was called? So it is of what a
 * library does to synchronise its own threads, which is not the program's matter. */
static bool is_place_of_its_own(LLVMValueRef instruction, LLVMMetadataRef scope)
{
    char path[PATH_MAX];
    find_file(scope, path, sizeof path);
    return is_of_waits(path) || (is_atomic(instruction) && is_of_other_library(path));
}

/* Where an instruction came from: the innermost inlined function that the program itself has. What
 * headers of libraries do is done where they are called: it is the line that a programmer can
 * change, and it distinguishes two calls of one container. */
static LLVMMetadataRef location_of(LLVMValueRef instruction)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction), outer;
    while (location && is_of_system(LLVMDILocationGetScope(location)) &&
           !is_place_of_its_own(instruction, LLVMDILocationGetScope(location)) &&
           (outer = LLVMDILocationGetInlinedAt(location)))
        location = outer;
    return location;
}

static ser_site_place place_of_instruction(ser_unit *unit, LLVMValueRef instruction)
{
    LLVMMetadataRef location = location_of(instruction);
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
    ser_site_place place = ser_site_place_of_function(unit, function);
    if (!location)
        return place;
    LLVMMetadataRef scope = LLVMDILocationGetScope(location);
    LLVMValueRef subprogram = ser_node_subprogram(LLVMMetadataAsValue(unit->context, scope));
    place.file = name_file(unit, scope);
    place.line = LLVMDILocationGetLine(location);
    place.column = LLVMDILocationGetColumn(location);
    if (subprogram)
        place.function = name_subprogram(unit, subprogram);
    return place;
}

LLVMValueRef ser_site_of_instruction(ser_unit *unit, LLVMValueRef instruction, const char *name)
{
    ser_site_place place = place_of_instruction(unit, instruction);
    return make_site(unit, &place, ser_unit_text(unit, name));
}

static void set_member(ser_unit *unit, LLVMValueRef site, unsigned field, LLVMValueRef value)
{
    LLVMValueRef members[SITE_FIELDS], old = LLVMGetInitializer(site);
    for (unsigned i = 0; i < SITE_FIELDS; i++)
        members[i] = LLVMGetOperand(old, i);
    members[field] = value;
    LLVMSetInitializer(site, LLVMConstStructInContext(unit->context, members, SITE_FIELDS, false));
}

void ser_site_add_flags(ser_unit *unit, LLVMValueRef site, unsigned flags)
{
    LLVMValueRef old = LLVMGetOperand(LLVMGetInitializer(site), FIELD_flags);
    flags |= (unsigned)LLVMConstIntGetZExtValue(old);
    set_member(unit, site, FIELD_flags, number(unit, flags));
}

void ser_site_set_guards(ser_unit *unit, LLVMValueRef site, const char *guards)
{
    set_member(unit, site, FIELD_guards, ser_unit_text(unit, guards));
    ser_site_add_flags(unit, site, SER_ABI_SITE_GUARDED);
}

bool ser_is_of_system(LLVMValueRef function)
{
    return is_of_system(LLVMGetSubprogram(function));
}
