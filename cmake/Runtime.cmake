# SPDX-License-Identifier: MIT
# libseriatim-rt, the library that lives inside a user's program. It is optimised in
# every build and never instrumented: what it costs, the program pays.
find_package(Threads REQUIRED)
file(GLOB runtime_sources CONFIGURE_DEPENDS src/runtime/*.c)
add_library(seriatim_rt SHARED ${runtime_sources})
set_target_properties(seriatim_rt PROPERTIES OUTPUT_NAME seriatim-rt)
target_include_directories(seriatim_rt PRIVATE src)
set(SER_UNINSTRUMENTED -fno-sanitize=all -fno-profile-arcs -fno-test-coverage)
target_compile_options(seriatim_rt PRIVATE -O2 -fexceptions -ftls-model=initial-exec
                                           ${SER_UNINSTRUMENTED})
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|amd64|AMD64")
  target_compile_options(seriatim_rt PRIVATE -mcx16)
endif()
target_link_options(seriatim_rt PRIVATE -Wl,-z,defs -Wl,-z,nodelete -Wl,--exclude-libs,ALL ${SER_UNINSTRUMENTED})
