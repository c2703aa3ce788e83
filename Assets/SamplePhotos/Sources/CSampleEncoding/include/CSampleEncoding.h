#ifndef C_SAMPLE_ENCODING_H
#define C_SAMPLE_ENCODING_H

#include <stdint.h>

// What is known of a photo beside its pixels.
typedef struct {
  int width;
  int height;
  // 3 for RGB, 4 for RGBA that is not premultiplied; 8 bits each.
  int bands;
  // The EXIF orientation, 1 to 8.
  int orientation;
  // EXIF DateTimeOriginal, "YYYY:MM:DD HH:MM:SS".
  const char *taken;
} SampleEncodingPhoto;

// Starts libvips; 0 when it did. `program` is argv[0].
int sample_encoding_start(const char *program);

// Writes `width * height * bands` bytes, rows top to bottom, as the file `path`.
// The suffix of `path` names the format and may end in libvips options, as in "lake.jpg[Q=80]".
// Returns 0 when the file is written; vips_error_buffer() then stays empty.
int sample_encoding_write(const uint8_t *pixels, SampleEncodingPhoto photo, const char *path);

#endif
