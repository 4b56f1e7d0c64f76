/* SPDX-License-Identifier: MIT */
/*
 * Entries of a unit are walked through for variables: global ones have an address, local ones the
 * function they are in. Types become shapes when a variable has them, each once.
 */
#include "record/naming/debug/shape_reader.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cxx_names.h"
#include "base/names.h"
#include "base/pairmap.h"
#include "record/naming/debug/demangle.h"

enum {
    DEEPEST = 64,
    MOST_ENTRIES = 1 << 21, /* of all files: more would take too long */
    MOST_MEMBERS = 4096,
};

typedef struct shaped_file {
    char *path;
    uint64_t base;
} shaped_file;

typedef struct shaped_names {
    ser_names *names;
    SER_VECTOR(uint32_t) shapes; /* by name; SER_NO_SHAPE: several */
} shaped_names;

struct ser_shape_reader {
    SER_VECTOR(shaped_file) files;
    size_t files_read;
    size_t entries;
    ser_shapes shapes;
    ser_pairmap types;    /* (file, offset of the type) to its shape */
    ser_pairmap globals;  /* (address, 0) to the shape */
    shaped_names locals;  /* "tellers of main()" */
    shaped_names structs; /* "account" */
};

ser_shape_reader *ser_shape_reader_create(void)
{
    ser_shape_reader *reader = ser_alloc(1, sizeof *reader);
    reader->locals.names = ser_names_create();
    reader->structs.names = ser_names_create();
    return reader;
}

void ser_shape_reader_destroy(ser_shape_reader *reader)
{
    if (!reader)
        return;
    for (size_t i = 0; i < reader->files.count; i++)
        free(reader->files.items[i].path);
    ser_vector_free(&reader->files);
    ser_shapes_fini(&reader->shapes);
    ser_pairmap_fini(&reader->types);
    ser_pairmap_fini(&reader->globals);
    ser_names_destroy(reader->locals.names);
    ser_vector_free(&reader->locals.shapes);
    ser_names_destroy(reader->structs.names);
    ser_vector_free(&reader->structs.shapes);
    free(reader);
}

void ser_shape_reader_add(ser_shape_reader *reader, const char *path, uint64_t base)
{
    const shaped_file added = {ser_copy_text(path, strlen(path)), base};
    ser_vector_push(&reader->files, added);
}

static void add_shaped(shaped_names *into, const char *name, uint32_t shape)
{
    uint32_t number = ser_names_add(into->names, name, strlen(name));
    if (number == into->shapes.count)
        ser_vector_push(&into->shapes, shape);
    else if (into->shapes.items[number] != shape)
        into->shapes.items[number] = SER_NO_SHAPE;
}

static uint32_t find_shaped(const shaped_names *in, const char *name, size_t length)
{
    uint32_t number = ser_names_find(in->names, name, length);
    return number == SER_NO_NAME ? SER_NO_SHAPE : in->shapes.items[number];
}

/* --- types ------------------------------------------------------------------ */

/* What an entry is of; false if it says nothing. */
static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type);
}

static bool number_in(Dwarf_Die *die, unsigned name, uint64_t *number)
{
    Dwarf_Attribute attribute;
    Dwarf_Word found;
    if (dwarf_formudata(dwarf_attr(die, name, &attribute), &found) != 0)
        return false;
    *number = found;
    return true;
}

/* Without typedef, const and the like. */
static bool strip(Dwarf_Die *type)
{
    for (int i = 0; i < DEEPEST; i++) {
        int tag = dwarf_tag(type);
        bool is_name = tag == DW_TAG_typedef || tag == DW_TAG_const_type ||
                       tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type ||
                       tag == DW_TAG_atomic_type;
        Dwarf_Die next;
        if (!is_name)
            return true;
        if (!type_of(type, &next))
            return false;
        *type = next;
    }
    return false;
}

static uint32_t shape_of(ser_shape_reader *reader, Dwarf_Die *type, int depth);

static uint64_t size_of(Dwarf_Die *type)
{
    Dwarf_Word size;
    return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

static uint64_t count_of(Dwarf_Die *range)
{
    uint64_t count = 0, last = 0;
    if (number_in(range, DW_AT_count, &count))
        return count;
    return number_in(range, DW_AT_upper_bound, &last) && last < UINT64_MAX ? last + 1 : 0;
}

static ser_shape read_array(ser_shape_reader *reader, Dwarf_Die *type, int depth)
{
    ser_shape made = {.element = SER_NO_SHAPE};
    Dwarf_Die element, child;
    if (!type_of(type, &element) || !strip(&element))
        return made;
    made.element_size = size_of(&element);
    made.element = shape_of(reader, &element, depth + 1);
    if (dwarf_child(type, &child) != 0)
        return made;
    do {
        if (dwarf_tag(&child) == DW_TAG_subrange_type && made.counts.count < DEEPEST)
            ser_vector_push(&made.counts, count_of(&child));
    } while (dwarf_siblingof(&child, &child) == 0);
    return made;
}

/* Bit fields share bytes with others, and static members are not in the structure. */
static void read_member(ser_shape_reader *reader, Dwarf_Die *die, int depth, ser_shape *into)
{
    int tag = dwarf_tag(die);
    Dwarf_Die type;
    ser_shape_member made = {0};
    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || dwarf_hasattr(die, DW_AT_bit_size) ||
        dwarf_hasattr(die, DW_AT_external) ||
        !number_in(die, DW_AT_data_member_location, &made.offset) || !type_of(die, &type) ||
        !strip(&type) || into->members.count == MOST_MEMBERS)
        return;
    const char *name = tag == DW_TAG_member ? dwarf_diename(die) : NULL;
    made.size = size_of(&type);
    made.name = name && *name ? ser_copy_text(name, strlen(name)) : NULL;
    made.shape = shape_of(reader, &type, depth + 1);
    ser_vector_push(&into->members, made);
}

static ser_shape read_structure(ser_shape_reader *reader, Dwarf_Die *type, int depth)
{
    ser_shape made = {0};
    Dwarf_Die child;
    if (dwarf_child(type, &child) != 0)
        return made;
    do
        read_member(reader, &child, depth, &made);
    while (dwarf_siblingof(&child, &child) == 0);
    return made;
}

/* Of a type without names of its own: see strip. */
static uint32_t shape_of(ser_shape_reader *reader, Dwarf_Die *type, int depth)
{
    int tag = dwarf_tag(type);
    bool is_structure = tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
    if (depth == DEEPEST || (!is_structure && tag != DW_TAG_array_type))
        return SER_NO_SHAPE;
    uint32_t fresh = (uint32_t)reader->shapes.list.count;
    uint32_t known =
        *ser_pairmap_add(&reader->types, reader->files_read, dwarf_dieoffset(type), fresh);
    if (known != fresh)
        return known;
    const ser_shape empty = {0};
    ser_vector_push(&reader->shapes.list, empty);
    ser_shape made =
        is_structure ? read_structure(reader, type, depth) : read_array(reader, type, depth);
    reader->shapes.list.items[fresh] = made;
    const char *name = is_structure ? dwarf_diename(type) : NULL;
    if (name && made.members.count)
        add_shaped(&reader->structs, name, fresh);
    return fresh;
}

/* --- variables --------------------------------------------------------------- */

/* True if it has a fixed one. */
static bool address_of(Dwarf_Die *die, uint64_t *address)
{
    Dwarf_Attribute attribute, value;
    Dwarf_Op *code;
    size_t length;
    Dwarf_Addr found;
    if (!dwarf_attr(die, DW_AT_location, &attribute) ||
        dwarf_getlocation(&attribute, &code, &length) != 0 || length != 1)
        return false;
    if (code[0].atom == DW_OP_addr)
        found = code[0].number;
    else if (code[0].atom != DW_OP_addrx ||
             dwarf_getlocation_attr(&attribute, &code[0], &value) != 0 ||
             dwarf_formaddr(&value, &found) != 0)
        return false;
    *address = found;
    return true;
}

static void add_local(ser_shape_reader *reader, const char *name, const char *function,
                      uint32_t shape)
{
    char *text = NULL;
    if (asprintf(&text, "%s of %s()", name, function) < 0)
        ser_out_of_memory(0);
    add_shaped(&reader->locals, text, shape);
    free(text);
}

static void read_variable(ser_shape_reader *reader, Dwarf_Die *die, const char *function)
{
    const char *name = dwarf_diename(die);
    uint64_t address, base = reader->files.items[reader->files_read].base;
    Dwarf_Die type;
    if (!type_of(die, &type) || !strip(&type))
        return;
    uint32_t shape = shape_of(reader, &type, 0);
    Dwarf_Die pointed;
    if (dwarf_tag(&type) == DW_TAG_pointer_type && type_of(&type, &pointed) && strip(&pointed))
        (void)shape_of(reader, &pointed, 0);
    bool is_global = address_of(die, &address);
    if (is_global && shape != SER_NO_SHAPE)
        (void)ser_pairmap_add(&reader->globals, address + base, 0, shape);
    else if (!is_global && function && name)
        add_local(reader, name, function, shape);
}

/* As sites call it. To be freed. */
static char *name_of_function(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    const char *linkage =
        dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
    const char *name = dwarf_diename(die);
    if (linkage) {
        char *whole = ser_demangle(linkage);
        whole[ser_length_without_parameters(whole)] = '\0';
        return whole;
    }
    return name ? ser_copy_text(name, strlen(name)) : NULL;
}

static void read_entries(ser_shape_reader *reader, Dwarf_Die *parent, const char *function,
                         int depth)
{
    Dwarf_Die die;
    if (depth == DEEPEST || dwarf_child(parent, &die) != 0)
        return;
    do {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) {
            read_variable(reader, &die, function);
        } else if (tag == DW_TAG_subprogram) {
            char *name = name_of_function(&die);
            read_entries(reader, &die, name, depth + 1);
            free(name);
        } else if (tag == DW_TAG_namespace || tag == DW_TAG_lexical_block) {
            read_entries(reader, &die, function, depth + 1);
        }
    } while (++reader->entries < MOST_ENTRIES && dwarf_siblingof(&die, &die) == 0);
}

static void read_units(ser_shape_reader *reader, Dwarf *dwarf)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    uint8_t type;
    while (dwarf_get_units(dwarf, unit, &unit, NULL, &type, &die, NULL) == 0) {
        Dwarf_Die split = {0};
        if (type != DW_UT_compile && type != DW_UT_skeleton)
            continue;
        if (dwarf_cu_info(unit, NULL, NULL, NULL, &split, NULL, NULL, NULL) == 0 && split.cu)
            die = split;
        read_entries(reader, &die, NULL, 0);
    }
}

static void read_file(ser_shape_reader *reader, const char *path)
{
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return;
    bool is_regular = fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
    Dwarf *dwarf = is_regular ? dwarf_begin(fd, DWARF_C_READ) : NULL;
    if (dwarf) {
        read_units(reader, dwarf);
        dwarf_end(dwarf);
    }
    close(fd);
}

static void read_files(ser_shape_reader *reader)
{
    for (; reader->files_read < reader->files.count; reader->files_read++)
        if (reader->entries < MOST_ENTRIES)
            read_file(reader, reader->files.items[reader->files_read].path);
}

uint32_t ser_shape_of_global(ser_shape_reader *reader, uint64_t address)
{
    read_files(reader);
    return ser_pairmap_get(&reader->globals, address, 0, SER_NO_SHAPE);
}

uint32_t ser_shape_of_local(ser_shape_reader *reader, const char *name, size_t length)
{
    read_files(reader);
    return find_shaped(&reader->locals, name, length);
}

uint32_t ser_shape_of_type(ser_shape_reader *reader, const char *name, size_t length)
{
    read_files(reader);
    return find_shaped(&reader->structs, name, length);
}

const ser_shapes *ser_shape_reader_shapes(const ser_shape_reader *reader)
{
    return &reader->shapes;
}
