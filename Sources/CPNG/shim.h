#include <png.h>

// Swift cannot import macros that cast.
static const unsigned photogrid_png_rgb = PNG_FORMAT_RGB;
static const unsigned photogrid_png_rgba = PNG_FORMAT_RGBA;
static const unsigned photogrid_png_version = PNG_IMAGE_VERSION;
static const unsigned photogrid_png_fast = PNG_IMAGE_FLAG_FAST;
