/* SPDX-License-Identifier: MIT */
/*
 * The table of libstdc++'s compiled functions: one row each, named as the compiler names them.
 */
#include "instrument/accesses/library/table.h"

/* A std::string that is filled: the object, and the characters. */
#define FILLS(argument) W(argument, CONSTANT, 32), W(SER_TO_STRING, HELD, argument)

const ser_library_function ser_library_of_cxx[] = {
    {F("_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE", 3),
     DOES(R(1, CONSTANT, 8), W(1, CONSTANT, 8))},
    {F("_ZNSt6thread4joinEv", 1), DOES(W(0, CONSTANT, 8))},
    {F("_ZNSt6thread6detachEv", 1), DOES(W(0, CONSTANT, 8))},

    {F("_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", 2), DOES(R(1, STRING, 1))},
    {F("_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l", 3),
     DOES(R(1, ARGUMENT, 2))},
    {F("_ZNSo5writeEPKcl", 3), DOES(R(1, ARGUMENT, 2))},
    {F("_ZNSi3getERc", 2), DOES(W(1, CONSTANT, 1))},
    {F("_ZNSi7getlineEPcl", 3), DOES(W(1, FILLED, 0))},
    {F("_ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_", 2), DOES(W(1, CONSTANT, 1))},
    {F("_ZNSirsERb", 2), DOES(W(1, CONSTANT, 1))},
    {F("_ZNSirsERt", 2), DOES(W(1, CONSTANT, 2))},
    {F("_ZNSirsERj", 2), DOES(W(1, CONSTANT, 4))},
    {F("_ZNSirsERl", 2), DOES(W(1, CONSTANT, 8))},
    {F("_ZNSirsERm", 2), DOES(W(1, CONSTANT, 8))},
    {F("_ZNSirsERx", 2), DOES(W(1, CONSTANT, 8))},
    {F("_ZNSirsERy", 2), DOES(W(1, CONSTANT, 8))},
    {F("_ZNSirsERf", 2), DOES(W(1, CONSTANT, 4))},
    {F("_ZNSirsERd", 2), DOES(W(1, CONSTANT, 8))},

    /* std::istream::operator>>, and what most of them call, by the type of what is read */
    {F("_ZNSirsERs", 2), DOES(W(1, CONSTANT, 2))},
    {F("_ZNSirsERi", 2), DOES(W(1, CONSTANT, 4))},
    {F("_ZNSi10_M_extractIbEERSiRT_", 2), DOES(W(1, CONSTANT, 1))},
    {F("_ZNSi10_M_extractItEERSiRT_", 2), DOES(W(1, CONSTANT, 2))},
    {F("_ZNSi10_M_extractIjEERSiRT_", 2), DOES(W(1, CONSTANT, 4))},
    {F("_ZNSi10_M_extractIlEERSiRT_", 2), DOES(W(1, CONSTANT, 8))},
    {F("_ZNSi10_M_extractImEERSiRT_", 2), DOES(W(1, CONSTANT, 8))},
    {F("_ZNSi10_M_extractIxEERSiRT_", 2), DOES(W(1, CONSTANT, 8))},
    {F("_ZNSi10_M_extractIyEERSiRT_", 2), DOES(W(1, CONSTANT, 8))},
    {F("_ZNSi10_M_extractIfEERSiRT_", 2), DOES(W(1, CONSTANT, 4))},
    {F("_ZNSi10_M_extractIdEERSiRT_", 2), DOES(W(1, CONSTANT, 8))},

    /* std::getline with and without an end of its own, and operator>> of a string */
    {F("_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T"
       "0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE",
       2),
     DOES(FILLS(1))},
    {F("_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T"
       "0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_",
       3),
     DOES(FILLS(1))},
    {F("_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_"
       "RNSt7__cxx1112basic_stringIS4_S5_T1_EE",
       2),
     DOES(FILLS(1))},
    {0},
};
