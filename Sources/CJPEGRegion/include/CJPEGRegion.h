#ifndef CJPEGREGION_H
#define CJPEGREGION_H

#include <stddef.h>
#include <stdint.h>

/// Where a part of a JPEG lies, in pixels of the whole picture as it is scaled.
typedef struct {
  int left, top, width, height;
  /// The scale: 1 to 8 eighths.
  int eighths;
} JPEGRegion;

/// Decodes a part of a JPEG without ever holding more than some rows of the rest, except of a
/// picture that comes in several scans: its coefficients have to be held as a whole.
///
/// Pixels are those that the whole picture has there. RGBA, or CMYK as stored where `is_cmyk`;
/// rows top to bottom, no padding: `width * height * 4` bytes. Where the file ends early they are
/// gray.
///
/// Returns 0, or -1 with the decoder's words in `message`, which has room for 200 bytes. Nothing is
/// decoded that would need more than `most_coefficient_bytes`.
int jpeg_region_decode(const uint8_t *bytes, size_t count, JPEGRegion part, int is_cmyk,
                     size_t most_coefficient_bytes, uint8_t *pixels, char *message);

#endif
