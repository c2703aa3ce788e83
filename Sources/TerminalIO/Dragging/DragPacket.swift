import Geometry

/// What the program tells the terminal about drag and drop by kitty's protocol (OSC 72).
///
/// A drag out is `start`, `list`, `picture` and `begin`, in this order; the terminal answers with
/// `DragReport.started` or `.refused`.
package enum DragPacket: Equatable, Sendable {
  /// Something is dragged as a list of URIs; receivers may copy the files, and move them if `allowsMove`
  /// is true.
  case start(allowsMove: Bool)
  /// The list of URIs (RFC 2483).
  case list([UInt8])
  /// The picture under the pointer: RGB, 8 bits a channel, `width * height * 3` bytes.
  case picture(width: Int, height: Int, pixels: [UInt8])
  case begin
  /// The list once more, on request.
  case listAgain([UInt8])
  /// A file cannot be sent to another computer, which ends the drag.
  case fileUnavailable
  /// Whether what is dragged over the window may be dropped there, to be copied.
  case accept(Bool)
  /// Requests the data of a media type, by its number from 1 on.
  case request(Int)
  /// Ends a drop, and says whether the data was taken.
  case finish(isTaken: Bool)

  /// The media type of lists of URIs.
  package static let listType = "text/uri-list"

  package var bytes: [UInt8] {
    switch self {
    case .start(let allowsMove): Self.sequence("t=o:o=\(allowsMove ? 3 : 1);\(Self.listType)")
    case .list(let list): Self.chunks(of: list, "t=p:x=0")
    case .picture(let width, let height, let pixels):
      Self.chunks(of: pixels, "t=p:x=-1:y=24:X=\(width):Y=\(height)")
    case .begin: Self.sequence("t=P:x=-1")
    case .listAgain(let list): Self.chunks(of: list, "t=e:y=0")
    case .fileUnavailable: Self.sequence("t=E;EOPNOTSUPP")
    case .accept(true): Self.sequence("t=m:o=1;\(Self.listType)")
    case .accept(false): Self.sequence("t=m:o=0")
    case .request(let number): Self.sequence("t=r:x=\(number)")
    case .finish(let isTaken): Self.sequence("t=r:o=\(isTaken ? 1 : 0)")
    }
  }

  private static func sequence(_ text: String) -> [UInt8] {
    Array("\u{1B}]72;\(text)\u{1B}\\".utf8)
  }

  /// The most bytes of data in a sequence, of which Base64 makes 4096.
  private static let maxPieceLength = 3072

  /// Returns data in pieces, and an empty one at the end.
  ///
  /// The last piece is not padded: kitty 0.48 takes padding there for an error, as more could follow.
  private static func chunks(of data: [UInt8], _ keys: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: data.count, by: maxPieceLength) {
      let piece = data[start..<min(start + maxPieceLength, data.count)]
      bytes += "\u{1B}]72;\(keys):m=1;".utf8
      Base64.encode(piece, to: &bytes)
      while bytes.last == UInt8(ascii: "=") { bytes.removeLast() }
      bytes += "\u{1B}\\".utf8
    }
    return bytes + sequence("\(keys):m=0;")
  }
}
