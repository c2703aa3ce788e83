import Geometry
import Glibc
import PhotoLibrary
import Photos
import SceneRendering
import TerminalIO
import WorkerProtocol

/// A line of `--print --json`: the facts of a photo, and its frame in the layout.
struct FactLine {
  var path: [UInt8]
  /// The facts; nil if the file cannot be read.
  var info: PhotoInfo?
  /// The date of the photo; nil if nothing tells it.
  var date: PhotoDate?
  var rating = Rating.none
  /// The reason why the photo cannot be shown; used if there are no facts.
  var failure: String?
  /// The frame in the layout, in pixels from the top left of the content, not rounded.
  var frame: PixelRect
  /// The name of the photo's section, such as a date or a folder; nil without sections.
  var section: [UInt8]?
  /// The path of the raw file that is paired with the photo; nil if there is none.
  var pair: [UInt8]?
  /// The path of the film beside a live photo; nil for other photos.
  var film: [UInt8]?
  /// The number of the stack that the photo is in, from 1; nil if it is in none.
  var stack: Int?

  /// A JSON object without a newline, in ASCII, so that no name contains control characters.
  var text: String {
    var fields = [("path", Self.string(String(decoding: path, as: UTF8.self)))]
    if String(validating: path, as: UTF8.self) == nil {
      fields.append(("path_bytes", Self.string(Base64.text(path))))
    }
    if let info {
      fields += [
        ("width", Self.number(info.size.width)), ("height", Self.number(info.size.height)),
        ("format", Self.string(info.format.rawValue)),
        ("taken", date.map { Self.string($0.iso8601) } ?? "null"),
        ("taken_from", date.map { Self.string($0.source.rawValue) } ?? "null"),
        ("orientation", "\(info.orientation)"), ("bytes", "\(info.stamp.byteCount)"),
        ("modified", Self.modified(info.stamp)),
        ("duration", info.length.map { Self.number(Double("\(Float($0))") ?? $0) } ?? "null"),
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
    // The film of a motion photo is in its own file.
    let isInside = film == nil && info?.holdsFilm == true
    fields += [("pair", text(pair)), ("film", isInside ? "true" : text(film))]
    fields.append(("stack", stack.map { "\($0)" } ?? "null"))
    fields.append(("section", text(section)))
    return Self.object(fields)
  }

  /// Returns the camera's settings and the position, with null for values that the file lacks.
  private static func fields(of metadata: PhotoMetadata) -> [(String, String)] {
    func text(_ text: String?) -> String { text.map(string) ?? "null" }
    func number(_ value: Double?) -> String { value.map(Self.number) ?? "null" }
    // The index stores these numbers in single precision, and the output must not depend on whether
    // they were read from it.
    func single(_ value: Double?) -> String { number(value.map { Double("\(Float($0))") ?? $0 }) }
    func list(_ texts: [String]?) -> String {
      "[\((texts ?? []).map(string).joined(separator: ","))]"
    }
    return [
      ("camera", text(metadata.camera)), ("lens", text(metadata.lens)),
      ("iso", metadata.sensitivity.map { "\($0)" } ?? "null"),
      ("aperture", single(metadata.aperture)), ("focal_length", single(metadata.focalLength)),
      ("exposure", single(metadata.exposureTime)),
      ("latitude", number(metadata.location?.latitude)),
      ("longitude", number(metadata.location?.longitude)), ("title", text(metadata.words?.title)),
      ("caption", text(metadata.words?.caption)),
      ("keywords", list(metadata.words?.keywords)), ("people", list(metadata.words?.people)),
    ]
  }

  /// Returns the time of the last modification in UTC; null if no year of four digits has it.
  private static func modified(_ stamp: FileStamp) -> String {
    var (seconds, parts) = (time_t(stamp.seconds), tm())
    guard gmtime_r(&seconds, &parts) != nil, (-1900...8099).contains(parts.tm_year) else {
      return "null"
    }
    var text = [CChar](repeating: 0, count: 32)
    _ = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return string(
      String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  private static func object(_ fields: [(String, String)]) -> String {
    "{" + fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  /// Returns a number as JSON; an integer has no fraction.
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

/// Reads the facts of many photos in other processes, and waits for the facts that are needed next.
final class FactReader {
  private let finder: FactFinder
  private var found: [Photo.ID: PhotoInfo?] = [:]

  init(_ store: PhotoStore, worker: WorkerExecutable, _ sandbox: SandboxMode) {
    finder = FactFinder(worker: worker, headerReader: .library.confined(sandbox)) {
      store.index[$0]
    }
  }

  func setDemands(_ photos: [Photo.ID]) {
    finder.setDemands(photos.filter { found[$0] == nil }, at: MonotonicClock.now)
  }

  /// Waits for and returns the facts of a demanded photo; nil if its file cannot be read.
  func info(of photo: Photo.ID) -> PhotoInfo? {
    while found[photo] == nil {
      for batch in finder.service(at: MonotonicClock.now) {
        for (index, photo) in batch.photos.enumerated() where batch.facts.rows[index].isKnown {
          found[photo] = batch.facts.info(at: index)
        }
      }
      if found[photo] != nil { break }
      let requests = finder.pollRequests
      guard !requests.isEmpty || finder.nextDeadline != nil else { return nil }
      Poll.wait(requests, until: finder.nextDeadline)
    }
    return found[photo] ?? nil
  }

  func shutDown() { finder.shutDown() }
}
