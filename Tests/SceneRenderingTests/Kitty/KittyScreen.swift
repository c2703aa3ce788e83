import PhotoGridCore

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
      try command(body)
    }
    try text.apply(plain)
  }

  /// Removes an `APC` from the front and returns its contents.
  private static func string(_ bytes: inout ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
    bytes = bytes.dropFirst(2)
    guard let end = bytes.firstIndex(of: 0x1B),
      bytes.dropFirst(end + 1 - bytes.startIndex).first == 0x5C
    else { throw Wrong(what: "a string without its end") }
    let body = bytes[..<end]
    bytes = bytes[(end + 2)...]
    return body
  }

  /// Removes a sequence wrapped for tmux from the front, and returns the contents of its `APC`.
  private static func unwrapped(_ bytes: inout ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
    let opening = Array("\u{1B}Ptmux;".utf8)
    guard bytes.starts(with: opening) else { throw Wrong(what: "a DCS that is not tmux's") }
    bytes = bytes.dropFirst(opening.count)
    var inner: [UInt8] = []
    while let byte = bytes.popFirst() {
      guard byte == 0x1B else {
        inner.append(byte)
        continue
      }
      let next = bytes.popFirst()
      if next == 0x5C { break }
      guard next == 0x1B else { throw Wrong(what: "an ESC that is not doubled") }
      inner.append(0x1B)
    }
    var slice = inner[...]
    let body = try string(&slice)
    guard slice.isEmpty else { throw Wrong(what: "more than one command in a wrapper") }
    return body
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

  private func check(_ keys: [String: String], allowed: Set<String>) throws {
    let unknown = Set(keys.keys).subtracting(allowed)
    guard unknown.isEmpty else { throw Wrong(what: "keys \(unknown) with \(keys)") }
    guard keys["q"].map({ ["1", "2"].contains($0) }) ?? true else { throw Wrong(what: "q") }
  }

  private func number(_ keys: [String: String], _ name: String, least: Int = 1) throws -> Int {
    guard let number = keys[name].flatMap({ Int($0) }), number >= least, number <= 0xFFFF_FFFF
    else { throw Wrong(what: "\(name) of \(keys)") }
    return number
  }

  private mutating func transmit(_ keys: [String: String], _ payload: Substring) throws {
    try check(keys, allowed: ["a", "t", "f", "s", "v", "i", "q", "m"])
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
    try check(keys, allowed: ["a", "U", "i", "c", "r", "C", "q"])
    let id = UInt32(try number(keys, "i"))
    guard images[id] != nil else { return answer(id, keys, "ENOENT:no such image") }
    guard knowsPlaceholders else { return }
    virtual[id] = CellSize(columns: try number(keys, "c"), rows: try number(keys, "r"))
    answer(id, keys, "OK")
  }

  private func number(_ keys: [String: String], _ name: String, or standard: Int) throws -> Int {
    keys[name] == nil ? standard : try number(keys, name, least: 0)
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
    placements = placements.filter { $0.value.image != id }
    lost.insert(id)
  }

  /// Clears images and cells, as ED 2 does.
  mutating func clear() {
    images = [:]
    placements = [:]
    virtual = [:]
    text = TerminalScreen(columns: columns, rows: rows)
  }

  private static func decoded(_ text: Substring) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var (held, bits) = (0, 0)
    let padding = text.utf8.suffix(2).count { $0 == 0x3D }
    for character in text.utf8.dropLast(padding) {
      let digit = digits[Int(character)]
      guard digit >= 0 else { throw Wrong(what: "base64") }
      held = (held << 6 | digit) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(held >> bits & 255))
      }
    }
    return bytes
  }

  private static let digits: [Int] = {
    var values = [Int](repeating: -1, count: 256)
    let text = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, digit) in text.utf8.enumerated() { values[Int(digit)] = value }
    return values
  }()
}

// MARK: - Rendering

extension KittyScreen {
  /// The screen in pixels, over a background: cells in block glyphs, then the placements by depth.
  func rendered(over background: RGB = .black) -> PixelMap {
    var map = PixelMap(
      width: columns * cell.width, height: rows * cell.height, filledWith: background.pixel)
    for row in 0..<rows {
      for column in 0..<columns {
        drawCell(column, row, background, &map)
        drawPlaceholder(column, row, &map)
      }
    }
    let order = placements.sorted {
      ($0.value.depth, $0.value.image, $0.key) < ($1.value.depth, $1.value.image, $1.key)
    }
    for (_, placement) in order { draw(placement, &map) }
    return map
  }

  private func drawCell(_ column: Int, _ row: Int, _ background: RGB, _ map: inout PixelMap) {
    guard let samples = try? text.samples(column, row, of: .half) else { return }
    for y in 0..<cell.height {
      guard case .rgb(let color) = samples[y * 2 / cell.height] else { continue }
      for x in 0..<cell.width {
        map[column * cell.width + x, row * cell.height + y] = color.pixel
      }
    }
  }

  /// The part of an image that a cell represents, if it is a placeholder.
  func placeholder(_ column: Int, _ row: Int) -> (image: UInt32, row: Int, column: Int)? {
    let cell = text[column, row]
    let scalars = Array(cell.text.unicodeScalars)
    guard scalars.count == 3, scalars[0] == "\u{10EEEE}", case .rgb(let color) = cell.foreground,
      let imageRow = Self.numerals[scalars[1]], let imageColumn = Self.numerals[scalars[2]]
    else { return nil }
    let id = UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
    return (id, imageRow, imageColumn)
  }

  private static let numerals: [Unicode.Scalar: Int] = Dictionary(
    uniqueKeysWithValues: Placeholders.marks.enumerated().compactMap { number, bytes in
      String(decoding: bytes, as: UTF8.self).unicodeScalars.first.map { ($0, number) }
    })

  private func drawPlaceholder(_ column: Int, _ row: Int, _ map: inout PixelMap) {
    guard let part = placeholder(column, row), let image = images[part.image],
      let size = virtual[part.image], part.row < size.rows, part.column < size.columns
    else { return }
    // Terminals keep the image's aspect ratio, so it must fit its cells exactly.
    guard image.width == size.columns * cell.width, image.height == size.rows * cell.height else {
      return
    }
    for y in 0..<cell.height {
      for x in 0..<cell.width {
        map.blend(
          image[part.column * cell.width + x, part.row * cell.height + y],
          x: column * cell.width + x, y: row * cell.height + y)
      }
    }
  }

  /// Renders one pixel of the placements, without the cells.
  func pixel(_ x: Int, _ y: Int, over background: RGB) -> Pixel {
    var map = PixelMap(width: 1, height: 1, filledWith: background.pixel)
    let order = placements.sorted {
      ($0.value.depth, $0.value.image, $0.key) < ($1.value.depth, $1.value.image, $1.key)
    }
    for (_, placement) in order
    where placement.cells.contains(column: x / cell.width, row: y / cell.height) {
      if let color = color(of: placement, x, y) { map.blend(color, x: 0, y: 0) }
    }
    return map[0, 0]
  }

  private func draw(_ placement: Placement, _ map: inout PixelMap) {
    let cells = placement.cells
    for y in cells.rows.lowerBound * cell.height..<cells.rows.upperBound * cell.height {
      for x in cells.columns.lowerBound * cell.width..<cells.columns.upperBound * cell.width {
        if let color = color(of: placement, x, y) { map.blend(color, x: x, y: y) }
      }
    }
  }

  /// The colour of a placement at a pixel of the screen.
  private func color(of placement: Placement, _ x: Int, _ y: Int) -> Pixel? {
    let (cells, source) = (placement.cells, placement.source)
    let u =
      (Double(x - cells.origin.column * cell.width) + 0.5)
      / Double(cells.size.columns * cell.width)
    let v =
      (Double(y - cells.origin.row * cell.height) + 0.5) / Double(cells.size.rows * cell.height)
    return images[placement.image]?.interpolated(
      Double(source.x) + u * Double(source.width), Double(source.y) + v * Double(source.height))
  }
}
