/* SPDX-License-Identifier: MIT */
/*
 * The library that unwinds the stack has locks and a pthread_once of its own, for its own
 * tables. That two threads throw orders nothing that the program sees; recorded, it would
 * make blocks that throw look interleaved. So what lies in that library's data is left
 * to the C library.
 */
#include <link.h>
#include <string.h>

#include "runtime/posix/sync/sync.h"

static struct {
    uintptr_t start, size;
} data;

static int look_at(struct dl_phdr_info *module, size_t size, void *unused)
{
    (void)size, (void)unused;
    if (!module->dlpi_name || !strstr(module->dlpi_name, "/libgcc_s.so"))
        return 0;
    for (int i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &module->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_W)) {
            data.start = module->dlpi_addr + part->p_vaddr;
            data.size = part->p_memsz;
        }
    }
    return 1;
}

void ser_unwinder_find(void)
{
    dl_iterate_phdr(look_at, 0);
}

ser_thread *ser_enter_object_recorded(const void *object)
{
    return (uintptr_t)object - data.start < data.size ? 0 : ser_enter_sync();
}
