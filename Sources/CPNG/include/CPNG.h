#ifndef CPNG_H
#define CPNG_H

#include <png.h>
#include <stddef.h>
#include <stdint.h>

// Swift cannot import macros that cast.
static const unsigned photogrid_png_rgba = PNG_FORMAT_RGBA;

/// Encodes a picture as a PNG file, of which the header is the first 33 bytes.
///
/// The pixels are RGBA, 8 bits, not premultiplied, rows top to bottom, no padding. Alpha is left out
/// if the picture is opaque.
///
/// Returns the number of bytes written to `file`, or 0 if they exceed `capacity`, memory runs out, or a
/// side is 0 or too long for the format.
size_t png_encode(const uint8_t *pixels, uint32_t width, uint32_t height, int is_opaque,
                  uint8_t *file, size_t capacity);

#endif
