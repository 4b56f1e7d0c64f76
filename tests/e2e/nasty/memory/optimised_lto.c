/* Producers and consumers with a bounded buffer, optimised for size when linked.
   flags: -Os -flto */
#include "bounded_buffer.h"
