# SPDX-License-Identifier: MIT
# The plugin of clang that instruments (src/instrument). It is built against the
# LLVM of the clang that will load it, and links to none: clang brings it along.
find_program(SER_LLVM_CONFIG NAMES llvm-config-14 llvm-config
             DOC "llvm-config of the LLVM whose clang does the work of seriatim cc")
set(SER_HAVE_INSTRUMENTER OFF)
set(SER_CLANG "")
if(SER_LLVM_CONFIG)
  foreach(part version includedir bindir)
    execute_process(COMMAND ${SER_LLVM_CONFIG} --${part} OUTPUT_VARIABLE llvm_${part}
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
  endforeach()
  find_program(SER_CLANG_PROGRAM NAMES clang PATHS ${llvm_bindir} NO_DEFAULT_PATH)
  find_file(SER_LLVM_C_HEADER llvm-c/Core.h PATHS ${llvm_includedir} NO_DEFAULT_PATH)
  include(CheckLanguage)
  check_language(CXX)
  if(SER_CLANG_PROGRAM AND SER_LLVM_C_HEADER AND CMAKE_CXX_COMPILER
     AND llvm_version VERSION_GREATER_EQUAL 14)
    set(SER_HAVE_INSTRUMENTER ON)
    set(SER_CLANG ${SER_CLANG_PROGRAM})
  endif()
endif()

string(FIND "${CMAKE_C_FLAGS}" --coverage at)
if(at GREATER_EQUAL 0)
  set(SER_COVERAGE ON)
endif()
if(SER_HAVE_INSTRUMENTER)
  message(STATUS "Instrumenter: for ${SER_CLANG}, LLVM ${llvm_version}")
  enable_language(CXX)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS src/instrument/*.c src/instrument/*.cpp)
  add_library(seriatim_instrument MODULE ${sources} src/base/cxx_names.c src/base/memory.c
                                         src/base/names.c src/base/status.c)
  set_target_properties(seriatim_instrument PROPERTIES PREFIX "" OUTPUT_NAME seriatim-instrument
                                                       CXX_STANDARD 17 CXX_EXTENSIONS OFF)
  target_include_directories(seriatim_instrument PRIVATE src)
  target_include_directories(seriatim_instrument SYSTEM PRIVATE ${llvm_includedir})
  # It lives in a clang that is not built with our sanitizers, nor with RTTI.
  target_compile_options(
    seriatim_instrument
    PRIVATE -fno-sanitize=all
            $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti -fno-exceptions -fvisibility=hidden>)
  target_compile_definitions(seriatim_instrument PRIVATE __STDC_LIMIT_MACROS __STDC_CONSTANT_MACROS
                                                         __STDC_FORMAT_MACROS)
  target_link_options(seriatim_instrument PRIVATE -fno-sanitize=all
                      $<$<BOOL:${SER_COVERAGE}>:--coverage>)
  # CMake adds what C programs of this build link: the sanitizers' libraries, too.
  set(CMAKE_C_IMPLICIT_LINK_LIBRARIES "")
  install(TARGETS seriatim_instrument DESTINATION ${CMAKE_INSTALL_LIBDIR}/seriatim)
else()
  message(WARNING "No LLVM 14 or newer with clang, its headers and a C++ compiler (Debian: "
                  "clang-14 llvm-14-dev g++): seriatim cc and c++ will not instrument. "
                  "SER_LLVM_CONFIG names another llvm-config.")
endif()

# The front ends (src/driver) find the parts from the folder of the program, in a
# build tree and in an installation.
file(RELATIVE_PATH to_libdir /p/${CMAKE_INSTALL_BINDIR} /p/${CMAKE_INSTALL_LIBDIR})
file(RELATIVE_PATH to_includedir /p/${CMAKE_INSTALL_BINDIR} /p/${CMAKE_INSTALL_INCLUDEDIR})
target_compile_definitions(
  ser_driver PRIVATE SER_CLANG="${SER_CLANG}" SER_TO_LIBDIR="${to_libdir}"
                     SER_TO_INCLUDEDIR="${to_includedir}")
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/include ${CMAKE_BINARY_DIR}/include SYMBOLIC)

foreach(name seriatim-cc seriatim-c++)
  add_custom_command(TARGET seriatim POST_BUILD COMMAND ${CMAKE_COMMAND} -E create_symlink seriatim
                                                        $<TARGET_FILE_DIR:seriatim>/${name})
  install(PROGRAMS $<TARGET_FILE_DIR:seriatim>/${name} DESTINATION ${CMAKE_INSTALL_BINDIR})
endforeach()
