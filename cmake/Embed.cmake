# SPDX-License-Identifier: MIT
# Files as arrays of C, so that the program needs none of them when it runs:
#     ser_embed(TARGET NAME FILES...)
# gives the target `const char NAME[]`, the files one after another, and `const size_t NAME_size`.
# As a script (cmake -P), with -DNAME, -DOUTPUT and -DFILES, it writes the source.
if(CMAKE_SCRIPT_MODE_FILE)
  set(bytes "")
  string(REPLACE "|" ";" FILES "${FILES}")
  foreach(file ${FILES})
    file(READ ${file} more HEX)
    string(APPEND bytes "${more}")
  endforeach()
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  file(WRITE ${OUTPUT} "#include <stddef.h>\n\
extern const char ${NAME}[];\nextern const size_t ${NAME}_size;\n\
const char ${NAME}[] = {\n${bytes}\n};\nconst size_t ${NAME}_size = sizeof ${NAME};\n")
  return()
endif()

function(ser_embed target name)
  set(files "")
  foreach(file ${ARGN})
    list(APPEND files ${CMAKE_SOURCE_DIR}/${file})
  endforeach()
  set(output ${CMAKE_BINARY_DIR}/embedded/${name}.c)
  string(REPLACE ";" "|" list "${files}")
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DOUTPUT=${output} "-DFILES=${list}" -P
            ${CMAKE_SOURCE_DIR}/cmake/Embed.cmake
    DEPENDS ${files} ${CMAKE_SOURCE_DIR}/cmake/Embed.cmake
    COMMENT "Embedding ${name}"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
