#include <lcms2.h>

// Pixel formats that lcms2.h computes by macros, which Swift cannot import.

static const cmsUInt32Number photogrid_rgba = TYPE_RGBA_8;
/// Gray in the first of four bytes.
static const cmsUInt32Number photogrid_gray_of_four =
    COLORSPACE_SH(PT_GRAY) | EXTRA_SH(3) | CHANNELS_SH(1) | BYTES_SH(1);
/// CMYK with 255 for no ink, as JPEG files have it.
static const cmsUInt32Number photogrid_inverted_cmyk = TYPE_CMYK_8_REV;
