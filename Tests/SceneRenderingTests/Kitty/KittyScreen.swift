import Geometry
import SceneModel

@testable import SceneRendering

/// A terminal that implements kitty's graphics protocol with images and placements; it throws on
/// anything that terminals may interpret differently.
struct KittyScreen {
  struct Wrong: Error, CustomStringConvertible {
    let what: String
    var description: String { what }
  }

  struct Placement: Equatable {
    var image: UInt32
    var cells: CellRect
    var source: KittySource
    var depth: Int
  }

  let columns: Int
  let rows: Int
  let cell: (width: Int, height: Int)
  private(set) var text: TerminalScreen
  private(set) var images: [UInt32: PixelMap] = [:]
  /// The placements, by number.
  private(set) var placements: [UInt32: Placement] = [:]
  /// The sizes of the virtual placements in cells, by image.
  private(set) var virtual: [UInt32: CellSize] = [:]
  /// The responses that were not taken yet.
  private(set) var replies: [String] = []
  /// The number of images sent so far.
  private(set) var uploadCount = 0
  /// The number of times that placements were made or moved so far.
  private(set) var putCount = 0
  /// The largest number of pixels stored at a time.
  private(set) var peakPixels = 0

  /// Takes the contents of shared memory or a file, by medium and name.
  var storage: (String, [UInt8]) -> [UInt8]? = { _, _ in nil }
  /// The errors for the next images.
  var refusals: [String] = []
  /// Whether it responds at all.
  var answers = true
  /// Whether it supports placeholders; otherwise it does not respond to them.
  var knowsPlaceholders = true
  /// Whether commands must be wrapped for tmux.
  var isWrapped = false
  /// Whether tmux drops all commands.
  var dropsCommands = false
  /// The number of commands so far.
  private(set) var commandCount = 0
  private var upload: Upload?
  private var lost: Set<UInt32> = []
  private var isInPicture = false

  private struct Upload {
    var keys: [String: String]
    var data: [UInt8]
  }

  init(columns: Int, rows: Int, cell: (width: Int, height: Int) = (10, 20)) {
    self.columns = columns
    self.rows = rows
    self.cell = cell
    text = TerminalScreen(columns: columns, rows: rows)
  }

  // MARK: - Frames

  /// Applies a frame: first its uploads, then its picture.
  mutating func apply(_ frame: FrameBytes) throws {
    isInPicture = false
    try apply(frame.uploads)
    guard upload == nil else { throw Wrong(what: "a picture is drawn inside of an upload") }
    isInPicture = true
    try apply(frame.picture)
  }

  /// Applies bytes.
  mutating func apply(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    var plain: [UInt8] = []
    while let first = rest.first {
      guard first == 0x1B, let introducer = rest.dropFirst().first,
        introducer == UInt8(ascii: "_") || introducer == UInt8(ascii: "P")
      else {
        plain.append(first)
        rest = rest.dropFirst()
        continue
      }
      try text.apply(plain)
      plain = []
      let isTmux = introducer == UInt8(ascii: "P")
      guard isTmux == isWrapped else { throw Wrong(what: "wrapped the wrong way") }
      let body = isTmux ? try Self.unwrapped(&rest) : try Self.string(&rest)
      if dropsCommands { continue }
      commandCount += 1
      try command(body)
    }
    try text.apply(plain)
  }

  // MARK: - Commands

  private mutating func command(_ body: ArraySlice<UInt8>) throws {
    let string = String(decoding: body, as: UTF8.self)
    guard string.hasPrefix("G") else { throw Wrong(what: "an APC that is no graphics") }
    let parts = string.dropFirst().split(
      separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    let payload = parts.count > 1 ? parts[1] : ""
    guard parts[0].utf8.count <= 1024 else { throw Wrong(what: "control data too long") }
    guard payload.utf8.count <= 4096 else { throw Wrong(what: "a chunk of \(payload.utf8.count)") }
    var keys: [String: String] = [:]
    for pair in parts[0].split(separator: ",", omittingEmptySubsequences: false) {
      let sides = pair.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      guard sides.count == 2, sides[0].utf8.count == 1, keys[sides[0]] == nil else {
        throw Wrong(what: "keys \(parts[0])")
      }
      keys[sides[0]] = sides[1]
    }
    if upload != nil {
      guard Set(keys.keys).isSubset(of: ["m", "q"]) else {
        throw Wrong(what: "\(parts[0]) inside of an upload")
      }
      return try takeChunk(keys, payload)
    }
    switch keys["a"] {
    case "t": try transmit(keys, payload)
    case "p": try put(keys)
    case "d": try delete(keys)
    default: throw Wrong(what: "action \(keys["a"] ?? "missing")")
    }
  }

  private mutating func transmit(_ keys: [String: String], _ payload: Substring) throws {
    try check(keys, allowed: ["a", "t", "f", "s", "v", "i", "q", "m", "N"])
    // An image is freed by replacing it with a single pixel.
    let isFreeing = keys["s"] == "1" && keys["v"] == "1"
    guard !isInPicture || isFreeing else {
      throw Wrong(what: "an upload in the synchronized update")
    }
    let id = UInt32(try number(keys, "i"))
    guard id <= 0xFF_FFFF else { throw Wrong(what: "an identifier of more than 24 bits") }
    if let old = images[id] {
      let isBlank = old.width == 1 && old.height == 1
      guard isFreeing || isBlank, !placements.values.contains(where: { $0.image == id }) else {
        throw Wrong(what: "image \(id) is sent again")
      }
    }
    upload = Upload(keys: keys, data: [])
    guard let medium = keys["t"], ["d", "s", "t"].contains(medium) else {
      throw Wrong(what: "medium of \(keys)")
    }
    if medium == "d" { return try takeChunk(keys, payload) }
    guard keys["m"] == nil else { throw Wrong(what: "a file in chunks") }
    let name = String(decoding: try Self.decoded(payload), as: UTF8.self)
    if medium == "t", !name.contains("tty-graphics-protocol") {
      throw Wrong(what: "a temporary file that is not named so")
    }
    guard let data = storage(medium, Array(name.utf8)) else {
      upload = nil
      return answer(id, keys, "EBADF:no such object")
    }
    upload?.data = data
    try finish()
  }

  private mutating func takeChunk(_ keys: [String: String], _ payload: Substring) throws {
    let more = try number(keys, "m", least: 0)
    guard more <= 1, payload.utf8.count % 4 == 0 else {
      throw Wrong(what: "a chunk with m=\(more)")
    }
    upload?.data += try Self.decoded(payload)
    if more == 0 { try finish() }
  }

  private mutating func finish() throws {
    guard let upload else { return }
    self.upload = nil
    uploadCount += 1
    let id = UInt32(try number(upload.keys, "i"))
    let isFreeing = upload.keys["q"] == "2"
    if !isFreeing, !refusals.isEmpty {
      images[id] = nil
      return answer(id, upload.keys, refusals.removeFirst())
    }
    switch upload.keys["f"] {
    case "32":
      let (width, height) = (try number(upload.keys, "s"), try number(upload.keys, "v"))
      guard upload.data.count == width * height * 4 else { throw Wrong(what: "size of the data") }
      images[id] = PixelMap(width: width, height: height, bytes: upload.data)
    case "100":
      guard upload.keys["s"] == nil, upload.keys["v"] == nil else { throw Wrong(what: "size") }
      let file = try PNGReader(upload.data)
      images[id] = PixelMap(width: file.width, height: file.height, bytes: file.bytes)
    case let other: throw Wrong(what: "format \(other ?? "missing")")
    }
    let pixels = images.values.reduce(0) { $0 + $1.width * $1.height }
    peakPixels = max(peakPixels, pixels)
    answer(id, upload.keys, "OK")
  }

  private mutating func put(_ keys: [String: String]) throws {
    if keys["U"] != nil { return try putVirtually(keys) }
    try check(keys, allowed: ["a", "i", "p", "c", "r", "x", "y", "w", "h", "z", "C", "q"])
    guard isInPicture, !isWrapped else { throw Wrong(what: "a put outside of the picture") }
    let (id, placement) = (UInt32(try number(keys, "i")), UInt32(try number(keys, "p")))
    guard keys["C"] == "1" else { throw Wrong(what: "a put that moves the cursor") }
    let place = Placement(
      image: id,
      cells: CellRect(
        origin: CellPoint(column: text.column, row: text.row),
        size: CellSize(columns: try number(keys, "c"), rows: try number(keys, "r"))),
      source: KittySource(
        x: try number(keys, "x", or: 0), y: try number(keys, "y", or: 0),
        width: try number(keys, "w"), height: try number(keys, "h")),
      depth: try number(keys, "z", least: Int(Int32.min)))
    guard let image = images[id] else {
      return answer(id, keys, "ENOENT:no such image")
    }
    if let old = placements[placement], old.image != id {
      throw Wrong(what: "placement \(placement) of two images")
    }
    guard place.source.x + place.source.width <= image.width,
      place.source.y + place.source.height <= image.height
    else { throw Wrong(what: "\(place.source) in \(image.width)x\(image.height)") }
    guard place.cells.columns.upperBound <= columns, place.cells.rows.upperBound <= rows else {
      throw Wrong(what: "\(place.cells) beyond the screen")
    }
    placements[placement] = place
    putCount += 1
  }

  private mutating func putVirtually(_ keys: [String: String]) throws {
    try check(keys, allowed: ["a", "U", "i", "p", "c", "r", "C", "q"])
    let id = UInt32(try number(keys, "i"))
    guard images[id] != nil else { return answer(id, keys, "ENOENT:no such image") }
    guard knowsPlaceholders else { return }
    virtual[id] = CellSize(columns: try number(keys, "c"), rows: try number(keys, "r"))
    answer(id, keys, "OK")
  }

  private mutating func delete(_ keys: [String: String]) throws {
    let id = UInt32(try number(keys, "i"))
    switch keys["d"] {
    case "i":
      try check(keys, allowed: ["a", "d", "i", "p", "q"])
      let placement = UInt32(try number(keys, "p"))
      guard placements[placement]?.image == id || lost.contains(id) else {
        throw Wrong(what: "placement \(placement) of \(id) is not there")
      }
      placements[placement] = nil
    case "I":
      try check(keys, allowed: ["a", "d", "i", "q"])
      images[id] = nil
      virtual[id] = nil
      placements = placements.filter { $0.value.image != id }
      // As kitty 0.26 does.
      let used = Set(placements.values.map(\.image)).union(virtual.keys)
      images = images.filter { used.contains($0.key) }
    default: throw Wrong(what: "delete \(keys)")
    }
  }

  private mutating func answer(_ id: UInt32, _ keys: [String: String], _ message: String) {
    let quiet = Int(keys["q"] ?? "0") ?? 0
    guard answers, quiet == 0 || quiet == 1 && message != "OK" else { return }
    let placement = keys["p"].map { ",p=\($0)" } ?? ""
    replies.append("Gi=\(id)\(placement);\(message)")
  }

  /// Returns the responses since the last call.
  mutating func takeReplies() -> [String] {
    defer { replies = [] }
    return replies
  }

  /// Loses an image, as terminals do that run out of room.
  mutating func lose(_ id: UInt32) {
    images[id] = nil
    virtual[id] = nil
    placements = placements.filter { $0.value.image != id }
    lost.insert(id)
  }

  /// Clears the cells alone, as tmux does.
  mutating func clearText() { text = TerminalScreen(columns: columns, rows: rows) }

  /// Clears images and cells, as ED 2 does.
  mutating func clear() {
    images = [:]
    placements = [:]
    virtual = [:]
    text = TerminalScreen(columns: columns, rows: rows)
  }
}
