/* SPDX-License-Identifier: MIT */
#include "record/naming/debug/demangle.h"

#include <stdlib.h>
#include <string.h>

#include "base/cxx_names.h"
#include "base/memory.h"

/* Of the C++ library, by the ABI of C++; C has no header for it. The result is from malloc. */
extern char *__cxa_demangle(const char *name, char *room, size_t *size, int *status);

char *ser_demangle(const char *name)
{
    char *plain = strncmp(name, "_Z", 2) == 0 ? __cxa_demangle(name, NULL, NULL, NULL) : NULL;
    char *result = plain && *plain ? plain : NULL;
    if (!result)
        free(plain);
    else
        ser_drop_abi_tags(result);
    return result ? result : ser_copy_text(name, strlen(name));
}
