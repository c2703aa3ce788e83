// This is in C because libpng reports errors through a function that must not return and is left by
// longjmp, which Swift cannot call. Its simplified functions return errors, but choose filters and
// strategy themselves.
#include "CPNG.h"

#include <setjmp.h>
#include <string.h>
#include <zlib.h>

struct file {
  uint8_t *bytes;
  size_t count, capacity;
};

static void append(png_structp png, png_bytep bytes, size_t count) {
  struct file *file = png_get_io_ptr(png);
  if (count > file->capacity - file->count) png_error(png, "no room");
  memcpy(file->bytes + file->count, bytes, count);
  file->count += count;
}

static void flush(png_structp png) { (void)png; }

static void leave(png_structp png, png_const_charp message) {
  (void)message;
  png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

size_t png_encode(const uint8_t *pixels, uint32_t width, uint32_t height, int is_opaque,
                  uint8_t *bytes, size_t capacity) {
  struct file file = { bytes, 0, capacity };
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, leave, ignore);
  if (!png) return 0;
  png_infop info = png_create_info_struct(png);
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return 0;
  }
  if (!info) png_error(png, "no memory");
  png_set_write_fn(png, &file, append, flush);
  png_set_IHDR(png, info, width, height, 8, is_opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGBA,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  // Bytes of photos rarely repeat, so looking for repetitions doubles the time and saves nothing.
  // Runs of the same byte, which take no search, make up for it in drawings.
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
  png_set_compression_level(png, Z_BEST_SPEED);
  png_set_compression_strategy(png, Z_RLE);
  png_write_info(png, info);
  if (is_opaque) png_set_filler(png, 0, PNG_FILLER_AFTER);
  for (uint32_t row = 0; row < height; row++)
    png_write_row(png, pixels + (size_t)row * width * 4);
  png_write_end(png, NULL);
  png_destroy_write_struct(&png, &info);
  return file.count;
}
