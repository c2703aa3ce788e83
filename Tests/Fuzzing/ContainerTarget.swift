import Geometry
import ImageFormats

/// Photos into which XMP packets and an orientation are put: the new file can be parsed again and
/// has what was put into it, and the inverse patch makes the old file of it.
func fuzzContainers(_ bytes: [UInt8]) {
  let source = ByteSource(bytes)
  guard let container = try? PhotoContainers.open(source) else { return }
  if let stored = try? container.xmp {
    require(stored.range.lowerBound >= 0 && stored.range.upperBound <= bytes.count)
  }
  for packet in ["<x/><?xpacket end='w'?>", "<x>\(String(repeating: "x", count: 500))</x>"] {
    let packet = Array(packet.utf8)
    guard let patch = try? container.patch(xmp: packet) else { continue }
    let new = check(patch, bytes)
    require(PhotoContainers.isPatched(ByteSource(new), from: source, by: patch, xmp: packet))
  }
  for number in [1, 6] {
    let orientation = Orientation(number: number)
    guard let patch = try? container.patch(orientation) else { continue }
    let new = check(patch, bytes)
    require(PhotoContainers.isPatched(ByteSource(new), from: source, by: patch, orientation))
  }
}

/// Returns what a patch makes of a file.
private func check(_ patch: FilePatch, _ old: [UInt8]) -> [UInt8] {
  guard let new = patch.applied(to: old), let inverse = patch.inverse(in: ByteSource(old)) else {
    fail("outside of the file")
  }
  require(new.count == old.count + patch.growth, "another length")
  require(inverse.applied(to: new) == old, "another file after the undo")
  return new
}

/// The orientation in a photo or a sidecar, and nothing else of the sidecar changes.
func fuzzOrientation(_ bytes: [UInt8]) {
  _ = StoredOrientation(ByteSource(bytes), name: Array("a.heic".utf8))
  let turned = Orientation(number: 6)
  guard let patch = SidecarOrientation.patch(bytes, turned), let new = patch.applied(to: bytes)
  else { return }
  require(XMPFacts(new, .sidecar).orientation == turned, "another orientation")
  require(patch.inverse(in: ByteSource(bytes))?.applied(to: new) == bytes, "another undo")
}
