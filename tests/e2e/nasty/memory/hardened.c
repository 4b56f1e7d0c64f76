/* Producers and consumers with a bounded buffer, with what distributions use to harden programs.
   flags: -O2 -D_FORTIFY_SOURCE=2 -fstack-protector-all -fstack-clash-protection -fcf-protection
   -fPIE -pie -Wl,-z,relro,-z,now */
#include "bounded_buffer.h"
