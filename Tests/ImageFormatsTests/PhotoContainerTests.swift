import Geometry
import TestSupport
import Testing

@testable import ImageFormats

/// XMP packets and orientations put into photos of all formats that are written.
@Suite struct PhotoContainerTests {
  static let photos = [
    "card.jpg", "card-progressive.jpg", "inks.jpg", "gray.jpg", "turned.png", "alpha.png",
    "palette.png", "swapped.png", "card.webp", "alpha.webp", "film.webp", "turned.webp",
    "texture.webp", "card.tif", "turned.tif", "big-endian.tif", "texture.tif",
  ]

  /// A packet with some text.
  static func packet(_ text: String, padding: Int = 0) -> [UInt8] {
    Array(
      """
      <?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'>\
      \(text)</x:xmpmeta>\(String(repeating: " ", count: padding))<?xpacket end='w'?>
      """.utf8)
  }

  /// Puts a packet into a photo, checks everything that can be checked, and returns the new photo and
  /// how many bytes longer it is.
  @discardableResult
  static func put(
    _ packet: [UInt8], into old: [UInt8], source: SourceLocation = #_sourceLocation
  ) throws -> (photo: [UInt8], growth: Int) {
    let patch = try PhotoContainers.open(ByteSource(old)).patch(xmp: packet)
    let new = try #require(patch.applied(to: old), sourceLocation: source)
    #expect(
      PhotoContainers.isPatched(ByteSource(new), from: ByteSource(old), by: patch, xmp: packet),
      sourceLocation: source)
    #expect(
      try #require(patch.inverse(in: ByteSource(old))).applied(to: new) == old,
      sourceLocation: source)
    return (new, patch.growth)
  }

  /// Sets an orientation, checks everything that can be checked, and returns the new photo.
  @discardableResult
  static func turn(
    _ old: [UInt8], to number: Int, source: SourceLocation = #_sourceLocation
  ) throws -> [UInt8] {
    let orientation = Orientation(number: number)
    let patch = try PhotoContainers.open(ByteSource(old)).patch(orientation)
    let new = try #require(patch.applied(to: old), sourceLocation: source)
    #expect(
      PhotoContainers.isPatched(ByteSource(new), from: ByteSource(old), by: patch, orientation),
      sourceLocation: source)
    #expect(
      try #require(patch.inverse(in: ByteSource(old))).applied(to: new) == old,
      sourceLocation: source)
    return new
  }

  @Test(arguments: photos)
  func `a packet is put in, changed in place, outgrows its place, and is gone after the undo`(
    name: String
  ) throws {
    let old = image(name)
    let first = try Self.put(Self.packet("first"), into: old)
    let second = try Self.put(Self.packet("the second, longer"), into: first.photo)
    #expect(second.growth == 0)
    let long = Self.packet(String(repeating: "long ", count: 2000))
    let third = try Self.put(long, into: second.photo)
    #expect(third.growth > 0)
    let fourth = try Self.put(Self.packet("short"), into: third.photo)
    #expect(fourth.growth == 0)
  }

  @Test(arguments: photos)
  func `an orientation is set, and set again in place`(name: String) throws {
    let old = image(name)
    let turned = try Self.turn(old, to: 6)
    let again = try Self.turn(turned, to: 3)
    #expect(again.count == turned.count)
    #expect(zip(again, turned).count { $0 != $1 } <= 5, "a number, and a checksum")
    // Both are in one file.
    let both = try Self.put(Self.packet("both"), into: again).photo
    #expect(try PhotoContainers.open(ByteSource(both)).orientation == Orientation(number: 3))
    try Self.turn(both, to: 8)
  }

  @Test func `the same value changes nothing`() throws {
    for name in Self.photos {
      let turned = try Self.turn(image(name), to: 6)
      #expect(
        try PhotoContainers.open(ByteSource(turned)).patch(Orientation(number: 6)).isEmpty)
      let (rated, _) = try Self.put(Self.packet("rated"), into: image(name))
      let patch = try PhotoContainers.open(ByteSource(rated)).patch(xmp: Self.packet("rated"))
      #expect(patch.isEmpty)
    }
  }

  @Test func `other formats are refused`() {
    for name in ["card.heic", "card.avif", "card.gif", "card.psd", "card.jxl", "card.bmp"] {
      #expect(throws: ContainerFault.format) { try PhotoContainers.open(ByteSource(image(name))) }
    }
    #expect(throws: ContainerFault.format) { try PhotoContainers.open(ByteSource([])) }
  }

  @Test(arguments: photos)
  func `a file that ends early, or has one byte changed, is refused or patched right`(name: String)
    throws
  {
    let old = try Self.turn(Self.put(Self.packet("old"), into: image(name)).photo, to: 6)
    // The pixels themselves are of no interest.
    for length in 0..<min(old.count, 1500) { Self.tryAll(Array(old[..<length])) }
    for length in max(0, old.count - 3000)..<old.count { Self.tryAll(Array(old[..<length])) }
    for place in 0..<min(old.count, 1500) {
      for byte in [0, 1, 0x7f, 0xff] as [UInt8] {
        var changed = old
        changed[place] = byte
        Self.tryAll(changed)
      }
    }
  }

  private static func tryAll(_ bytes: [UInt8]) {
    let source = ByteSource(bytes)
    guard let container = try? PhotoContainers.open(source) else { return }
    _ = try? container.xmp
    let packet = packet("new")
    for patch in [try? container.patch(xmp: packet), try? container.patch(Orientation(number: 5))] {
      guard let patch else { continue }
      let new = patch.applied(to: bytes)
      #expect(new != nil && new.flatMap { patch.inverse(in: source)?.applied(to: $0) } == bytes)
    }
  }

  @Test func `only the places that differ are replaced`() throws {
    let old: [UInt8] = Array(0..<100)
    let patch = try #require(
      FilePatch([
        .init(90..<90, [1, 2]), .init(10..<20, [10, 11, 99, 13, 14, 15, 16, 17, 18, 19]),
        .init(30..<40, Array(30..<40)),
      ]))
    let trimmed = try #require(patch.trimmed(in: ByteSource(old)))
    #expect(trimmed.replacements == [.init(12..<13, [99]), .init(90..<90, [1, 2])])
    #expect(trimmed.applied(to: old) == patch.applied(to: old))
    #expect(
      trimmed.pieces(ofFileOf: 100) == [
        .kept(0..<12), .new([99]), .kept(13..<90), .new([1, 2]), .kept(90..<100),
      ])
    #expect(trimmed.pieces(ofFileOf: 89) == nil)
    #expect(FilePatch([.init(1..<5, []), .init(4..<6, [])]) == nil)
  }

  @Test func `a patch that was applied wrongly is noticed`() throws {
    let old = image("card.jpg")
    let patch = try PhotoContainers.open(ByteSource(old)).patch(xmp: Self.packet("new"))
    let new = try #require(patch.applied(to: old))
    for wrong in [old, Array(new.dropLast()), new + [0], Array(new.dropFirst())] {
      #expect(!patch.isApplied(in: ByteSource(wrong), of: ByteSource(old)))
    }
    #expect(
      !PhotoContainers.isPatched(
        ByteSource(new), from: ByteSource(old), by: patch, xmp: Self.packet("other")))
  }

  @Test func `padding is white space before the end of a packet`() {
    let packet = Self.packet("text", padding: 30)
    let bare = Self.packet("text")
    #expect(XMPPadding.isSame(packet, bare))
    #expect(!XMPPadding.isSame(packet, Self.packet("test")))
    #expect(XMPPadding.fitted(packet, to: bare.count) == bare)
    #expect(XMPPadding.fitted(packet, to: bare.count - 1) == nil)
    for count in [bare.count + 1, bare.count + 500] {
      let fitted = XMPPadding.fitted(packet, to: count)
      #expect(fitted?.count == count)
      #expect(fitted.map { XMPPadding.isSame($0, bare) } == true)
    }
    // A document without a wrapper, and one that ends with zeros.
    let document = Array("<x:xmpmeta/>".utf8)
    #expect(XMPPadding.fitted(document, to: 14) == document + Array("\n ".utf8))
    #expect(XMPPadding.isSame(bare + [0x0a, 0, 0], bare))
  }
}
