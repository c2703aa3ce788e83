#include <vips/vips.h>
#include <vips/vector.h>

// Swift cannot import functions with variable arguments: each call that the worker makes has a
// wrapper here with the options that it uses.

/// Loads the first page or frame; the caller names the one loader that the first bytes allow.
static inline int photogrid_load_png(VipsSource *source, VipsImage **out, VipsFailOn fail_on) {
  return vips_pngload_source(
      source, out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
}

/// `count` frames from `page` on, one below the other.
static inline int photogrid_load_gif(
    VipsSource *source, VipsImage **out, VipsFailOn fail_on, int page, int count) {
  return vips_gifload_source(
      source, out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, "page", page,
      "n", count, NULL);
}

/// `scale` of at most 1 shrinks while decoding.
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

/// With `thumbnail` the small picture that is in the file, if one is.
static inline int photogrid_load_heif(
    VipsSource *source, VipsImage **out, VipsFailOn fail_on, int thumbnail) {
  return vips_heifload_source(
      source, out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, "n", 1,
      "thumbnail", thumbnail, NULL);
}

static inline int photogrid_load_jxl(VipsSource *source, VipsImage **out, VipsFailOn fail_on) {
  return vips_jxlload_source(source, out, "fail_on", fail_on, NULL);
}

/// At half the size for each of `halvings`, as far as the file has such sizes.
static inline int photogrid_load_jp2(
    VipsSource *source, VipsImage **out, VipsFailOn fail_on, int halvings) {
  return vips_jp2kload_source(source, out, "fail_on", fail_on, "page", halvings, NULL);
}

/// `scale` of at most 1 draws at a smaller size.
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

static inline int photogrid_load_fits(const char *path, VipsImage **out, VipsFailOn fail_on) {
  return vips_fitsload(path, out, "fail_on", fail_on, NULL);
}

static inline int photogrid_load_exr(const char *path, VipsImage **out, VipsFailOn fail_on) {
  return vips_openexrload(path, out, "fail_on", fail_on, NULL);
}

/// The name of the format and a colon precede the path.
static inline int photogrid_load_magick(const char *name, VipsImage **out) {
  return vips_magickload(name, out, NULL);
}

/// Stretches the values of a measurement from black to white; bytes stay as they are.
static inline int photogrid_stretch(VipsImage *in, VipsImage **out) {
  return in->BandFmt == VIPS_FORMAT_UCHAR ? vips_copy(in, out, NULL) : vips_scale(in, out, NULL);
}

/// An image of the given pixels, 8 bits a band, which are copied; NULL if there is no memory.
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
  // Without an embedded profile there is nothing to convert from: told to all the same, libvips
  // 8.14 takes sRGB for something else and shifts its colours.
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

/// Makes a PNG file of an image: quickly rather than as small as can be.
static inline int photogrid_save_png(VipsImage *in, void **out, size_t *length) {
  return vips_pngsave_buffer(
      in, out, length, "compression", 3, "filter", VIPS_FOREIGN_PNG_FILTER_PAETH, NULL);
}
