import PhotoGridCore

/// Metadata as bytes of a message: an unknown text is empty, an unknown number is NaN or 0.
extension PhotoMetadata {
  /// The longest payload with metadata, in bytes.
  static let longestPayload = (4 << 10) + PhotoWords.mostBytes

  func write(to payload: inout PayloadWriter) {
    for text in [camera, lens, profile] { payload.write(string: (text ?? "").utf8) }
    for number in [
      exposureTime, aperture, focalLength, place?.latitude, place?.longitude,
    ] {
      payload.write((number ?? .nan).bitPattern)
    }
    payload.write(UInt32(clamping: sensitivity ?? 0))
    payload.write(string: words?.record ?? [])
    payload.write(string: (film ?? "").utf8)
  }

  /// Reads metadata, and drops texts that are not printable and numbers out of range.
  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init()
    camera = Self.text(try reader.readString())
    lens = Self.text(try reader.readString())
    profile = Self.text(try reader.readString())
    var numbers: [Double] = []
    for _ in 0..<5 { numbers.append(Double(bitPattern: try reader.read())) }
    (exposureTime, aperture, focalLength) = (numbers[0], numbers[1], numbers[2])
    place = Place(latitude: numbers[3], longitude: numbers[4])
    sensitivity = Int(try reader.read(UInt32.self))
    words = PhotoWords(record: try reader.readString())
    film = LivePhoto.filmExtension(try reader.readString())
    self = checked
  }
}
