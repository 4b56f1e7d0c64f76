# SPDX-License-Identifier: MIT
# libseriatim-rt, the library that lives inside a user's program. It is optimised in
# every build and never instrumented: what it costs, the program pays.
find_package(Threads REQUIRED)
set(SER_UNINSTRUMENTED -fno-sanitize=all -fno-profile-arcs -fno-test-coverage)

# The core is what any kind of recorded program needs. Another kind than C and C++ links it
# alone, with a ser_the_platform of its own (src/runtime/core/platform.h).
file(GLOB_RECURSE core_sources CONFIGURE_DEPENDS src/runtime/core/*.c)
add_library(ser_runtime_core OBJECT ${core_sources})
file(GLOB_RECURSE other_sources CONFIGURE_DEPENDS src/runtime/posix/*.c src/runtime/elide/*.c
     src/runtime/access/*.c)
add_library(seriatim_rt SHARED ${other_sources} $<TARGET_OBJECTS:ser_runtime_core>)
set_target_properties(seriatim_rt PROPERTIES OUTPUT_NAME seriatim-rt)
foreach(part ser_runtime_core seriatim_rt)
  target_include_directories(${part} PRIVATE src)
  target_compile_options(${part} PRIVATE -O2 -fexceptions -ftls-model=initial-exec
                                         ${SER_UNINSTRUMENTED})
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|amd64|AMD64")
    target_compile_options(${part} PRIVATE -mcx16)
  endif()
endforeach()
target_link_options(seriatim_rt PRIVATE -Wl,-z,defs -Wl,-z,nodelete -Wl,--exclude-libs,ALL ${SER_UNINSTRUMENTED})
