import Geometry

/// Writes the commands of kitty's graphics protocol, and the cursor moves that they need.
///
/// https://sw.kovidgoyal.net/kitty/graphics-protocol/
struct KittyWriter {
  var bytes: [UInt8] = []
  /// Whether commands are wrapped, so that tmux passes them on.
  let isWrapped: Bool

  /// The responses that the terminal should send to a command (`q=`).
  enum Answer: Int {
    /// Success and failure.
    case always = 0
    /// Failure only.
    case failure = 1
    /// None.
    case never = 2
  }

  /// The format of an image's bytes.
  enum Format: Equatable {
    case png
    /// RGBA, 8 bits a channel, with a size in pixels.
    case rgba(width: Int, height: Int)
  }

  /// The most bytes of a command's payload, in base64; longer ones are sent in chunks.
  static let chunkLimit = 4096

  mutating func transmit(
    _ id: UInt32, _ format: Format, _ data: [UInt8], isTransient: Bool = false, answer: Answer
  ) {
    let step = Self.chunkLimit / 4 * 3
    var start = 0
    repeat {
      let end = min(start + step, data.count)
      command(data[start..<end]) { out in
        if start == 0 {
          out.put("a=t,t=d,")
          out.put(format)
          out.put("i=", Int(id))
          out.put(isTransient ? ",N=1," : ",")
        }
        // Continuations have no other keys.
        out.put("m=", end < data.count ? 1 : 0)
        if answer != .always { out.put(",q=", answer.rawValue) }
      }
      start = end
    } while start < data.count
  }

  /// Sends an image by the name of an object with its bytes, which the terminal removes.
  ///
  /// The medium is `s` for shared memory, or `t` for a temporary file.
  mutating func transmit(
    _ id: UInt32, _ format: Format, from medium: String, named name: [UInt8],
    isTransient: Bool = false, answer: Answer
  ) {
    command(name[...]) { out in
      out.put("a=t,t=")
      out.put(medium)
      out.put(",")
      out.put(format)
      out.put("i=", Int(id))
      if isTransient { out.put(",N=1") }
      if answer != .always { out.put(",q=", answer.rawValue) }
    }
  }

  /// Places a part of an image in cells, or changes the placement if it exists.
  mutating func put(_ put: KittyPlacement, placement: UInt32, answer: Answer) {
    moveCursor(column: put.cells.origin.column, row: put.cells.origin.row)
    command { out in
      out.put("a=p,i=", Int(put.image))
      out.put(",p=", Int(placement))
      out.put(",c=", put.cells.size.columns)
      out.put(",r=", put.cells.size.rows)
      if put.source.x > 0 { out.put(",x=", put.source.x) }
      if put.source.y > 0 { out.put(",y=", put.source.y) }
      out.put(",w=", put.source.width)
      out.put(",h=", put.source.height)
      out.put(",z=", put.depth)
      out.put(",C=1")
      if answer != .always { out.put(",q=", answer.rawValue) }
    }
  }

  /// Sets the number of cells in which placeholder characters show an image.
  ///
  /// Its number is always the same, so that doing it again changes nothing.
  mutating func placeVirtually(_ id: UInt32, on cells: CellSize, answer: Answer) {
    command { out in
      out.put("a=p,U=1,i=", Int(id))
      out.put(",p=1,c=", cells.columns)
      out.put(",r=", cells.rows)
      out.put(",C=1")
      if answer != .always { out.put(",q=", answer.rawValue) }
    }
  }

  mutating func delete(placement: UInt32, of image: UInt32) {
    command { out in
      out.put("a=d,d=i,i=", Int(image))
      out.put(",p=", Int(placement))
      out.put(",q=2")
    }
  }

  mutating func free(_ image: UInt32) {
    command { out in
      out.put("a=d,d=I,i=", Int(image))
      out.put(",q=2")
    }
  }

  mutating func moveCursor(column: Int, row: Int) {
    bytes.put("\u{1B}[", row + 1)
    bytes.put(";", column + 1)
    bytes.put("H")
  }

  /// Writes a command: `APC G control ; payload in base64 ST`.
  private mutating func command(
    _ payload: ArraySlice<UInt8> = [], _ control: (inout [UInt8]) -> Void
  ) {
    // In a string for tmux every ESC is doubled.
    bytes.put(isWrapped ? "\u{1B}Ptmux;\u{1B}\u{1B}_G" : "\u{1B}_G")
    control(&bytes)
    if !payload.isEmpty {
      bytes.put(";")
      Base64.encode(payload, to: &bytes)
    }
    bytes.put(isWrapped ? "\u{1B}\u{1B}\\\u{1B}\\" : "\u{1B}\\")
  }
}

extension [UInt8] {
  fileprivate mutating func put(_ text: String) { append(contentsOf: text.utf8) }

  fileprivate mutating func put(_ text: String, _ number: Int) {
    put(text)
    if number < 0 { append(UInt8(ascii: "-")) }
    var (left, divisor) = (number.magnitude, UInt(1))
    while left / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: left / divisor))
      left %= divisor
      divisor /= 10
    }
  }

  fileprivate mutating func put(_ format: KittyWriter.Format) {
    switch format {
    case .png: put("f=100,")
    case .rgba(let width, let height):
      put("f=32,s=", width)
      put(",v=", height)
      put(",")
    }
  }
}
