#ifndef CJPEGREGION_H
#define CJPEGREGION_H

#include <stddef.h>
#include <stdint.h>

/// A rectangle of a JPEG, in pixels of the scaled picture, from its top left corner.
typedef struct {
  int left, top, width, height;
  /// The scale: 1 to 8 eighths.
  int eighths;
} JPEGRegion;

/// Decodes a part of a JPEG, of which only a few other rows are held in memory.
///
/// The coefficients of a picture in several scans are all held; the call fails if they take more
/// than `most_coefficient_bytes`.
///
/// The pixels are the same as in the whole picture: RGBA, or with `is_cmyk` CMYK as stored, 8 bits,
/// rows top to bottom, no padding: `width * height * 4` bytes. Beyond the end of a truncated file
/// they are gray.
///
/// Returns 0, or -1 with the decoder's message in `message`, which has room for 200 bytes.
int jpeg_region_decode(const uint8_t *bytes, size_t count, JPEGRegion part, int is_cmyk,
                     size_t most_coefficient_bytes, uint8_t *pixels, char *message);

#endif
