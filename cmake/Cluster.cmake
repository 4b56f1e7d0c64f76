# SPDX-License-Identifier: MIT
# seriatim-mpi, if there is an MPI (Debian: libopenmpi-dev or libmpich-dev). Nothing else needs it.
# MPI does not free all it allocates, which sanitizers would report.
find_package(MPI COMPONENTS C QUIET)
if(MPI_C_FOUND AND NOT SER_INSTRUMENTED)
  file(GLOB cluster_sources CONFIGURE_DEPENDS src/cluster/*.c)
  set(cluster_cli ${cli_sources})
  list(FILTER cluster_cli EXCLUDE REGEX "/cli/main\\.c$")
  add_executable(seriatim-mpi ${cluster_sources} ${cluster_cli})
  target_link_libraries(seriatim-mpi PRIVATE ser_session ser_driver MPI::MPI_C)
  install(TARGETS seriatim-mpi)
endif()
