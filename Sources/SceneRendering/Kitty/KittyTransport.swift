import PhotoGridCore

extension KittyMedium {
  /// What is tried where this does not work.
  var next: KittyMedium? {
    switch self {
    case .sharedMemory: .temporaryFile
    case .temporaryFile: .direct
    case .direct: nil
    }
  }

  /// Whether an image's bytes do not go through the stream.
  var isLocal: Bool { self != .direct }

  /// The protocol's letter.
  fileprivate var letter: String {
    switch self {
    case .sharedMemory: "s"
    case .temporaryFile: "t"
    case .direct: "d"
    }
  }
}

/// Puts bytes where the terminal finds them by name.
///
/// That is in shared memory or in a temporary file. It returns the name; nil where that fails. What
/// the terminal does not remove is the giver's to remove in the end.
package typealias KittyHandover = (_ bytes: [UInt8], _ medium: KittyMedium) -> [UInt8]?

/// The medium by which images reach the terminal, and the terminal's responses to them.
struct KittyTransport {
  /// The medium in use; it gets slower where a faster one turns out not to work.
  private(set) var medium: KittyMedium
  /// Why there is no way; printable.
  private(set) var failure: String?
  private let isKnownToAnswer: Bool
  private let handover: KittyHandover
  private var proof = Proof.missing
  private var faults: [KittySubject: Int] = [:]
  private var faultCount = 0

  /// Whether the terminal has shown that it takes images.
  private enum Proof: Equatable {
    case missing
    /// A single pixel was sent; for so many frames nothing has come back.
    case asked(UInt32, frames: Int)
    case given
  }

  /// After so many frames without an answer none will come: each waits for the terminal to have
  /// read the one before.
  private static let patience = 30
  /// The same for a terminal that has answered before: on a busy machine kitty reads many frames
  /// before it looks at the first.
  private static let longPatience = 300
  /// A picture that was refused so often is left to the cells.
  private static let faultsOfOne = 3
  /// After so many refusals nothing is sent any more.
  private static let faultLimit = 24

  /// Creates a transport that tries a medium first, and slower ones where it fails.
  ///
  /// - Parameters:
  ///   - medium: The medium to try first.
  ///   - isKnownToAnswer: Whether the terminal has answered before, so that silence means that it is
  ///     slow.
  ///   - handover: Puts bytes where the terminal finds them.
  init(medium: KittyMedium, isKnownToAnswer: Bool, handover: @escaping KittyHandover) {
    self.medium = medium
    self.isKnownToAnswer = isKnownToAnswer
    self.handover = handover
  }

  /// Whether images can be sent.
  var isOpen: Bool { proof == .given && failure == nil }

  /// Whether an answer to the first image is still waited for.
  var isAsking: Bool { proof != .given && failure == nil }

  /// Sends the first image, if it was not, and gives up if nothing comes back.
  ///
  /// A terminal that is known to answer gets it several times before that.
  ///
  /// - Parameters:
  ///   - id: A new identifier.
  ///   - writer: Where it is written.
  mutating func ask(id: () -> UInt32, to writer: inout KittyWriter) {
    switch proof {
    case .given: return
    case .asked(let id, let frames):
      proof = .asked(id, frames: frames + 1)
      if frames >= (isKnownToAnswer ? Self.longPatience : Self.patience) {
        fail("the terminal does not answer to graphics")
      } else if frames > 0, frames % Self.patience == 0 {
        sendPixel(id, to: &writer)
      }
    case .missing:
      let id = id()
      proof = .asked(id, frames: 0)
      sendPixel(id, to: &writer)
    }
  }

  private mutating func sendPixel(_ id: UInt32, to writer: inout KittyWriter) {
    let pixel = PixelRaster(width: 1, height: 1, pixels: [0, 0, 0, 0], isOpaque: false)
    guard writer.isWrapped else {
      send(pixel, border: .zero, id: id, answer: .always, to: &writer)
      return
    }
    // What does not know placeholders has no answer to the second command.
    send(pixel, border: .zero, id: id, answer: .failure, to: &writer)
    writer.placeVirtually(id, on: CellSize(columns: 1, rows: 1), answer: .always)
  }

  /// Sends a picture with a transparent border around it: as it is by a medium of this machine, else
  /// as a PNG file.
  mutating func send(
    _ raster: PixelRaster, border: Insets, id: UInt32, answer: KittyWriter.Answer,
    to writer: inout KittyWriter
  ) {
    while medium.isLocal {
      let bordered = raster.bordered(by: border)
      if let name = handover(bordered.pixels, medium) {
        writer.transmit(
          id, .rgba(width: bordered.width, height: bordered.height), from: medium.letter,
          named: name, answer: answer)
        return
      }
      medium = medium.next ?? .direct
    }
    writer.transmit(id, .png, PNG.file(of: raster, border: border), answer: answer)
  }

  /// Whether a subject is not worth another try.
  func isRefused(_ subject: KittySubject) -> Bool {
    faults[subject, default: 0] >= Self.faultsOfOne
  }

  /// Handles a response to the first image.
  ///
  /// - Returns: Whether it was one.
  mutating func handle(_ reply: KittyReply) -> Bool {
    guard case .asked(let id, _) = proof, reply.image == id else { return false }
    if reply.isOK {
      proof = .given
    } else if let next = medium.next {
      medium = next
      proof = .missing
    } else {
      fail("the terminal refuses graphics: \(reply.message)")
    }
    return true
  }

  /// Counts a refused or lost image.
  mutating func countFault(of subject: KittySubject, _ reply: KittyReply) {
    faults[subject, default: 0] += 1
    faultCount += 1
    guard faultCount >= Self.faultLimit else { return }
    if let next = medium.next {
      medium = next
      faults = [:]
      faultCount = 0
    } else {
      fail("the terminal refuses graphics: \(reply.message)")
    }
  }

  /// Stops to wait for a response, which may have gone to another program.
  ///
  /// - Returns: The image that it would have been about.
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

/// A response to a graphics command: `G i=1,p=2;ENOENT:words`.
struct KittyReply: Equatable {
  let image: UInt32
  /// Whether it is about a placement rather than the image.
  let isAboutPlacement: Bool
  /// "OK", or an error's name and words; printable.
  let message: String

  /// Whether it went well.
  var isOK: Bool { message == "OK" }
  /// Whether the terminal has no more room.
  var isFull: Bool { message.hasPrefix("ENOSPC") }

  /// The reply in the text of an APC; nil if it is something else.
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
