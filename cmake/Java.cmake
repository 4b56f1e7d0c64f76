# SPDX-License-Identifier: MIT
# Java programs: the rewriter of class files, which needs nothing, and the agent inside the virtual
# machine, which needs a JDK of version 17 or later. Without one everything else is built.
file(GLOB classfile_sources CONFIGURE_DEPENDS src/java/classfile/*.c)
add_library(ser_java_classfile STATIC ${classfile_sources})
target_include_directories(ser_java_classfile PUBLIC src)
