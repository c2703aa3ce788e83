import ImageFormats
import Photos

@testable import photogrid_worker

/// Everything that is read of a file before a decoder is chosen.
func fuzzHeaders(_ bytes: [UInt8]) {
  let formats = ["x", "x.tga", "x.svg", "x.pcx"].compactMap {
    ImageFormat(firstBytes: bytes, name: Array($0.utf8))
  }
  for format in Set(formats) {
    if let size = HeaderSize(of: format, firstBytes: bytes) {
      try? DeclaredLengths.check(ByteSource(bytes), format: format, size: size)
    }
    _ = UncompressedLength.ofFile(format, bytes)
  }
  if let header = JPEGHeader(bytes) {
    if let exif = header.exif {
      require(exif.upperBound <= bytes.count)
      if let range = ExifThumbnail.range(in: bytes, exif: exif) {
        require(range.upperBound <= bytes.count)
      }
    }
    for part in header.profileParts { require(part.upperBound <= bytes.count) }
    _ = try? PixelLimits.eighths(of: header, target: (64, 64))
  }
  if var chunks = PNGChunks(bytes) {
    while let chunk = chunks.next() {
      require(chunk.contents.upperBound <= bytes.count)
      _ = PNGText(chunk, of: bytes)
    }
  }
}

/// Colors that files describe, and pictures that are decoded here.
func fuzzPictures(_ bytes: [UInt8]) {
  for described in [
    PNGColors.description(in: ByteSource(bytes)), HEIFColors.description(in: ByteSource(bytes)),
  ] {
    guard let curve = described?.curve(count: 64, isDeep: false) else { continue }
    require(zip(curve, curve.dropFirst()).allSatisfy { $0 <= $1 }, "more is darker")
  }
  _ = HEIFItems.isPrimaryFirst(in: ByteSource(bytes))
  if let picture = PAMPicture(bytes, maxPixels: 1 << 16) {
    require(picture.pixels.count == picture.width * picture.height * 4)
  }
  if let picture = PhotoshopInks(bytes, maxPixels: 1 << 16) {
    require(picture.pixels.count == picture.width * picture.height * 4)
  }
}

/// The heads of films, and films in photos.
func fuzzFilms(_ bytes: [UInt8]) {
  for format in [ImageFormat.jpeg, .heic] {
    guard let range = EmbeddedFilm.range(in: ByteSource(bytes), format: format) else { continue }
    require(range.lowerBound > 0 && range.upperBound <= bytes.count)
    _ = try? FilmFacts(ByteSource(bytes).part(range))
  }
  guard let film = try? FilmFacts(ByteSource(bytes)) else { return }
  require(film.width > 0 && film.height > 0)
}

/// The pictures inside of raw photos and TIFF files.
func fuzzPreviews(_ bytes: [UInt8]) {
  guard let embedded = EmbeddedPreviews(ByteSource(bytes)) else { return }
  for preview in embedded.previews {
    require(preview.bytes.lowerBound >= 0 && preview.bytes.upperBound <= bytes.count)
  }
}

/// The first coefficients of a baseline JPEG.
func fuzzCoefficients(_ bytes: [UInt8]) {
  _ = JPEGDCDecoder.colorSize(of: bytes)
  // Allocating the sizes that headers declare would make each input slow.
  guard let header = JPEGHeader(bytes), header.width * header.height < 250_000,
    let decoder = JPEGDCDecoder(bytes)
  else { return }
  var pixels = [UInt8](repeating: 0, count: decoder.width * decoder.height * 4)
  pixels.withUnsafeMutableBufferPointer { pixels in
    if let start = pixels.baseAddress { decoder.draw(into: start) }
  }
}

/// A progressive JPEG without its last scans.
func fuzzScans(_ bytes: [UInt8]) {
  if let reduced = ProgressiveScans.reduced(bytes) {
    require(reduced.count <= 2 * bytes.count + 64, "longer than the file")
  }
}

/// EXIF blocks and the directories of TIFF files.
func fuzzMetadata(_ bytes: [UInt8]) {
  _ = PhotoMetadata(exif: bytes)
  _ = PhotoMetadata(TIFFReader(ByteSource(bytes)))
  _ = ExifFacts(bytes[...])
  var written = WrittenFacts()
  written.exif = ExifWords(ExifDirectories(TIFFReader(exif: bytes)))
  if let words = written.words { require(words.record.count <= PhotoWords.maxBytes, "too long") }
}

/// Files in the thumbnail cache, which any program may have written.
func fuzzThumbnail(_ bytes: [UInt8]) {
  guard let file = ThumbnailFile(bytes, maxSide: 64) else { return }
  _ = file.failure
  for text in file.text.values { _ = ThumbnailText.format(ofMediaType: text) }
  if let bitmap = file.bitmap {
    require(bitmap.pixels.count == bitmap.width * bitmap.height * 4)
  }
}
