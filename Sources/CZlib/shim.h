#include <zlib.h>

/// Calls `deflateInit2`, a macro, which Swift cannot import, with the largest window (32 KB) and
/// the most memory. Returns Z_OK or an error.
static inline int photogrid_deflate_begin(z_streamp stream, int level, int strategy) {
  return deflateInit2(stream, level, Z_DEFLATED, 15, 9, strategy);
}
