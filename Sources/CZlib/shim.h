#include <zlib.h>

/// deflateInit2 with the widest window and the most memory: a macro, which Swift cannot import.
static inline int photogrid_deflate_begin(z_streamp stream, int level, int strategy) {
  return deflateInit2(stream, level, Z_DEFLATED, 15, 9, strategy);
}
