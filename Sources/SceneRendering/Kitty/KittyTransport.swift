import Geometry

extension KittyMedium {
  /// The medium to try if this one does not work; nil if there is none.
  var next: KittyMedium? {
    switch self {
    case .sharedMemory: .temporaryFile
    case .temporaryFile: .direct
    case .direct: nil
    }
  }

  /// Whether the terminal gets images by name on the same machine, rather than in the stream.
  var isLocal: Bool { self != .direct }

  fileprivate var letter: String {
    switch self {
    case .sharedMemory: "s"
    case .temporaryFile: "t"
    case .direct: "d"
    }
  }
}

/// Stores bytes where the terminal finds them by name: in shared memory, or in a temporary file.
///
/// It returns the name; nil if storing fails. Objects that the terminal has not removed must be
/// removed by the owner of the function in the end.
package typealias KittyHandover = (_ bytes: [UInt8], _ medium: KittyMedium) -> [UInt8]?

struct KittyTransport {
  /// The medium in use; a slower one if faster ones turned out not to work.
  private(set) var medium: KittyMedium
  /// The reason why no images can be sent, in printable text; nil if they can.
  private(set) var failure: String?
  private let isKnownToAnswer: Bool
  private let handover: KittyHandover
  private var proof = Proof.missing
  /// The number of times that images of a subject were refused or lost.
  private var faults: [KittySubject: Int] = [:]
  private var faultCount = 0
  /// The number of times that a multiplexer seems to have dropped images of a subject since `renew`.
  private var losses: [KittySubject: Int] = [:]
  /// When to send the first image again, if a multiplexer may drop it.
  private var retry: KittyRetry?
  /// The number of times that the first image may be sent again after the terminal has responded to
  /// something else.
  private var renewalsLeft = 3

  private enum Proof: Equatable {
    /// No image was sent yet.
    case missing
    /// An image of one pixel was sent, and there was no response during a number of frames.
    case asked(UInt32, frames: Int)
    /// The terminal has accepted the image.
    case given
  }

  /// The number of frames without a response after which none is expected; for each frame, the
  /// terminal has read the previous one.
  private static let patience = 30
  /// `patience` for a terminal that has responded before: on a busy machine, kitty reads many
  /// frames before it handles the first.
  private static let longPatience = 300
  /// The number of faults of a subject after which it is drawn by cells.
  private static let faultsOfOne = 3
  /// The number of faults after which the medium is given up.
  private static let faultLimit = 24

  /// Creates a transport that tries a medium first, and slower ones if it fails.
  ///
  /// - Parameters:
  ///   - medium: The medium to try first.
  ///   - isKnownToAnswer: Whether the terminal has responded before, so that a missing response
  ///     means that it is slow.
  ///   - handover: Stores bytes for the terminal under a name.
  init(medium: KittyMedium, isKnownToAnswer: Bool, handover: @escaping KittyHandover) {
    self.medium = medium
    self.isKnownToAnswer = isKnownToAnswer
    self.handover = handover
  }

  var isOpen: Bool { proof == .given && failure == nil }

  /// Whether the first image is still to be sent, or has no response yet.
  var isAsking: Bool { proof != .given && failure == nil }

  /// Sends the first image, if it was not sent yet, and gives up if there is no response for too
  /// many frames.
  ///
  /// A terminal that has responded before gets the image several times.
  ///
  /// - Parameters:
  ///   - id: Returns a new identifier.
  ///   - now: The current time, which decides instead of the number of frames if a multiplexer may
  ///     drop the image.
  ///   - writer: The writer of commands.
  mutating func ask(id: () -> UInt32, at now: Instant, to writer: inout KittyWriter) {
    switch proof {
    case .given: return
    case .asked(let id, _) where writer.isWrapped:
      if retry?.isDue(at: now) ?? false { sendPixel(id, to: &writer) }
      if retry?.isOver ?? true, !isKnownToAnswer || renewalsLeft == 0 {
        fail("no response to graphics queries")
      }
    case .asked(let id, let frames):
      proof = .asked(id, frames: frames + 1)
      if frames >= (isKnownToAnswer ? Self.longPatience : Self.patience) {
        fail("no response to graphics queries")
      } else if frames > 0, frames % Self.patience == 0 {
        sendPixel(id, to: &writer)
      }
    case .missing:
      let id = id()
      proof = .asked(id, frames: 0)
      retry = KittyRetry(at: now)
      sendPixel(id, to: &writer)
    }
  }

  /// When to send the first image again through a multiplexer; nil if it need not be.
  var retryDeadline: Instant? { isAsking ? retry?.deadline : nil }

  /// Sends the first image again if it has no response, a few times at most, and images that a
  /// multiplexer has dropped.
  mutating func renew() {
    losses = [:]
    guard case .asked = proof, renewalsLeft > 0 else { return }
    renewalsLeft -= 1
    retry = KittyRetry(at: Instant(nanoseconds: 0))
  }

  private mutating func sendPixel(_ id: UInt32, to writer: inout KittyWriter) {
    let pixel = PixelRaster(width: 1, height: 1, pixels: [0, 0, 0, 0], isOpaque: false)
    guard writer.isWrapped else {
      send(pixel, border: .zero, id: id, answer: .always, to: &writer)
      return
    }
    // A terminal that does not support placeholders does not respond to the second command.
    send(pixel, border: .zero, id: id, answer: .failure, to: &writer)
    writer.placeVirtually(id, on: CellSize(columns: 1, rows: 1), answer: .always)
  }

  /// Sends a picture with a transparent border around it: as pixels by a local medium, or as a PNG
  /// file in the stream.
  ///
  /// An image is transient if another one soon takes its place.
  mutating func send(
    _ raster: PixelRaster, border: Insets, id: UInt32, isTransient: Bool = false,
    answer: KittyWriter.Answer, to writer: inout KittyWriter
  ) {
    while medium.isLocal {
      let bordered = raster.bordered(by: border)
      if let name = handover(bordered.pixels, medium) {
        writer.transmit(
          id, .rgba(width: bordered.width, height: bordered.height), from: medium.letter,
          named: name, isTransient: isTransient, answer: answer)
        return
      }
      medium = medium.next ?? .direct
    }
    writer.transmit(
      id, .png, PNG.file(of: raster, border: border), isTransient: isTransient, answer: answer)
  }

  /// Whether images of a subject were refused, or lost, so often that they are not sent again.
  func isRefused(_ subject: KittySubject) -> Bool {
    max(faults[subject, default: 0], losses[subject, default: 0]) >= Self.faultsOfOne
  }

  /// Handles a response, if it is about the first image.
  ///
  /// - Returns: Whether it is.
  mutating func handle(_ reply: KittyReply) -> Bool {
    guard case .asked(let id, _) = proof, reply.image == id else { return false }
    if reply.isOK {
      proof = .given
    } else if let next = medium.next {
      medium = next
      proof = .missing
    } else {
      fail("the terminal rejected graphics: \(reply.message)")
    }
    return true
  }

  /// Forgets the faults of a subject, whose image the terminal has got.
  mutating func forgiveFaults(of subject: KittySubject) {
    faults[subject] = nil
    losses[subject] = nil
    faultCount = 0
  }

  /// Counts an image that a multiplexer has dropped, though it has passed on the image's placement.
  mutating func countLoss(of subject: KittySubject) { losses[subject, default: 0] += 1 }

  mutating func countFault(of subject: KittySubject, _ reply: KittyReply) {
    faults[subject, default: 0] += 1
    faultCount += 1
    guard faultCount >= Self.faultLimit else { return }
    if let next = medium.next {
      medium = next
      faults = [:]
      faultCount = 0
    } else {
      fail("the terminal rejected graphics: \(reply.message)")
    }
  }

  /// Stops waiting for the response to the first image, which may have gone to another program.
  ///
  /// - Returns: The first image; nil if no response was pending.
  mutating func reset() -> UInt32? {
    guard case .asked(let id, _) = proof else { return nil }
    proof = .missing
    return id
  }

  private mutating func fail(_ words: String) {
    proof = .missing
    failure = words
  }
}

/// A response to a graphics command: `Gi=1,p=2;ENOENT:message`.
struct KittyReply: Equatable {
  let image: UInt32
  /// Whether the response is about a placement rather than the image.
  let isAboutPlacement: Bool
  /// "OK", or the name of an error and its description, in printable text.
  let message: String

  var isOK: Bool { message == "OK" }
  /// Whether the terminal has no more room for images.
  var isFull: Bool { message.hasPrefix("ENOSPC") }
  /// Whether the terminal does not have the image.
  var isMissing: Bool { message.hasPrefix("ENOENT") }

  /// Parses the text of an APC; returns nil if it is no response to a graphics command.
  init?(_ text: String) {
    guard text.hasPrefix("G"), let end = text.firstIndex(of: ";") else { return nil }
    var (image, isAboutPlacement) = (UInt32?.none, false)
    for part in text[text.index(after: text.startIndex)..<end].split(separator: ",") {
      if part.hasPrefix("i=") { image = UInt32(part.dropFirst(2)) }
      if part.hasPrefix("p=") { isAboutPlacement = true }
    }
    guard let image else { return nil }
    self.image = image
    self.isAboutPlacement = isAboutPlacement
    message = PrintableText.from(text[text.index(after: end)...].utf8.prefix(200))
  }
}
