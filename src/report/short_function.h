/* SPDX-License-Identifier: MIT */
/*
 * short_function.h - names of C++ functions as people want to read them in a sentence.
 *
 * Template arguments of containers go on for lines: "std::_Hashtable<std::string, ...six
 * lines...>".
 */
#ifndef SER_REPORT_SHORT_FUNCTION_H
#define SER_REPORT_SHORT_FUNCTION_H

/* The name with ".." in the place of long template arguments: "std::_Hashtable<..>::find". Those of
 * a few words stay. To be freed. */
char *ser_short_function(const char *name);

#endif
