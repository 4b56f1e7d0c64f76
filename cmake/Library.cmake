# SPDX-License-Identifier: MIT
# libseriatim, shared and static, from the objects of the folders it is made of.
# The shared one shows only what include/seriatim/seriatim.h marks SERIATIM_API.
set(library_objects)
foreach(folder api session explore replay record report bugs stream predict symbolic witness order monitor trace base)
  list(APPEND library_objects $<TARGET_OBJECTS:ser_${folder}>)
endforeach()

add_library(seriatim_shared SHARED ${library_objects})
add_library(seriatim_static STATIC ${library_objects})
set_target_properties(
  seriatim_shared seriatim_static
  PROPERTIES OUTPUT_NAME seriatim
             LINKER_LANGUAGE C
             VERSION ${PROJECT_VERSION}
             SOVERSION ${PROJECT_VERSION_MAJOR})
target_link_libraries(seriatim_shared PRIVATE PkgConfig::ZSTD ZLIB::ZLIB PkgConfig::Z3 PkgConfig::LIBDW
                                              PkgConfig::XXHASH stdc++)

# The .pc file finds its prefix from where it lies, so that the tree can be moved.
file(RELATIVE_PATH SER_PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${CMAKE_SOURCE_DIR}/cmake/seriatim.pc.in ${CMAKE_BINARY_DIR}/seriatim.pc @ONLY)
