#include "CSampleEncoding.h"

#include <vips/vips.h>

int sample_encoding_start(const char *program) {
  return VIPS_INIT(program);
}

int sample_encoding_write(const uint8_t *pixels, SampleEncodingPhoto photo, const char *path) {
  size_t length = (size_t)photo.width * (size_t)photo.height * (size_t)photo.bands;
  VipsImage *raw = vips_image_new_from_memory(
      pixels, length, photo.width, photo.height, photo.bands, VIPS_FORMAT_UCHAR);
  if (raw == NULL) return -1;

  // Without an interpretation a fourth band is not known to be alpha.
  VipsImage *image = NULL;
  int failed = vips_copy(raw, &image, "interpretation", VIPS_INTERPRETATION_sRGB, NULL);
  g_object_unref(raw);
  if (failed) return -1;

  vips_image_set_int(image, VIPS_META_ORIENTATION, photo.orientation);
  vips_image_set_string(image, "exif-ifd2-DateTimeOriginal", photo.taken);
  failed = vips_image_write_to_file(image, path, NULL);
  g_object_unref(image);
  return failed;
}
