/* SPDX-License-Identifier: MIT */
#include "report/dossier/details.h"

#include <string.h>

#include "bugs/own_code.h"

static bool names_variable(const ser_event *event)
{
    return ser_op_space((ser_op)event->op) == SER_SPACE_VARIABLE && event->object != SER_NO_OBJECT;
}

/* Those that no second thread uses. */
static void find_private(bool *of_variable, const ser_run *run, uint32_t count)
{
    enum { NOBODY = 0, SEVERAL = UINT32_MAX };
    uint32_t *user = ser_alloc(count + 1, sizeof *user); /* its number plus 1 */
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if (!names_variable(event))
            continue;
        uint32_t *known = &user[event->object], own = event->thread + 1;
        *known = *known == NOBODY || *known == own ? own : SEVERAL;
    }
    for (uint32_t i = 0; i < count; i++)
        of_variable[i] = user[i] != SEVERAL;
    free(user);
}

void ser_details_find(ser_details *details, const ser_run *run, const ser_plain_names *names)
{
    uint32_t variables = ser_symbols_count(run->symbols, SER_SPACE_VARIABLE);
    uint32_t sites = ser_symbols_site_count(run->symbols);
    details->of_variable = ser_alloc(variables + 1, sizeof(bool));
    details->of_site = ser_alloc(sites + 1, sizeof(bool));
    find_private(details->of_variable, run, variables);
    for (uint32_t i = 0; i < variables; i++) {
        if (details->of_variable[i])
            continue;
        const char *name = ser_plain_name(names, SER_SPACE_VARIABLE, i);
        details->of_variable[i] = ser_own_name_length(name) < strlen(name);
    }
    for (uint32_t i = 0; i < sites; i++)
        details->of_site[i] = ser_is_library_place(ser_symbols_location(run->symbols, i));
}

void ser_details_fini(ser_details *details)
{
    free(details->of_variable);
    free(details->of_site);
}

bool ser_is_detail(const ser_details *details, const ser_event *event)
{
    return names_variable(event) && (details->of_variable[event->object] ||
                                     (event->site != SER_NO_SITE && details->of_site[event->site]));
}
