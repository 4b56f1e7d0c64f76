/* SPDX-License-Identifier: MIT */
#include "runtime/access/globals.h"

#include <link.h>
#include <string.h>

struct ser_globals ser_globals;

/* The first module is the program itself. */
static int find_data(struct dl_phdr_info *module, size_t size, void *unused)
{
    (void)size, (void)unused;
    for (int i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &module->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_W))
            continue;
        ser_globals.start = module->dlpi_addr + segment->p_vaddr;
        ser_globals.size =
            segment->p_memsz < SER_GLOBALS_MOST ? segment->p_memsz : SER_GLOBALS_MOST;
    }
    return 1;
}

void ser_globals_locate(void)
{
    dl_iterate_phdr(find_data, 0);
}

void ser_globals_record_held(ser_thread *me, const void *address, uint32_t size)
{
    uintptr_t byte = (uintptr_t)address - ser_globals.start;
    uint64_t held = 0;
    ser_globals.written[byte / 8] |= (uint8_t)(1 << byte % 8);
    if (size > sizeof held)
        return;
    memcpy(&held, address, size);
    ser_put_raw(me, (uintptr_t)address, held, ser_tag(SER_RAW_HELD, size, 0));
}
