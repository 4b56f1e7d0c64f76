/* SPDX-License-Identifier: MIT */
/*
 * Reads .symtab, or .dynsym of a file that was stripped: symbols of data objects.
 * In .symtab, the local symbols of a source file follow a symbol with its name.
 */
#include "record/naming/elf_symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/names.h"
#include "record/naming/tool.h"

typedef struct elf_file {
    uint8_t *bytes;
    uint64_t size;
} elf_file;

/* Bytes of the file, if they are in it and aligned as their type needs. */
static const void *part_of(const elf_file *file, uint64_t offset, uint64_t size)
{
    bool inside = offset <= file->size && size <= file->size - offset && offset % 8 == 0;
    return inside ? file->bytes + offset : NULL;
}

static bool map_file(elf_file *file, const char *path)
{
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    void *bytes = MAP_FAILED;
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0)
        bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (bytes == MAP_FAILED)
        return false;
    *file = (elf_file){bytes, (uint64_t)about.st_size};
    return true;
}

/* The section headers; NULL if this is no 64-bit ELF file of this kind of machine. */
static const Elf64_Shdr *find_sections(const elf_file *file, uint64_t *count)
{
    const Elf64_Ehdr *header = part_of(file, 0, sizeof *header);
    if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
        header->e_shentsize != sizeof(Elf64_Shdr))
        return NULL;
    *count = header->e_shnum;
    return part_of(file, header->e_shoff, *count * sizeof(Elf64_Shdr));
}

static const Elf64_Shdr *find_table(const elf_file *file, uint64_t *section_count,
                                    const Elf64_Shdr **sections)
{
    const Elf64_Shdr *dynamic = NULL;
    *sections = find_sections(file, section_count);
    for (uint64_t i = 0; *sections && i < *section_count; i++) {
        if ((*sections)[i].sh_type == SHT_SYMTAB)
            return &(*sections)[i];
        if ((*sections)[i].sh_type == SHT_DYNSYM)
            dynamic = &(*sections)[i];
    }
    return dynamic;
}

static const char *name_at(const char *names, uint64_t size, uint32_t offset)
{
    return offset < size && memchr(names + offset, '\0', size - offset) ? names + offset : "";
}

static void add_symbol(ser_elf_symbols *symbols, const Elf64_Sym *symbol, const char *name,
                       const char *file, uint64_t base)
{
    uint64_t start = base + symbol->st_value, size = symbol->st_size ? symbol->st_size : 1;
    bool local = ELF64_ST_BIND(symbol->st_info) == STB_LOCAL;
    if (!*name || size > UINT64_MAX - start)
        return;
    ser_elf_symbol added = {start, start + size, ser_copy_text(name, strlen(name)),
                            local && *file ? ser_copy_text(file, strlen(file)) : NULL};
    ser_vector_push(&symbols->list, added);
}

static void add_table(ser_elf_symbols *symbols, const Elf64_Sym *table, uint64_t count,
                      const char *names, uint64_t names_size, uint64_t base)
{
    const char *file = "";
    for (uint64_t i = 0; i < count; i++) {
        unsigned type = ELF64_ST_TYPE(table[i].st_info);
        const char *name = name_at(names, names_size, table[i].st_name);
        if (type == STT_FILE)
            file = name;
        else if (type == STT_OBJECT && table[i].st_shndx != SHN_UNDEF)
            add_symbol(symbols, &table[i], name, file, base);
    }
}

static bool add_file(ser_elf_symbols *symbols, const elf_file *file, uint64_t base)
{
    const Elf64_Shdr *sections;
    uint64_t section_count = 0;
    const Elf64_Shdr *table = find_table(file, &section_count, &sections);
    if (!table || table->sh_link >= section_count)
        return false;
    const Elf64_Shdr *strings = &sections[table->sh_link];
    const Elf64_Sym *entries = part_of(file, table->sh_offset, table->sh_size);
    bool inside =
        strings->sh_offset <= file->size && strings->sh_size <= file->size - strings->sh_offset;
    if (!entries || !inside)
        return false;
    add_table(symbols, entries, table->sh_size / sizeof *entries,
              (const char *)file->bytes + strings->sh_offset, strings->sh_size, base);
    return true;
}

bool ser_elf_symbols_add(ser_elf_symbols *symbols, const char *path, uint64_t base)
{
    elf_file file;
    if (!map_file(&file, path))
        return false;
    bool read = add_file(symbols, &file, base);
    munmap(file.bytes, file.size);
    return read;
}

/* --- names ---------------------------------------------------------------- */

static bool is_mangled(const char *name)
{
    return strncmp(name, "_Z", 2) == 0;
}

static void demangle(ser_elf_symbols *symbols)
{
    ser_tool_lines ask = {0}, answer = {0};
    for (size_t i = 0; i < symbols->list.count; i++)
        if (is_mangled(symbols->list.items[i].name))
            ser_tool_add(&ask, symbols->list.items[i].name);
    char *const command[] = {"c++filt", NULL};
    bool answered = ask.text.count > 0 && ser_tool_run(command, &ask, &answer);
    for (size_t i = 0; answered && i < symbols->list.count; i++) {
        ser_elf_symbol *symbol = &symbols->list.items[i];
        const char *line = is_mangled(symbol->name) ? ser_tool_next(&answer) : NULL;
        if (line && *line) {
            free(symbol->name);
            symbol->name = ser_copy_text(line, strlen(line));
        }
    }
    ser_tool_lines_fini(&ask);
    ser_tool_lines_fini(&answer);
}

static void extend_name(ser_elf_symbol *symbol, const char *before, const char *more,
                        const char *after)
{
    char *old = symbol->name;
    size_t length = strlen(old) + strlen(before) + strlen(more) + strlen(after) + 1;
    symbol->name = ser_alloc(length, 1);
    snprintf(symbol->name, length, "%s%s%s%s", old, before, more, after);
    free(old);
}

/* The first of a name keeps it; the order is that of addresses. */
static void make_unique(ser_elf_symbols *symbols)
{
    ser_names *taken = ser_names_create();
    for (size_t i = 0; i < symbols->list.count; i++) {
        ser_elf_symbol *symbol = &symbols->list.items[i];
        uint32_t before = ser_names_count(taken);
        if (ser_names_add(taken, symbol->name, strlen(symbol->name)) == before)
            continue;
        if (symbol->file)
            extend_name(symbol, " (", symbol->file, ")");
        if (ser_names_add(taken, symbol->name, strlen(symbol->name)) == before)
            continue;
        char number[24];
        snprintf(number, sizeof number, "%zu", i);
        extend_name(symbol, "~", number, "");
        ser_names_add(taken, symbol->name, strlen(symbol->name));
    }
    ser_names_destroy(taken);
}

/* By address; of several names of a place the widest, and then the first by name, is first. */
static int compare_symbols(const void *a, const void *b)
{
    const ser_elf_symbol *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end != y->end)
        return x->end > y->end ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void free_symbol(ser_elf_symbol *symbol)
{
    free(symbol->name);
    free(symbol->file);
}

static void drop_aliases(ser_elf_symbols *symbols)
{
    size_t kept = 0;
    for (size_t i = 0; i < symbols->list.count; i++) {
        ser_elf_symbol *symbol = &symbols->list.items[i];
        if (kept > 0 && symbol->start < symbols->list.items[kept - 1].end)
            free_symbol(symbol);
        else
            symbols->list.items[kept++] = *symbol;
    }
    symbols->list.count = kept;
}

void ser_elf_symbols_ready(ser_elf_symbols *symbols)
{
    if (symbols->list.count == 0)
        return;
    qsort(symbols->list.items, symbols->list.count, sizeof *symbols->list.items, compare_symbols);
    drop_aliases(symbols);
    demangle(symbols);
    make_unique(symbols);
}

void ser_elf_symbols_fini(ser_elf_symbols *symbols)
{
    for (size_t i = 0; i < symbols->list.count; i++)
        free_symbol(&symbols->list.items[i]);
    ser_vector_free(&symbols->list);
}

const ser_elf_symbol *ser_elf_symbols_find(const ser_elf_symbols *symbols, uint64_t address)
{
    size_t low = 0, high = symbols->list.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (symbols->list.items[middle].end > address)
            high = middle;
        else
            low = middle + 1;
    }
    if (low == symbols->list.count || symbols->list.items[low].start > address)
        return NULL;
    return &symbols->list.items[low];
}
