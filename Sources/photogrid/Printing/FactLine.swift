import PhotoGridCore
import SceneRendering

/// A line of `--print --json`: the facts of a photo, and its frame in the layout.
struct FactLine {
  /// The path as given or found.
  var path: [UInt8]
  /// The facts; nil if the file cannot be read.
  var info: PhotoInfo?
  /// The rating.
  var rating = Rating.none
  /// The reason why the photo cannot be shown; used if there are no facts.
  var failure: String?
  /// The frame in the layout, in pixels of the content, not rounded.
  var frame: PixelRect
  /// The date or the folder of its section; nil for none.
  var section: [UInt8]?
  /// The path of its raw file; nil for a photo without one.
  var pair: [UInt8]?
  /// The path of its film; nil for all but live photos.
  var film: [UInt8]?
  /// The number of its stack; nil for a photo in none.
  var stack: Int?

  /// A JSON object without a newline, in ASCII, so that no name controls the terminal.
  var text: String {
    var fields = [("path", Self.string(String(decoding: path, as: UTF8.self)))]
    if String(validating: path, as: UTF8.self) == nil {
      fields.append(("path_bytes", Self.string(Base64.text(path))))
    }
    if let info {
      fields += [
        ("width", Self.number(info.size.width)), ("height", Self.number(info.size.height)),
        ("format", Self.string(info.format.rawValue)),
        ("taken", info.taken.map { Self.string($0) } ?? "null"),
        ("orientation", "\(info.orientation)"),
      ]
      fields += Self.fields(of: info.metadata ?? PhotoMetadata())
      fields += [
        ("rating", "\(rating.stars)"),
        ("label", rating.label.map { Self.string($0.rawValue) } ?? "null"),
      ]
    } else {
      fields.append(("error", Self.string(failure ?? "unknown")))
    }
    let sides = [
      ("x", frame.minX), ("y", frame.minY), ("width", frame.width), ("height", frame.height),
    ]
    fields.append(("frame", Self.object(sides.map { ($0.0, Self.number($0.1)) })))
    func text(_ path: [UInt8]?) -> String {
      path.map { Self.string(String(decoding: $0, as: UTF8.self)) } ?? "null"
    }
    fields += [("pair", text(pair)), ("film", text(film))]
    fields.append(("stack", stack.map { "\($0)" } ?? "null"))
    fields.append(("section", text(section)))
    return Self.object(fields)
  }

  /// The camera's settings and the position; null where the file does not contain them.
  private static func fields(of metadata: PhotoMetadata) -> [(String, String)] {
    func text(_ text: String?) -> String { text.map(string) ?? "null" }
    func number(_ value: Double?) -> String { value.map(Self.number) ?? "null" }
    // The index has such numbers in single precision, and what is printed must not depend on it.
    func single(_ value: Double?) -> String { number(value.map { Double("\(Float($0))") ?? $0 }) }
    return [
      ("camera", text(metadata.camera)), ("lens", text(metadata.lens)),
      ("iso", metadata.sensitivity.map { "\($0)" } ?? "null"),
      ("aperture", single(metadata.aperture)), ("focal_length", single(metadata.focalLength)),
      ("exposure", single(metadata.exposureTime)), ("latitude", number(metadata.place?.latitude)),
      ("longitude", number(metadata.place?.longitude)),
    ]
  }

  private static func object(_ fields: [(String, String)]) -> String {
    "{" + fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  /// Returns an integer without a fraction, and any other number as Swift prints it exactly.
  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }

  /// Returns a JSON string (RFC 8259) with everything beyond printable ASCII escaped.
  private static func string(_ text: String) -> String {
    var result = "\""
    for unit in text.utf16 {
      switch unit {
      case 0x22: result += "\\\""
      case 0x5C: result += "\\\\"
      case 0x20..<0x7F: result.unicodeScalars.append(UnicodeScalar(UInt8(unit)))
      default:
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result + "\""
  }
}
