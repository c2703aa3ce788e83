#include <dlfcn.h>
#include <gmodule.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <vips/vips.h>
#include <vips/vector.h>

// Swift cannot import functions with variable arguments: each call that the worker makes has a
// wrapper here with the options that it uses.

/// The library that has an address, as `dladdr` finds it. <dlfcn.h> declares that only with a macro that
/// changes types of other modules.
struct photogrid_library {
  const char *file;
  void *start;
  const char *symbol;
  void *address;
};
extern int photogrid_find_library(const void *address, struct photogrid_library *library)
    __asm__("dladdr");

/// Loads a module of libvips by its name, such as "heif", from the folder beside the library. Returns 0, or
/// -1 if it is not installed.
static inline int photogrid_load_module(const char *name) {
  struct photogrid_library library;
  char path[PATH_MAX];
  void *start = dlsym(NULL, "vips_init");
  if (!start || !photogrid_find_library(start, &library)) return -1;
  const char *end = strrchr(library.file, '/');
  int length = snprintf(
      path, sizeof path, "%.*s/vips-modules-%d.%d/vips-%s.so", end ? (int)(end - library.file) : 0,
      library.file, vips_version(0), vips_version(1), name);
  if (length >= (int)sizeof path) return -1;
  return g_module_open(path, G_MODULE_BIND_LAZY) ? 0 : -1;
}

/// Loads the first page of a PNG; the caller names the one loader that the first bytes allow.
static inline int photogrid_load_png(VipsSource *source, VipsImage **out, VipsFailOn fail_on) {
  return vips_pngload_source(
      source, out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
}

/// Loads `count` frames from `page` on, one below the other.
static inline int photogrid_load_gif(
    VipsSource *source, VipsImage **out, VipsFailOn fail_on, int page, int count) {
  return vips_gifload_source(
      source, out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, "page", page,
      "n", count, NULL);
}

/// Loads the first frame; a `scale` below 1 decodes it at a smaller size.
static inline int photogrid_load_webp(
    VipsSource *source, VipsImage **out, VipsFailOn fail_on, double scale) {
  return vips_webpload_source(
      source, out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, "n", 1,
      "scale", scale, NULL);
}

static inline int photogrid_load_tiff(VipsSource *source, VipsImage **out, VipsFailOn fail_on) {
  return vips_tiffload_source(
      source, out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, "n", 1, NULL);
}

/// Loads the primary picture, or with `thumbnail` the thumbnail in the file if there is one.
static inline int photogrid_load_heif(
    VipsSource *source, VipsImage **out, VipsFailOn fail_on, int thumbnail) {
  // With a page, or a number of pages, that would be the first picture instead.
  return vips_heifload_source(
      source, out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, "thumbnail", thumbnail,
      NULL);
}

static inline int photogrid_load_jxl(VipsSource *source, VipsImage **out, VipsFailOn fail_on) {
  return vips_jxlload_source(source, out, "fail_on", fail_on, NULL);
}

/// Loads a picture at half the size for each of `halvings`; the file must have these sizes.
static inline int photogrid_load_jp2(
    VipsSource *source, VipsImage **out, VipsFailOn fail_on, int halvings) {
  return vips_jp2kload_source(source, out, "fail_on", fail_on, "page", halvings, NULL);
}

/// Draws a picture; a `scale` below 1 draws it at a smaller size.
static inline int photogrid_load_svg(
    VipsSource *source, VipsImage **out, VipsFailOn fail_on, double scale) {
  return vips_svgload_source(source, out, "fail_on", fail_on, "scale", scale, NULL);
}

static inline int photogrid_load_pnm(VipsSource *source, VipsImage **out, VipsFailOn fail_on) {
  VipsImage *loaded = NULL;
  if (vips_ppmload_source(source, &loaded, "fail_on", fail_on, NULL)) return -1;
  if (loaded->BandFmt != VIPS_FORMAT_FLOAT) {
    *out = loaded;
    return 0;
  }
  // The rows of a PFM go from the bottom to the top, and its colors are linear, which libvips 8.14
  // ignores.
  int result = vips_flip(loaded, out, VIPS_DIRECTION_VERTICAL, NULL);
  if (result == 0 && loaded->Bands == 3) (*out)->Type = VIPS_INTERPRETATION_scRGB;
  g_object_unref(loaded);
  return result;
}

static inline int photogrid_load_hdr(VipsSource *source, VipsImage **out, VipsFailOn fail_on) {
  return vips_radload_source(
      source, out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
}

/// Loads a file by its path, since the loader takes no source.
static inline int photogrid_load_fits(const char *path, VipsImage **out, VipsFailOn fail_on) {
  return vips_fitsload(path, out, "fail_on", fail_on, NULL);
}

/// Loads a file by its path, since the loader takes no source.
static inline int photogrid_load_exr(const char *path, VipsImage **out, VipsFailOn fail_on) {
  return vips_openexrload(path, out, "fail_on", fail_on, NULL);
}

/// Loads a file by a name such as "BMP:fd:7": the format, a colon, and a path or a descriptor.
static inline int photogrid_load_magick(const char *name, VipsImage **out) {
  return vips_magickload(name, out, NULL);
}

/// Stretches the values of a measurement from black to white; bytes stay as they are.
static inline int photogrid_stretch(VipsImage *in, VipsImage **out) {
  return in->BandFmt == VIPS_FORMAT_UCHAR ? vips_copy(in, out, NULL) : vips_scale(in, out, NULL);
}

/// Scales numbers that libvips takes for bytes, though black and white are at the ends of their
/// range, or 0 and 1, to 16 bits; others stay as they are.
///
/// Floating-point numbers with a profile belong to it, and those of gray are taken for sRGB, as
/// ImageMagick and GIMP do; those of red, green and blue are linear, as in libvips.
static inline int photogrid_scale_numbers(VipsImage *in, VipsImage **out) {
  const int is_gray = in->Bands < 3;
  double factor;
  switch (in->BandFmt) {
    case VIPS_FORMAT_FLOAT:
    case VIPS_FORMAT_DOUBLE:
      if (in->Coding != VIPS_CODING_NONE ||
          (!is_gray && vips_image_get_typeof(in, VIPS_META_ICC_NAME) == 0))
        return vips_copy(in, out, NULL);
      factor = 65535;
      break;
    case VIPS_FORMAT_UINT: factor = 65535.0 / 4294967295.0; break;
    case VIPS_FORMAT_INT: factor = 65535.0 / 2147483647.0; break;
    case VIPS_FORMAT_SHORT: factor = 65535.0 / 32767.0; break;
    case VIPS_FORMAT_CHAR: factor = 65535.0 / 127.0; break;
    default: return vips_copy(in, out, NULL);
  }
  VipsImage *scaled = NULL, *deep = NULL;
  int result = vips_linear1(in, &scaled, factor, 0.5, NULL) ||
               vips_cast(scaled, &deep, VIPS_FORMAT_USHORT, NULL) ||
               vips_copy(
                   deep, out, "interpretation",
                   is_gray ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_RGB16, NULL);
  g_clear_object(&scaled);
  g_clear_object(&deep);
  return result;
}

static inline int photogrid_invert(VipsImage *in, VipsImage **out) {
  return vips_invert(in, out, NULL);
}

/// Scales an image down to a size in its own numbers, unless it has an alpha channel, which would
/// have to be multiplied first.
static inline int photogrid_scale_numbers_to(VipsImage *in, VipsImage **out, int width, int height) {
  if (vips_image_hasalpha(in) || width > in->Xsize || height > in->Ysize)
    return vips_copy(in, out, NULL);
  return vips_resize(
      in, out, (double)width / in->Xsize, "vscale", (double)height / in->Ysize, NULL);
}

/// Converts an image with 8 or 16 bits to sRGB with 8 bits, by its profile.
static inline int photogrid_convert_to_srgb(VipsImage *in, VipsImage **out) {
  return vips_icc_transform(in, out, "srgb", "embedded", TRUE, "depth", 8, NULL);
}

/// Creates an image with a copy of pixels, 8 bits a band; NULL if there is no memory.
static inline VipsImage *photogrid_image_of_pixels(
    const void *pixels, size_t size, int width, int height, int bands) {
  VipsImage *image =
      vips_image_new_from_memory_copy(pixels, size, width, height, bands, VIPS_FORMAT_UCHAR);
  if (image != NULL)
    image->Type = bands < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB;
  return image;
}

/// Scales to exactly this size after turning upright, and converts to sRGB by the embedded profile.
static inline int photogrid_scale(VipsImage *in, VipsImage **out, int width, int height) {
  // Without an embedded profile there is nothing to convert from. If asked to convert anyway,
  // libvips 8.14 mistakes sRGB for another color space and shifts the colors.
  if (vips_image_get_typeof(in, VIPS_META_ICC_NAME) == 0)
    return vips_thumbnail_image(in, out, width, "height", height, "size", VIPS_SIZE_FORCE, NULL);
  return vips_thumbnail_image(
      in, out, width, "height", height, "size", VIPS_SIZE_FORCE, "export_profile", "srgb", NULL);
}

static inline int photogrid_extract(
    VipsImage *in, VipsImage **out, int left, int top, int width, int height) {
  return vips_extract_area(in, out, left, top, width, height, NULL);
}

static inline int photogrid_to_srgb(VipsImage *in, VipsImage **out) {
  return vips_colourspace(in, out, VIPS_INTERPRETATION_sRGB, NULL);
}

static inline int photogrid_to_bytes(VipsImage *in, VipsImage **out) {
  return vips_cast(in, out, VIPS_FORMAT_UCHAR, NULL);
}

static inline int photogrid_keep_bands(VipsImage *in, VipsImage **out, int count) {
  return vips_extract_band(in, out, 0, "n", count, NULL);
}

static inline int photogrid_add_alpha(VipsImage *in, VipsImage **out) {
  return vips_addalpha(in, out, NULL);
}

/// Encodes an image as a PNG file: quickly, rather than as small as possible.
static inline int photogrid_save_png(VipsImage *in, void **out, size_t *length) {
  return vips_pngsave_buffer(
      in, out, length, "compression", 3, "filter", VIPS_FOREIGN_PNG_FILTER_PAETH, NULL);
}
