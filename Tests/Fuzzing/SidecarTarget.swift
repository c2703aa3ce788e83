import Geometry
import ImageFormats
import Photos

@testable import AnnotationWorker
import WorkerProtocol

/// A sidecar whose rating or label changes, and no other byte.
func fuzzSidecars(_ bytes: [UInt8]) {
  guard let tokens = XMLScanner.tokens(of: bytes) else { return }
  var end = 0
  for token in tokens {
    require(token.range.lowerBound == end && !token.range.isEmpty, "a gap between two parts")
    end = token.range.upperBound
  }
  require(end == bytes.count, "the parts are not all of the text")
  checkOrientation(bytes)
  guard let outline = XMPOutline(bytes), let packet = XMPPacket(parsing: bytes) else { return }
  checkKeywords(bytes, packet)
  for edit in [AnnotationEdit.stars(4), .stars(-1), .label(.green), .label(nil)] {
    guard let change = XMPPacket.Change(edit),
      let new = XMPText(bytes)?.bytes(after: change, in: packet)
    else { continue }
    if new != bytes { checkRange(of: change, from: bytes, to: new, outline) }
    guard let packet = XMPPacket(parsing: new) else { fail("not readable again") }
    let rating = Rating(xmpRating: packet.rating, xmpLabel: packet.label)
    require(edit.applied(to: rating) == rating, "another rating")
    require(XMPText(new)?.bytes(after: change, in: packet) == new, "again changes something")
    if edit == .label(.green), outline.locations[Array(change.name.utf8)] == nil {
      checkRemoval(from: new, packet, before: bytes)
    }
  }
}

/// Checks that a change of keywords can be taken back, whatever it does to the text.
private func checkKeywords(_ bytes: [UInt8], _ packet: XMPPacket) {
  let before = packet.keywords
  let after = (before ?? []).dropFirst() + ["a < b & c"]
  let keywords = ListText(bytes, .keywords)?.bytes(replacing: before, by: Array(after))
  let title = XMPList.text(.title)
  let count = packet.alternatives(of: title)?.count
  let index = count.map { $0 > 0 ? 0 : nil } ?? nil
  let text = ListText(bytes, title)?.bytes(setting: "a < b & c", at: index, of: count)
  for new in [keywords, text].compactMap(\.self) {
    guard let reversal = FileReversal(index: 0, of: new, from: bytes) else { continue }
    require(reversal.old(from: new) == bytes, "another text after the undo")
  }
}

/// Checks that a change leaves every byte except those of the property.
private func checkRange(
  of change: XMPPacket.Change, from old: [UInt8], to new: [UInt8], _ outline: XMPOutline
) {
  switch outline.locations[Array(change.name.utf8)]?.first {
  case .attribute(let attribute):
    require(isSame(old, new, outside: attribute.range), "more than the attribute")
  case .element(_, _, var range):
    if change.value == nil {
      while range.lowerBound > 0, old[range.lowerBound - 1].isXMLSpace { range = range.grown(-1) }
      while range.upperBound < old.count, old[range.upperBound].isXMLSpace {
        range = range.grown(1)
      }
    }
    require(isSame(old, new, outside: range), "more than the element")
  case nil:
    let (removed, added) = differences(old, new)
    require(removed.isEmpty, "something is lost")
    require(!new[added].contains { $0 == 0x3c || $0 == 0x3e }, "not inside of a tag")
  }
}

/// Checks that an orientation can be set, and that this can be undone.
private func checkOrientation(_ bytes: [UInt8]) {
  guard !bytes.isEmpty, let patch = SidecarOrientation.patch(bytes, .quarterTurn) else { return }
  let new = patch.applied(to: bytes) ?? []
  require(XMPFacts(new, .sidecar).orientation == .quarterTurn, "another orientation")
  let back = patch.inverse(in: ByteSource(bytes))
  require(back?.applied(to: new) == bytes, "the change cannot be undone")
}

/// Checks that a label that was added can be removed, up to the declaration of its namespace.
private func checkRemoval(from labeled: [UInt8], _ packet: XMPPacket, before: [UInt8]) {
  guard let removal = XMPPacket.Change(.label(nil)),
    let new = XMPText(labeled)?.bytes(after: removal, in: packet)
  else {
    fail("what was added cannot be removed")
  }
  let (removed, added) = differences(before, new)
  require(removed.isEmpty, "something is lost with the label")
  guard !added.isEmpty else { return }
  let declaration = Array("xmlns:xmp=".utf8)
  require(
    new.count - before.count > XMPPacket.namespace.utf8.count + declaration.count
      && !new[added].contains { $0 == 0x3c || $0 == 0x3e }, "something is left of the label")
}

/// The ranges of two texts between their common beginning and their common end.
private func differences(_ old: [UInt8], _ new: [UInt8]) -> (old: Range<Int>, new: Range<Int>) {
  let most = min(old.count, new.count)
  let start = zip(old, new).prefix { $0 == $1 }.count
  let end = zip(old.reversed(), new.reversed()).prefix(most - start).prefix { $0 == $1 }.count
  return (start..<old.count - end, start..<new.count - end)
}

/// Whether two texts are the same before and after a range of the first.
private func isSame(_ old: [UInt8], _ new: [UInt8], outside range: Range<Int>) -> Bool {
  let (start, end) = (old[..<range.lowerBound], old[range.upperBound...])
  return new.count >= start.count + end.count && new.starts(with: start)
    && new.reversed().starts(with: end.reversed())
}

extension Range<Int> {
  /// The range with one more number before it, or after it.
  fileprivate func grown(_ step: Int) -> Self {
    step < 0 ? lowerBound + step..<upperBound : lowerBound..<upperBound + step
  }
}

/// XMP, records of the IPTC and texts of a PNG, of which only words and dates are read.
func fuzzWords(_ bytes: [UInt8]) {
  var written = WrittenFacts()
  written.sidecar = XMPFacts(bytes, .sidecar)
  written.iptc = IPTCFacts(bytes[...])
  written.text = PNGDate.time(in: ByteSource(bytes))
  check(written.words)
  check(PhotoWords(record: bytes))
  if bytes.count > 3, let text = MetadataText.document(bytes) {
    require(String(validating: text, as: UTF8.self) != nil, "not UTF-8")
  }
  for isBigEndian in [false, true] {
    if let text = MetadataText.comment(bytes, isBigEndian: isBigEndian) {
      require(String(validating: text, as: UTF8.self) != nil, "not UTF-8")
    }
  }
  if let time = written.taken(TakenTime(iso8601: bytes), latest: 2026_1125) {
    require(TakenTime(bits: time.bits) == time, "another time")
    require(TakenTime(record: Array(time.record.utf8)) == time, "another text")
  }
}

/// Checks that words are bounded and printable, and survive their record.
private func check(_ words: PhotoWords?) {
  guard let words else { return }
  require(words.record.count <= PhotoWords.maxBytes, "too long")
  require(PhotoWords(record: words.record) == words, "other words")
  for text in [words.title, words.caption].compactMap(\.self) + words.keywords {
    require(PrintableText.from(text.utf8) == text, "not printable")
  }
}
