import Geometry
import Glibc
import Photos
import TerminalIO

/// Drags of photos to other windows, and drops of files, through the terminal.
///
/// Whatever the terminal reports, and however often, little is kept: one list that is dragged, and one
/// that is arriving.
struct DragExchange {
  /// What a report of the terminal means to the browser.
  enum Outcome: Equatable {
    /// What the user drags may be taken out of the window.
    case offered
    case dropped(DroppedFiles, CellPoint)
    /// Nothing was dragged or dropped, for a reason that the user is told.
    case failed(String)
  }

  private enum Drop {
    case none
    /// Something is over the window; `answer` is what the terminal was told, nil before.
    case hovering(types: [String], answer: Bool?)
    /// The list of the files that were dropped on a cell is arriving, in Base64.
    case arriving(text: [UInt8], CellPoint, until: Instant)
  }

  /// The longest side of the picture of a drag, in pixels.
  static let pictureSide = 128.0
  /// The time without data after which a drop is given up, in seconds.
  private static let patience = 10.0

  /// The list of the photos that are dragged; nil if none are.
  private var dragged: [UInt8]?
  private var drop = Drop.none
  private var packets: [DragPacket] = []
  private let host: String

  init(host: String = MachineID.host) { self.host = host }

  /// Returns what is to be sent to the terminal, in this order.
  mutating func takePackets() -> [DragPacket] {
    defer { packets = [] }
    return packets
  }

  // MARK: - Dragging out

  /// Begins a drag of files to other windows.
  ///
  /// - Parameters:
  ///   - paths: The absolute paths.
  ///   - picture: The picture under the pointer; nil for none.
  ///   - allowsMove: Whether the other program may move the files away.
  /// - Returns: Why there is no drag; nil if it begins.
  mutating func begin(_ paths: [[UInt8]], picture: Bitmap?, allowsMove: Bool) -> String? {
    guard paths.count <= DroppedFiles.maxCount else {
      return "Too many to drag: \(paths.count) files; the limit is \(DroppedFiles.maxCount)"
    }
    let list = DroppedFiles.list(of: paths)
    dragged = list
    packets += [.start(allowsMove: allowsMove), .list(list)]
    if let picture {
      // RGB alone: its transparent parts are black, as colors are premultiplied.
      let pixels = picture.pixels.indices.filter { $0 % 4 != 3 }.map { picture.pixels[$0] }
      packets.append(.picture(width: picture.width, height: picture.height, pixels: pixels))
    }
    packets.append(.begin)
    return nil
  }

  /// Forgets a drag, whose end the terminal may not have reported.
  mutating func endDrag() { dragged = nil }

  // MARK: - Reports

  /// Handles a report; files can be dropped if `takesDrops` is true and they do not come from this
  /// window.
  mutating func handle(
    _ report: DragReport, takesDrops: Bool, at now: Instant
  ) -> Outcome? {
    switch report {
    case .offered: return .offered
    case .started: return nil
    case .refused(let name):
      guard dragged != nil else { return nil }
      dragged = nil
      // The button was released meanwhile.
      guard name != "EPERM" else { return nil }
      return .failed("The terminal cannot drag this: \(name)")
    case .listRequested:
      if let dragged { packets.append(.listAgain(dragged)) }
      return nil
    case .fileRequested:
      guard dragged != nil else { return nil }
      dragged = nil
      packets.append(.fileUnavailable)
      return .failed("Photos can only be dragged to programs on the same computer")
    case .ended:
      dragged = nil
      return nil
    case .hovered, .left, .dropped: return follow(report, takesDrops: takesDrops, at: now)
    case .data, .dataEnded, .dataFailed: return collect(report, at: now)
    }
  }

  private mutating func follow(
    _ report: DragReport, takesDrops: Bool, at now: Instant
  ) -> Outcome? {
    let isTaken = { [dragged] (types: [String]) in
      takesDrops && dragged == nil && types.contains(DragPacket.listType)
    }
    switch report {
    case .hovered(_, var types):
      var told: Bool?
      if case .hovering(let earlier, let answer) = drop {
        types = types.isEmpty ? earlier : types
        told = answer
      }
      let answer = isTaken(types)
      if answer != told { packets.append(.accept(answer)) }
      drop = .hovering(types: types, answer: answer)
    case .dropped(let cell, let types):
      guard isTaken(types), let number = types.firstIndex(of: DragPacket.listType) else {
        drop = .none
        packets.append(.finish(isTaken: false))
        break
      }
      packets.append(.request(number + 1))
      drop = .arriving(text: [], cell, until: now.advanced(bySeconds: Self.patience))
    default: if case .hovering = drop { drop = .none }
    }
    return nil
  }

  private mutating func collect(_ report: DragReport, at now: Instant) -> Outcome? {
    guard case .arriving(var text, let cell, _) = drop else { return nil }
    switch report {
    case .data(_, isRemote: true):
      return giveUp("The files are on another computer; nothing was copied")
    case .data(let more, _):
      guard !Self.isRepeated(more.utf8, in: text) else {
        return giveUp("Nothing was copied: the terminal garbles long lists; drop fewer files")
      }
      // Out of the value, so that the text is not copied for each part.
      drop = .none
      text += more.utf8
      guard text.count <= Base64.count(of: DroppedFiles.maxByteCount) else {
        return giveUp(Self.tooMany)
      }
      drop = .arriving(text: text, cell, until: now.advanced(bySeconds: Self.patience))
      return nil
    case .dataEnded:
      guard let list = Base64.decode(text) else {
        return giveUp("The list of the dropped files cannot be read; nothing was copied")
      }
      guard let files = DroppedFiles(list: list, host: host) else { return giveUp(Self.tooMany) }
      drop = .none
      packets.append(.finish(isTaken: true))
      return .dropped(files, cell)
    default: return giveUp("The dropped files cannot be read; nothing was copied")
    }
  }

  /// Whether a part of a list, in Base64, is the list's beginning once more.
  ///
  /// kitty 0.48.2 sends the first 3,072 bytes of a longer list again in place of the others. No list
  /// names its first file, in the same place, twice.
  private static func isRepeated(_ part: Substring.UTF8View, in text: [UInt8]) -> Bool {
    // The last character may stand for a part of a byte.
    let start = part.dropLast()
    return start.count >= minRepeated && text.starts(with: start)
  }

  /// The fewest characters that two parts do not have in common by chance.
  private static let minRepeated = 8

  private static let tooMany =
    "Nothing was copied: at most \(DroppedFiles.maxCount) files can be dropped at once"

  private mutating func giveUp(_ reason: String) -> Outcome {
    drop = .none
    packets.append(.finish(isTaken: false))
    return .failed(reason)
  }
}

extension DragExchange: PolledService {
  var pollRequests: [pollfd] { [] }

  func nextDeadline(after now: Instant) -> Instant? {
    guard packets.isEmpty else { return now }
    return if case .arriving(_, _, let end) = drop { end } else { nil }
  }

  /// Gives up a drop whose list has not arrived in time, and returns the message about it.
  mutating func service(at now: Instant) -> [String] {
    guard case .arriving(_, _, let end) = drop, end <= now,
      case .failed(let message) = giveUp("The dropped files did not arrive; nothing was copied")
    else { return [] }
    return [message]
  }

  mutating func shutDown() {}
}
