// This is in C because libjpeg reports errors through a function that must not return and is left
// by longjmp, which Swift cannot call. TurboJPEG catches these errors itself, but before version 3
// it decodes whole pictures only.
#include "CJPEGRegion.h"

#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>
#include <setjmp.h>

// No picture needs more scans; each costs time (see TJFLAG_LIMITSCANS of libjpeg-turbo).
static const int most_scans = 500;

struct Failure {
  struct jpeg_error_mgr base;
  jmp_buf escape;
  char *message;
};

static void leave(j_common_ptr decoder) {
  struct Failure *failure = (struct Failure *)decoder->err;
  char words[JMSG_LENGTH_MAX];
  failure->base.format_message(decoder, words);
  snprintf(failure->message, 200, "%s", words);
  longjmp(failure->escape, 1);
}

// The same warnings were given when the whole picture was decoded.
static void ignore(j_common_ptr decoder, int level) {
  (void)decoder;
  (void)level;
}

static void limit_scans(j_common_ptr decoder) {
  if (((j_decompress_ptr)decoder)->input_scan_number > most_scans) {
    struct Failure *failure = (struct Failure *)decoder->err;
    snprintf(failure->message, 200, "more than %d scans", most_scans);
    longjmp(failure->escape, 1);
  }
}

static size_t coefficient_bytes(const struct jpeg_decompress_struct *decoder) {
  size_t sum = 0;
  for (int i = 0; i < decoder->num_components; i++) {
    const jpeg_component_info *component = &decoder->comp_info[i];
    sum += (size_t)component->width_in_blocks * component->height_in_blocks * sizeof(JBLOCK);
  }
  return sum;
}

static void refuse(j_decompress_ptr decoder, const char *words) {
  struct Failure *failure = (struct Failure *)decoder->err;
  snprintf(failure->message, 200, "%s", words);
  longjmp(failure->escape, 1);
}

static void decode(j_decompress_ptr decoder, JPEGRegion part, uint8_t *pixels) {
  JDIMENSION right = (JDIMENSION)(part.left + part.width);
  JDIMENSION bottom = (JDIMENSION)(part.top + part.height);
  if (part.left < 0 || part.top < 0 || part.width <= 0 || part.height <= 0 ||
      right > decoder->output_width || bottom > decoder->output_height)
    refuse(decoder, "no such part");

  // Chroma is interpolated between neighbors, but not across the edge of what is decoded. One more
  // block is decoded on every side, so that no edge of the part is such an edge.
  JDIMENSION across = (JDIMENSION)(decoder->max_h_samp_factor * decoder->min_DCT_scaled_size);
  JDIMENSION down = (JDIMENSION)(decoder->max_v_samp_factor * decoder->min_DCT_scaled_size);
  JDIMENSION left = (JDIMENSION)part.left > across ? (JDIMENSION)part.left - across : 0;
  JDIMENSION width = right - left + across;
  if (width > decoder->output_width - left) width = decoder->output_width - left;
  if (width < decoder->output_width) jpeg_crop_scanline(decoder, &left, &width);
  JDIMENSION top = (JDIMENSION)part.top > down ? (JDIMENSION)part.top - down : 0;
  if (top > 0) jpeg_skip_scanlines(decoder, top);

  JSAMPARRAY row = decoder->mem->alloc_sarray(
      (j_common_ptr)decoder, JPOOL_IMAGE, decoder->output_width * 4, 1);
  size_t length = (size_t)part.width * 4;
  while (decoder->output_scanline < bottom) {
    JDIMENSION at = decoder->output_scanline;
    if (jpeg_read_scanlines(decoder, row, 1) != 1) refuse(decoder, "no more rows");
    if (at < (JDIMENSION)part.top) continue;
    memcpy(pixels, row[0] + (size_t)((JDIMENSION)part.left - left) * 4, length);
    pixels += length;
  }
}

int jpeg_region_decode(const uint8_t *bytes, size_t count, JPEGRegion part, int is_cmyk,
                     size_t most_coefficient_bytes, uint8_t *pixels, char *message) {
  struct jpeg_decompress_struct decoder;
  struct jpeg_progress_mgr progress;
  struct Failure failure;
  memset(&decoder, 0, sizeof decoder);
  memset(&progress, 0, sizeof progress);
  decoder.err = jpeg_std_error(&failure.base);
  failure.base.error_exit = leave;
  failure.base.emit_message = ignore;
  failure.message = message;
  progress.progress_monitor = limit_scans;
  if (setjmp(failure.escape)) {
    jpeg_destroy_decompress(&decoder);
    return -1;
  }

  jpeg_create_decompress(&decoder);
  decoder.progress = &progress;
  jpeg_mem_src(&decoder, bytes, count);
  jpeg_read_header(&decoder, TRUE);
  if (jpeg_has_multiple_scans(&decoder) && coefficient_bytes(&decoder) > most_coefficient_bytes)
    refuse(&decoder, "too large to be seen closely");
  decoder.out_color_space = is_cmyk ? JCS_CMYK : JCS_EXT_RGBA;
  decoder.scale_num = (unsigned)part.eighths;
  decoder.scale_denom = 8;
  jpeg_start_decompress(&decoder);
  decode(&decoder, part, pixels);
  // What comes after the part is not read.
  jpeg_destroy_decompress(&decoder);
  return 0;
}
