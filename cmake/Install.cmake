# SPDX-License-Identifier: MIT
install(TARGETS seriatim seriatim_shared seriatim_static seriatim_rt)
install(DIRECTORY include/seriatim DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${CMAKE_BINARY_DIR}/seriatim.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(DIRECTORY ${SER_MAN_DIR}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
        FILES_MATCHING PATTERN "*.1")
