/* Producers and consumers with a bounded buffer, vectorised and unrolled, for this processor.
   flags: -O3 -march=native -funroll-loops -ffast-math -fomit-frame-pointer */
#include "bounded_buffer.h"
