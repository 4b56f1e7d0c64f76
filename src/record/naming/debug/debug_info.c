/* SPDX-License-Identifier: MIT */
/*
 * Clang writes no .debug_aranges, which libdw needs to find the unit of an address: so the units'
 * own ranges are collected. dwarf_getscopes walks through a unit for each address: so its functions
 * are collected when one of its addresses is first asked about.
 */
#include "record/naming/debug/debug_info.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/vector.h"

enum {
    DEEPEST = 256, /* no function has so many blocks in each other */
    NO_RANGE = UINT32_MAX,
};

/* Code of a function, perhaps inlined in another one. */
typedef struct code_range {
    uint64_t start, end; /* in the file */
    uint32_t parent;     /* the next one that it lies in; NO_RANGE */
    Dwarf_Die function;
} code_range;

typedef SER_VECTOR(code_range) code_ranges;

typedef struct code_unit {
    Dwarf_Die die;
    bool is_read;
    code_ranges functions; /* by address, outer ones first; once it is read */
} code_unit;

typedef struct unit_range {
    uint64_t start, end;
    uint32_t unit;
} unit_range;

struct ser_debug_info {
    Dwfl *session;
    Dwfl_Module *module;
    bool has_units; /* they have been collected */
    uint64_t bias;  /* of DWARF's addresses */
    Dwarf *dwarf;   /* NULL: there is none */
    SER_VECTOR(code_unit) units;
    SER_VECTOR(unit_range) ranges; /* of units, by address */
};

/* Opening a pipe of that name must not block. */
static int open_regular(const char *path)
{
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 && (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode))) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Each session has one file, so that addresses of files cannot overlap. */
static Dwfl_Module *load(Dwfl *session, const char *path, uint64_t base)
{
    int fd = open_regular(path);
    if (fd < 0)
        return NULL;
    dwfl_report_begin(session);
    Dwfl_Module *module = dwfl_report_elf(session, path, path, fd, base, true);
    if (!module)
        close(fd);
    dwfl_report_end(session, NULL, NULL);
    return module;
}

ser_debug_info *ser_debug_info_open(const char *path, uint64_t base)
{
    static const Dwfl_Callbacks callbacks = {
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = dwfl_standard_find_debuginfo,
        .section_address = dwfl_offline_section_address,
    };
    Dwfl *session = dwfl_begin(&callbacks);
    Dwfl_Module *module = session ? load(session, path, base) : NULL;
    if (!module) {
        dwfl_end(session);
        return NULL;
    }
    ser_debug_info *info = ser_alloc(1, sizeof *info);
    info->session = session;
    info->module = module;
    return info;
}

void ser_debug_info_close(ser_debug_info *info)
{
    if (!info)
        return;
    for (size_t i = 0; i < info->units.count; i++)
        ser_vector_free(&info->units.items[i].functions);
    ser_vector_free(&info->units);
    ser_vector_free(&info->ranges);
    dwfl_end(info->session);
    free(info);
}

/* --- variables ------------------------------------------------------------ */

/* In a symbol table, the local symbols of a source file follow a symbol with its name. */
void ser_debug_info_variables(ser_debug_info *info, ser_debug_variable_sink sink, void *context)
{
    int count = dwfl_module_getsymtab(info->module);
    const char *file = NULL;
    for (int i = 0; i < count; i++) {
        GElf_Sym symbol;
        GElf_Addr start;
        const char *name =
            dwfl_module_getsym_info(info->module, i, &symbol, &start, NULL, NULL, NULL);
        unsigned type = GELF_ST_TYPE(symbol.st_info);
        uint64_t size = symbol.st_size ? symbol.st_size : 1;
        if (!name)
            continue;
        if (type == STT_FILE)
            file = *name ? name : NULL;
        if (type != STT_OBJECT || symbol.st_shndx == SHN_UNDEF || !*name ||
            size > UINT64_MAX - start)
            continue;
        bool is_local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL;
        sink(context, &(ser_debug_variable){start, start + size, name, is_local ? file : NULL});
    }
}

/* --- units ---------------------------------------------------------------- */

static int compare_unit_ranges(const void *a, const void *b)
{
    const unit_range *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* Functions that the linker dropped are at 0, where no code can be. */
static bool is_code(uint64_t start, uint64_t end)
{
    return start > 0 && start < end;
}

static void add_unit(ser_debug_info *info, Dwarf_Die *die)
{
    Dwarf_Addr base, start, end;
    unit_range range = {.unit = (uint32_t)info->units.count};
    for (ptrdiff_t next = 0; (next = dwarf_ranges(die, next, &base, &start, &end)) > 0;) {
        range.start = start;
        range.end = end;
        if (is_code(start, end))
            ser_vector_push(&info->ranges, range);
    }
    code_unit unit = {.die = *die};
    ser_vector_push(&info->units, unit);
}

static void read_units(ser_debug_info *info)
{
    info->has_units = true;
    info->dwarf = dwfl_module_getdwarf(info->module, &info->bias);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    uint8_t type;
    while (info->dwarf && dwarf_get_units(info->dwarf, unit, &unit, NULL, &type, &die, NULL) == 0)
        if (type == DW_UT_compile || type == DW_UT_skeleton)
            add_unit(info, &die);
    if (info->ranges.count)
        qsort(info->ranges.items, info->ranges.count, sizeof *info->ranges.items,
              compare_unit_ranges);
}

/* NULL: none that we know of. */
static code_unit *find_unit(ser_debug_info *info, uint64_t address)
{
    size_t low = 0, high = info->ranges.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (info->ranges.items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || info->ranges.items[low - 1].end <= address)
        return NULL;
    return &info->units.items[info->ranges.items[low - 1].unit];
}

/* --- functions ------------------------------------------------------------ */

static bool is_function(Dwarf_Die *die)
{
    int tag = dwarf_tag(die);
    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

static void add_function(code_ranges *functions, Dwarf_Die *die)
{
    Dwarf_Addr base, start, end;
    code_range range = {.parent = NO_RANGE, .function = *die};
    for (ptrdiff_t next = 0; (next = dwarf_ranges(die, next, &base, &start, &end)) > 0;) {
        range.start = start;
        range.end = end;
        if (is_code(start, end))
            ser_vector_push(functions, range);
    }
}

static void add_functions_in(code_ranges *functions, Dwarf_Die *parent, int depth)
{
    Dwarf_Die die;
    if (depth == DEEPEST || dwarf_child(parent, &die) != 0)
        return;
    do {
        if (is_function(&die))
            add_function(functions, &die);
        add_functions_in(functions, &die, depth + 1);
    } while (dwarf_siblingof(&die, &die) == 0);
}

/* Outer ones first: what is inlined comes later in the unit than what it is inlined in. */
static int compare_code_ranges(const void *a, const void *b)
{
    const code_range *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end != y->end)
        return x->end > y->end ? -1 : 1;
    return x->function.addr < y->function.addr ? -1 : x->function.addr > y->function.addr;
}

static void find_parents(code_ranges *functions)
{
    uint32_t open = NO_RANGE;
    for (uint32_t i = 0; i < functions->count; i++) {
        code_range *range = &functions->items[i];
        while (open != NO_RANGE && functions->items[open].end <= range->start)
            open = functions->items[open].parent;
        range->parent = open;
        open = i;
    }
}

static void read_functions(code_unit *unit)
{
    Dwarf_Die all = unit->die, split = {0};
    code_ranges *functions = &unit->functions;
    unit->is_read = true;
    /* Of a unit whose DWARF is in a file of its own (-gsplit-dwarf) only the lines are here. */
    if (dwarf_cu_info(all.cu, NULL, NULL, NULL, &split, NULL, NULL, NULL) == 0 && split.cu)
        all = split;
    add_functions_in(functions, &all, 0);
    if (functions->count)
        qsort(functions->items, functions->count, sizeof *functions->items, compare_code_ranges);
    find_parents(functions);
}

static const code_range *find_function(const code_ranges *functions, uint64_t address)
{
    size_t low = 0, high = functions->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (functions->items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t found = low > 0 ? (uint32_t)(low - 1) : NO_RANGE;
    while (found != NO_RANGE && functions->items[found].end <= address)
        found = functions->items[found].parent;
    return found == NO_RANGE ? NULL : &functions->items[found];
}

static const char *text_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    return dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
}

static const char *name_of(Dwarf_Die function)
{
    const char *name = text_of(&function, DW_AT_linkage_name);
    if (!name)
        name = text_of(&function, DW_AT_MIPS_linkage_name);
    return name ? name : text_of(&function, DW_AT_name);
}

/* --- places --------------------------------------------------------------- */

static void find_in_unit(code_unit *unit, uint64_t address, ser_debug_place *place)
{
    int number = 0;
    Dwarf_Line *line = dwarf_getsrc_die(&unit->die, address);
    if (line && dwarf_lineno(line, &number) == 0 && number > 0) {
        place->file = dwarf_linesrc(line, NULL, NULL);
        place->line = (uint32_t)number;
    }
    if (!unit->is_read)
        read_functions(unit);
    const code_range *function = find_function(&unit->functions, address);
    if (function)
        place->function = name_of(function->function);
}

/* A symbol that ends before the address says nothing about it. */
static const char *find_symbol(ser_debug_info *info, uint64_t address)
{
    GElf_Off offset;
    GElf_Sym symbol;
    const char *name =
        dwfl_module_addrinfo(info->module, address, &offset, &symbol, NULL, NULL, NULL);
    if (!name)
        return NULL;
    unsigned type = GELF_ST_TYPE(symbol.st_info);
    bool is_function_symbol = type == STT_FUNC || type == STT_GNU_IFUNC;
    return is_function_symbol && (symbol.st_size == 0 || offset < symbol.st_size) ? name : NULL;
}

ser_debug_place ser_debug_info_place(ser_debug_info *info, uint64_t address)
{
    ser_debug_place place = {NULL, NULL, 0};
    if (!info->has_units)
        read_units(info);
    code_unit *unit = find_unit(info, address - info->bias);
    if (unit)
        find_in_unit(unit, address - info->bias, &place);
    if (!place.function)
        place.function = find_symbol(info, address);
    return place;
}

/* --- which build it is ------------------------------------------------------------ */

static bool hash_file(const char *path, uint64_t *hash)
{
    unsigned char bytes[1 << 14];
    int fd = open_regular(path);
    ssize_t got = -1;
    *hash = 1;
    while (fd >= 0 && (got = read(fd, bytes, sizeof bytes)) > 0)
        for (ssize_t i = 0; i < got; i++)
            *hash = ser_hash_mix(*hash, bytes[i]);
    if (fd >= 0)
        close(fd);
    return got == 0;
}

bool ser_debug_info_build(const char *path, char text[SER_BUILD_SIZE])
{
    enum { MOST = SER_BUILD_SIZE / 2 - 1 };
    const unsigned char *bits = NULL;
    GElf_Addr address, bias;
    uint64_t hash;
    *text = '\0';
    ser_debug_info *info = ser_debug_info_open(path, 0);
    if (!info)
        return false;
    dwfl_module_getelf(info->module, &bias);
    int size = dwfl_module_build_id(info->module, &bits, &address);
    for (int i = 0; i < size && i < MOST; i++)
        snprintf(text + (ptrdiff_t)2 * i, 3, "%02x", bits[i]);
    ser_debug_info_close(info);
    if (size <= 0 && hash_file(path, &hash))
        snprintf(text, SER_BUILD_SIZE, "hash-%016" PRIx64, hash);
    return *text;
}
