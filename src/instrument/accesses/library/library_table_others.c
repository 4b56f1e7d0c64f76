/* SPDX-License-Identifier: MIT */
/*
 * The table of functions of other libraries whose objects programs share between threads:
 * containers of GLib. Such a container is one variable: its first bytes stand for all that it
 * keeps.
 */
#include "instrument/accesses/library/table.h"

#define LOOKS(text, least)                                                                         \
    {                                                                                              \
        F(text, least), DOES(R(0, CONSTANT, 8))                                                    \
    }
#define CHANGES(text, least)                                                                       \
    {                                                                                              \
        F(text, least), DOES(RW(0, CONSTANT, 8))                                                   \
    }
#define GROWS(text, least)                                                                         \
    {                                                                                              \
        F(text, least), DOES(RW(0, CONSTANT, 12))                                                  \
    }

const ser_library_function ser_library_of_others[] = {
    LOOKS("g_hash_table_lookup", 2),
    LOOKS("g_hash_table_lookup_extended", 4),
    LOOKS("g_hash_table_contains", 2),
    LOOKS("g_hash_table_size", 1),
    LOOKS("g_hash_table_foreach", 3),
    LOOKS("g_hash_table_find", 3),
    LOOKS("g_hash_table_get_keys", 1),
    LOOKS("g_hash_table_get_values", 1),
    CHANGES("g_hash_table_insert", 3),
    CHANGES("g_hash_table_replace", 3),
    CHANGES("g_hash_table_add", 2),
    CHANGES("g_hash_table_remove", 2),
    CHANGES("g_hash_table_remove_all", 1),
    CHANGES("g_hash_table_steal", 2),
    CHANGES("g_hash_table_steal_all", 1),
    CHANGES("g_hash_table_foreach_remove", 3),

    LOOKS("g_tree_lookup", 2),
    LOOKS("g_tree_lookup_extended", 4),
    LOOKS("g_tree_nnodes", 1),
    LOOKS("g_tree_foreach", 3),
    CHANGES("g_tree_insert", 3),
    CHANGES("g_tree_replace", 3),
    CHANGES("g_tree_remove", 2),

    /* head, tail and length; data and length */
    {F("g_queue_is_empty", 1), DOES(R(0, CONSTANT, 20))},
    {F("g_queue_get_length", 1), DOES(R(0, CONSTANT, 20))},
    {F("g_queue_peek_head", 1), DOES(R(0, CONSTANT, 20))},
    {F("g_queue_peek_tail", 1), DOES(R(0, CONSTANT, 20))},
    {F("g_queue_push_head", 2), DOES(RW(0, CONSTANT, 20))},
    {F("g_queue_push_tail", 2), DOES(RW(0, CONSTANT, 20))},
    {F("g_queue_pop_head", 1), DOES(RW(0, CONSTANT, 20))},
    {F("g_queue_pop_tail", 1), DOES(RW(0, CONSTANT, 20))},
    GROWS("g_ptr_array_add", 2),
    GROWS("g_ptr_array_remove", 2),
    GROWS("g_ptr_array_remove_index", 2),
    GROWS("g_ptr_array_remove_index_fast", 2),
    GROWS("g_array_append_vals", 3),
    GROWS("g_array_remove_index", 2),
    GROWS("g_array_remove_index_fast", 2),
    GROWS("g_array_set_size", 2),
    {0},
};
