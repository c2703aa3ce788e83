#include <vips/vips.h>
#include <vips/vector.h>

// Swift cannot import functions with variable arguments: each call that the worker makes has a
// wrapper here with the options that it uses.

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

/// Loads the first picture, or with `thumbnail` the thumbnail in the file if there is one.
static inline int photogrid_load_heif(
    VipsSource *source, VipsImage **out, VipsFailOn fail_on, int thumbnail) {
  return vips_heifload_source(
      source, out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, "n", 1,
      "thumbnail", thumbnail, NULL);
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
  return vips_ppmload_source(source, out, "fail_on", fail_on, NULL);
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
