/* SPDX-License-Identifier: MIT */
#include "report/dossier_formats.h"

#define SER_X(name, file, suffix, help)                                                            \
    static const ser_dossier_format format_##name = {#name, file, suffix, ser_dossier_write_##name};
SER_DOSSIER_FORMATS(SER_X)
#undef SER_X

const ser_dossier_format *const ser_dossier_formats[] = {
#define SER_X(name, file, suffix, help) &format_##name,
    SER_DOSSIER_FORMATS(SER_X)
#undef SER_X
        NULL,
};

const ser_dossier_format *ser_dossier_format_by_name(const char *name)
{
    for (size_t i = 0; ser_dossier_formats[i]; i++)
        if (strcmp(ser_dossier_formats[i]->name, name) == 0)
            return ser_dossier_formats[i];
    return NULL;
}

const ser_dossier_format *ser_dossier_format_of_file(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; ser_dossier_formats[i]; i++) {
        size_t end = strlen(ser_dossier_formats[i]->suffix);
        if (length >= end && strcmp(path + length - end, ser_dossier_formats[i]->suffix) == 0)
            return ser_dossier_formats[i];
    }
    return NULL;
}
