/* Producers and consumers with a bounded buffer, without optimisation.
   flags: -O0 */
#include "bounded_buffer.h"
