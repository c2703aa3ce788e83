import Geometry
import Photos
import WorkerProtocol

/// What a helper process under another's control sends after its greeting, again and again.
package enum HostileReply: String, CaseIterable, Sendable {
  case endlessAnswers = "a decoder: answers without end"
  case hugePicture = "a decoder: a picture of 512 MB"
  case randomBytes = "a decoder: random bytes"
  case endlessNames = "a lister: names without end"
  case scatteredNames = "a lister: names without order"
  case endlessChanges = "a lister: changes without end"
  case endlessRenames = "a lister: new names without end"
  case endlessListings = "a lister: other photos each time"
  case endlessProgress = "a file worker: progress without end"
  case endlessRecords = "an index worker: answers without end"
  case endlessRatings = "an annotation worker: answers without end"

  /// The lies of the worker that decodes.
  package static let ofDecoders: [HostileReply] = [.endlessAnswers, .hugePicture, .randomBytes]

  /// The argument of the process; nil for the worker that decodes.
  package var argument: String? {
    switch self {
    case .endlessAnswers, .hugePicture, .randomBytes: nil
    case .endlessNames, .scatteredNames, .endlessChanges, .endlessRenames, .endlessListings,
      .endlessRecords:
      "--library"
    case .endlessProgress: "--file-worker"
    case .endlessRatings: AnnotationProtocol.argument
    }
  }

  /// The bytes that are sent again and again.
  ///
  /// - Parameter most: The most names that are sent before others follow that were sent before.
  /// - Returns: Whole messages of the process, or what is none.
  package func bytes(most: Int = 10_000) -> [UInt8] {
    switch self {
    case .endlessAnswers:
      return (0..<8192).flatMap { DecodeProtocol.Response.noPreview.encoded(token: $0) }
    case .hugePicture:
      let black = Bitmap(width: 1, height: 1, pixels: [0, 0, 0, 255], isOpaque: true)
      var answer = DecodeProtocol.Response.decoded(Self.info, black).encoded(token: 1)
      // Announced as 512 MB.
      answer.replaceSubrange(0..<4, with: [0, 0, 0, 32])
      return answer + [UInt8](repeating: 0, count: 64 << 10)
    case .randomBytes:
      var state: UInt64 = 14
      return (0..<(64 << 10)).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
      }
    case .endlessNames: return Self.names(most)
    case .scatteredNames, .endlessChanges, .endlessRenames, .endlessListings:
      return (0..<min(most, 10_000)).flatMap { events($0).flatMap { $0.encoded() } }
    case .endlessProgress:
      return (0..<8192).flatMap {
        FileProtocol.Response.progress(percent: $0 % 100).encoded(token: 1)
      }
    case .endlessRecords:
      return (1..<8192).flatMap { LibraryProtocol.Response.recorded(1).encoded(token: $0) }
    case .endlessRatings:
      return (1..<8192).flatMap {
        AnnotationProtocol.Response(rating: Rating(stars: Int($0 % 6))).encoded(token: $0)
      }
    }
  }

  /// Names in their order, as many in each message as a lister sends.
  private static func names(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var batch = PhotoBatch(root: 0, folder: folder)
    for number in 0..<count {
      batch.append(name(number))
      if batch.byteCount > 120 << 10 || number == count - 1 {
        bytes += ListingEvent.found(batch).encoded()
        batch = PhotoBatch(root: 0, folder: folder)
      }
    }
    return bytes
  }

  /// One of the lies of a lister.
  private func events(_ number: Int) -> [ListingEvent] {
    // Neither in their order nor twice: no power of two divides the factor.
    let scattered = Self.name(number &* 7_368_787 % 10_000_000)
    let photo = PhotoPath(root: 0, path: Self.folder + scattered)
    switch self {
    case .scatteredNames: return [.found(PhotoBatch(root: 0, path: photo.path))]
    case .endlessChanges: return [.changed([.present(photo)], isLast: true)]
    case .endlessRenames:
      let next = PhotoPath(root: 0, path: Self.folder + Self.name(number + 1))
      let this = PhotoPath(root: 0, path: Self.folder + Self.name(number))
      return [.changed([number == 0 ? .present(next) : .renamed(this, to: next)], isLast: true)]
    default:
      return [
        .relisting(ListedFolder(root: 0, folder: Self.folder, isDeep: true)),
        .found(PhotoBatch(root: 0, path: photo.path)), .relisted(isComplete: true),
      ]
    }
  }

  /// Facts of a photo of one pixel.
  private static let info = PhotoInfo(
    size: PixelSize(width: 1, height: 1), orientation: 1, format: .jpeg,
    stamp: FileStamp(byteCount: 0, modified: 0), taken: nil)

  private static let folder = Array("photos/".utf8)

  /// A name of a photo, in the order of the numbers.
  private static func name(_ number: Int) -> [UInt8] {
    let digits = Array("\(number)".utf8)
    return [UInt8](repeating: 0x30, count: 8 - digits.count) + digits + Array(".jpg".utf8)
  }
}
