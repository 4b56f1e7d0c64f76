/* SPDX-License-Identifier: MIT */
/*
 * Found before libstdc++'s own header of this name, which it includes: without the declarations that
 * leave the members of std::string to the compiled library. So they are instantiated in the
 * program, and what they access is recorded. libstdc++ does the same with _GLIBCXX_ASSERTIONS, and
 * from C++20 on.
 */
#pragma GCC system_header
#pragma push_macro("_GLIBCXX_EXTERN_TEMPLATE")
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#include_next <bits/basic_string.tcc>
#pragma pop_macro("_GLIBCXX_EXTERN_TEMPLATE")
