import Geometry

/// The camera, its settings and the place of a photo, according to its file; nil where the file
/// says nothing.
///
/// Every text is printable and of limited length.
package struct PhotoMetadata: Equatable, Sendable {
  /// The make and model of the camera.
  package var camera: String?
  package var lens: String?
  package var exposureTime: Double?
  package var aperture: Double?
  package var sensitivity: Int?
  package var focalLength: Double?
  package var location: Location?
  /// The name of the color profile, or of a film's codec; nil if the file has none.
  package var profile: String?
  /// The title, the caption and the keywords; nil if there are none.
  package var words: PhotoWords?
  /// The ending of the name of a live photo's film, "MOV" or "mov"; nil for any other photo.
  package var film: String?
  /// The length of the film inside a live photo, in seconds; nil for any other photo, or if the film does
  /// not say.
  package var filmLength: Double?

  package init() {}

  /// The maximum length of a text, in code points.
  package static let maxTextLength = 120

  /// Converts bytes of a file to printable text; nil if nothing visible remains.
  @inlinable package static func text(_ bytes: some Collection<UInt8>) -> String? {
    text(Array(bytes))
  }

  /// Converts bytes of a file to printable text of a length in code points; nil if nothing visible
  /// remains.
  package static func text(_ bytes: [UInt8], atMost limit: Int = maxTextLength) -> String? {
    // Cameras pad their fields with zeros or spaces.
    let words = bytes.prefix { $0 != 0 }.prefix(4 * limit)
    guard !words.isEmpty else { return nil }
    if words.count <= limit, isPlain(words) { return String(decoding: words, as: UTF8.self) }
    let printable = PrintableText.from(words).split(separator: " ").joined(separator: " ")
    // By code points, because a character may have any number of combining marks.
    let kept = String(String.UnicodeScalarView(printable.unicodeScalars.prefix(limit)))
    let text = kept.last == " " ? String(kept.dropLast()) : kept
    return text.isEmpty ? nil : text
  }

  /// Whether bytes are printable ASCII with single spaces between words, as nearly all are.
  private static func isPlain(_ bytes: ArraySlice<UInt8>) -> Bool {
    var last = UInt8(ascii: " ")
    for byte in bytes {
      guard (0x20...0x7e).contains(byte), byte != 0x20 || last != 0x20 else { return false }
      last = byte
    }
    return last != 0x20
  }

  /// Returns the name of a camera; the make is left out if the model begins with it, as most do.
  package static func camera(make: String?, model: String?) -> String? {
    guard let make, let model else { return model ?? make }
    let brand = make.split(separator: " ").first.map { $0.lowercased() } ?? ""
    return model.lowercased().hasPrefix(brand)
      ? model : String("\(make) \(model)".prefix(maxTextLength))
  }

  /// This metadata without implausible numbers.
  package var checked: PhotoMetadata {
    func within(_ value: Double?, _ range: ClosedRange<Double>) -> Double? {
      value.flatMap { range.contains($0) ? $0 : nil }
    }
    var result = self
    result.exposureTime = within(exposureTime, 1e-7...1e6)
    result.aperture = within(aperture, 0.1...1000)
    result.focalLength = within(focalLength, 0.1...1e5)
    result.filmLength = within(filmLength, 1e-3...1e7)
    result.sensitivity = sensitivity.flatMap { (1...100_000_000).contains($0) ? $0 : nil }
    return result
  }

  package struct Location: Equatable, Sendable {
    /// The latitude in degrees, north positive.
    package let latitude: Double
    /// The longitude in degrees, east positive.
    package let longitude: Double

    package init?(latitude: Double, longitude: Double) {
      guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
      self.latitude = latitude
      self.longitude = longitude
    }

    /// Converts degrees, minutes and seconds to degrees; nil if they are invalid.
    package static func degrees(_ parts: [Double], isNegative: Bool) -> Double? {
      guard parts.count == 3, parts.allSatisfy({ $0 >= 0 }), parts[0] <= 180, parts[1] < 60,
        parts[2] <= 60
      else { return nil }
      let degrees = parts[0] + parts[1] / 60 + parts[2] / 3600
      return isNegative ? -degrees : degrees
    }
  }
}
