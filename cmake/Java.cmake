# SPDX-License-Identifier: MIT
# Java programs: the rewriter of class files, which needs nothing, and the agent inside the virtual
# machine, which needs a JDK of version 17 or later. Without one everything else is built. No sanitizer sees the
# agent, so builds with one have none.
file(GLOB classfile_sources CONFIGURE_DEPENDS src/java/classfile/*.c src/java/classfile/format/*.c)
add_library(ser_java_classfile STATIC ${classfile_sources})
target_include_directories(ser_java_classfile PUBLIC src)

# The recorder looks for the agent.
target_compile_definitions(ser_record PRIVATE SER_TO_LIBDIR="${to_libdir}")

find_package(Java 17 COMPONENTS Development QUIET)
set(SER_HAVE_JAVA OFF)
if(Java_JAVAC_EXECUTABLE AND NOT SER_INSTRUMENTED)
  get_filename_component(java_home ${Java_JAVAC_EXECUTABLE} REALPATH)
  get_filename_component(java_home ${java_home}/../.. ABSOLUTE)
  if(EXISTS ${java_home}/include/jvmti.h)
    set(SER_HAVE_JAVA ON)
  endif()
endif()
if(NOT SER_HAVE_JAVA)
  if(NOT SER_INSTRUMENTED)
    message(STATUS "Java programs cannot be recorded: no JDK 17 was found (openjdk-17-jdk-headless)")
  endif()
  return()
endif()
enable_language(ASM)

# What rewritten classes call are classes of java.lang, whose files are parts of the agent.
set(java_class_dir ${CMAKE_BINARY_DIR}/java-runtime)
set(java_classes ${java_class_dir}/java/lang/Seriatim)
set(java_class_files ${java_classes}.class ${java_classes}$Held.class ${java_classes}Records.class
    ${java_classes}Sync.class ${java_classes}Handles.class ${java_classes}Handles$Cell.class
    ${java_classes}Views.class ${java_classes}Views$Shape.class ${java_classes}Inputs.class
    ${java_classes}Updates.class ${java_classes}Locks.class ${java_classes}Operations.class)
set(java_hooks_dir ${CMAKE_SOURCE_DIR}/src/java/hooks)
set(java_hooks_sources ${java_hooks_dir}/Seriatim.java ${java_hooks_dir}/SeriatimRecords.java
    ${java_hooks_dir}/SeriatimSync.java ${java_hooks_dir}/SeriatimHandles.java
    ${java_hooks_dir}/SeriatimViews.java ${java_hooks_dir}/SeriatimInputs.java
    ${java_hooks_dir}/SeriatimUpdates.java ${java_hooks_dir}/SeriatimLocks.java
    ${java_hooks_dir}/SeriatimOperations.java)
add_custom_command(
  OUTPUT ${java_class_files}
  COMMAND ${Java_JAVAC_EXECUTABLE} -nowarn --patch-module java.base=${java_hooks_dir} -d ${java_class_dir}
          ${java_hooks_sources}
  DEPENDS ${java_hooks_sources}
  VERBATIM)
set_source_files_properties(
  src/java/hooks/runtime_class.S
  PROPERTIES COMPILE_OPTIONS "-I${java_class_dir}/java/lang" OBJECT_DEPENDS "${java_class_files}")

file(GLOB_RECURSE agent_sources CONFIGURE_DEPENDS src/java/agent/*.c)
add_library(seriatim_java SHARED ${agent_sources} ${classfile_sources} src/java/hooks/runtime_class.S
                                 $<TARGET_OBJECTS:ser_runtime_core>)
set_target_properties(seriatim_java PROPERTIES OUTPUT_NAME seriatim-java)
target_include_directories(seriatim_java PRIVATE src)
target_include_directories(seriatim_java SYSTEM PRIVATE ${java_home}/include ${java_home}/include/linux)
target_compile_options(seriatim_java PRIVATE -O2 -ftls-model=initial-exec ${SER_UNINSTRUMENTED})
target_link_libraries(seriatim_java PRIVATE Threads::Threads)
target_link_options(seriatim_java PRIVATE -Wl,-z,defs -Wl,-z,nodelete ${SER_UNINSTRUMENTED})
install(TARGETS seriatim_java)

# The annotation, for programs that want to say what is atomic.
set(java_annotation seriatim/Atomic)
add_custom_command(
  OUTPUT ${CMAKE_BINARY_DIR}/seriatim-annotations.jar
  COMMAND ${Java_JAVAC_EXECUTABLE} -nowarn --release 8 -Xlint:-options -d ${CMAKE_BINARY_DIR}/java-annotations
          ${CMAKE_SOURCE_DIR}/src/java/annotations/${java_annotation}.java
  COMMAND ${Java_JAR_EXECUTABLE} --create --file ${CMAKE_BINARY_DIR}/seriatim-annotations.jar
          -C ${CMAKE_BINARY_DIR}/java-annotations ${java_annotation}.class
  DEPENDS src/java/annotations/${java_annotation}.java)
add_custom_target(seriatim_annotations ALL DEPENDS ${CMAKE_BINARY_DIR}/seriatim-annotations.jar)
install(FILES ${CMAKE_BINARY_DIR}/seriatim-annotations.jar DESTINATION ${CMAKE_INSTALL_DATADIR}/java)
