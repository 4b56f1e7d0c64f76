# SPDX-License-Identifier: MIT
# The program prints its own manual pages from its tables of options.
set(SER_MAN_DIR ${CMAKE_BINARY_DIR}/man)
add_custom_command(
  OUTPUT ${SER_MAN_DIR}/seriatim.1
  COMMAND sh ${CMAKE_SOURCE_DIR}/tools/man-pages $<TARGET_FILE:seriatim> ${SER_MAN_DIR}
  DEPENDS seriatim ${CMAKE_SOURCE_DIR}/tools/man-pages
  COMMENT "Printing the manual pages")
add_custom_target(man ALL DEPENDS ${SER_MAN_DIR}/seriatim.1)
