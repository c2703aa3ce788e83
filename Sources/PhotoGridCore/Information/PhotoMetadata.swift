/// What a photo's file tells about how it was taken; every text is printable and of a sane length.
package struct PhotoMetadata: Equatable, Sendable {
  package var camera: String?
  package var lens: String?
  /// In seconds.
  package var exposureTime: Double?
  /// The f-number.
  package var aperture: Double?
  /// By ISO 12232.
  package var sensitivity: Int?
  /// In millimetres, as the lens says.
  package var focalLength: Double?
  package var place: Place?
  /// The name of the colour profile; nil where the file has none.
  package var profile: String?

  /// A file that tells nothing.
  package init() {}

  /// No text is longer, in code points.
  package static let longestText = 120

  /// The text of bytes in a file; nil where nothing is to be seen of it.
  package static func text(_ bytes: some Collection<UInt8>) -> String? {
    // Cameras fill their fields up with zeros or spaces.
    let words = bytes.prefix { $0 != 0 }.prefix(4 * longestText)
    let printable = PrintableText.from(words).split(separator: " ").joined(separator: " ")
    // By code points: a character may have any number of marks.
    let kept = String(String.UnicodeScalarView(printable.unicodeScalars.prefix(longestText)))
    let text = kept.last == " " ? String(kept.dropLast()) : kept
    return text.isEmpty ? nil : text
  }

  /// The name of a camera by its maker's and its own: most makers put theirs before that too.
  package static func camera(make: String?, model: String?) -> String? {
    guard let make, let model else { return model ?? make }
    let brand = make.split(separator: " ").first.map { $0.lowercased() } ?? ""
    return model.lowercased().hasPrefix(brand)
      ? model : String("\(make) \(model)".prefix(longestText))
  }

  /// This without numbers that cannot be.
  package var checked: PhotoMetadata {
    func within(_ value: Double?, _ range: ClosedRange<Double>) -> Double? {
      value.flatMap { range.contains($0) ? $0 : nil }
    }
    var result = self
    result.exposureTime = within(exposureTime, 1e-7...1e6)
    result.aperture = within(aperture, 0.1...1000)
    result.focalLength = within(focalLength, 0.1...1e5)
    result.sensitivity = sensitivity.flatMap { (1...100_000_000).contains($0) ? $0 : nil }
    return result
  }

  /// A place on the earth.
  package struct Place: Equatable, Sendable {
    /// In degrees, north positive.
    package let latitude: Double
    /// In degrees, east positive.
    package let longitude: Double

    /// A place of the given degrees; nil where there is none such.
    package init?(latitude: Double, longitude: Double) {
      guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
      self.latitude = latitude
      self.longitude = longitude
    }

    /// The degrees of three numbers for degrees, minutes and seconds; nil where they are none.
    package static func degrees(_ parts: [Double], isNegative: Bool) -> Double? {
      guard parts.count == 3, parts.allSatisfy({ $0 >= 0 }), parts[0] <= 180, parts[1] < 60,
        parts[2] <= 60
      else { return nil }
      let degrees = parts[0] + parts[1] / 60 + parts[2] / 3600
      return isNegative ? -degrees : degrees
    }
  }
}
