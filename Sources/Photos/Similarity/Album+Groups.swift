import Geometry

/// The photos of a group of near duplicates: which is the best, which are exact copies, and how much
/// room they take.
extension Album {
  /// Returns the best photo of a group: the one with the most pixels, of these the one with the most
  /// stars, of these the oldest, then the one with the most bytes; the first one if all are equal.
  ///
  /// - Complexity: O(n), where n is the number of photos.
  package func best(of group: some Sequence<Photo.ID>) -> Photo.ID? {
    var best: (photo: Photo.ID, quality: Quality)?
    for photo in group {
      let quality = quality(of: photo)
      if best.map({ $0.quality.isLess(than: quality) }) ?? true { best = (photo, quality) }
    }
    return best?.photo
  }

  private struct Quality {
    var pixels, stars, age, bytes: Int64

    func isLess(than other: Quality) -> Bool {
      (pixels, stars, age, bytes) < (other.pixels, other.stars, other.age, other.bytes)
    }
  }

  private func quality(of photo: Photo.ID) -> Quality {
    let facts = facts(of: photo)
    let stars = Int64(rating(of: photo)?.stars ?? 0)
    guard let facts, facts.isReadable else {
      return Quality(pixels: 0, stars: stars, age: .min, bytes: 0)
    }
    return Quality(
      pixels: Int64(facts.width) * Int64(facts.height), stars: stars,
      age: date(of: photo).map { -$0.time.digits } ?? .min, bytes: facts.byteCount)
  }

  /// Returns the heading of a group: "3 alike, 1 exact copy · 4.1 MB to spare".
  func groupHeading(of group: ArraySlice<Photo.ID>) -> String {
    let count = group.count
    // A filter may hide the others.
    guard count > 1 else { return "1 photo; similar photos are hidden" }
    let copyCount = group.count { similarity.copies.contains($0) }
    var text = "\(count) alike"
    if copyCount == count - 1 {
      text = "\(count) exact copies"
    } else if copyCount > 0 {
      text += ", \(copyCount) exact \(copyCount == 1 ? "copy" : "copies")"
    }
    return text + (spareBytes(in: group).map { " · \(ByteCount.text($0)) can be freed" } ?? "")
  }

  /// Returns the number of bytes of a group's files without those of the best photo; nil until all
  /// sizes are known.
  func spareBytes(in group: ArraySlice<Photo.ID>) -> Int? {
    guard let best = best(of: group) else { return nil }
    var sum = 0
    for photo in group where photo != best {
      guard let facts = facts(of: photo), facts.isReadable else { return nil }
      for file in files(of: [photo]) { sum += Int(self.facts(of: file)?.byteCount ?? 0) }
    }
    return sum
  }

  // MARK: - Exact copies

  mutating func updateDigests(_ updates: [DigestUpdate]) {
    for update in updates { similarity.digests[update.photo] = .some(update.digest) }
    findCopies()
  }

  /// Finds the photos of the listing with the same bytes as a better one.
  mutating func findCopies() {
    similarity.copies = PhotoSet()
    guard !similarity.digests.isEmpty else { return }
    var originals: [ContentDigest: Photo.ID] = [:]
    for photo in listed.photos {
      guard let digest = similarity.digests[photo] ?? nil else { continue }
      if let other = originals[digest], let best = best(of: [other, photo]) {
        originals[digest] = best
        similarity.copies.insert(best == other ? photo : other)
      } else {
        originals[digest] = photo
      }
    }
  }

  /// Returns the photos of a group whose bytes must be compared: those whose files are as large as
  /// another one, unless that was done.
  func uncompared(in group: ArraySlice<Photo.ID>) -> [Photo.ID] {
    func byteCount(_ photo: Photo.ID) -> Int64? {
      facts(of: photo).flatMap { $0.isReadable ? $0.byteCount : nil }
    }
    var counts: [Int64: Int] = [:]
    for photo in group { byteCount(photo).map { counts[$0, default: 0] += 1 } }
    return group.filter { photo in
      similarity.digests[photo] == nil && (byteCount(photo).flatMap { counts[$0] } ?? 0) > 1
    }
  }
}

/// A cryptographic hash of a file's bytes (SHA-256): files with the same one are copies.
package struct ContentDigest: Hashable, Sendable {
  package let bytes: [UInt8]

  /// The number of bytes of a digest.
  package static let byteCount = 32

  /// Creates a digest; nil if there are not 32 bytes.
  package init?(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
    guard self.bytes.count == Self.byteCount else { return nil }
  }
}

/// The digest of a photo's file.
package struct DigestUpdate: Equatable, Sendable {
  package var photo: Photo.ID
  package var digest: ContentDigest?

  package init(_ photo: Photo.ID, _ digest: ContentDigest?) {
    self.photo = photo
    self.digest = digest
  }
}

extension PhotoCollection {
  /// Returns the section of an item if that is a group of near duplicates.
  package func group(ofItem index: Int) -> Int? {
    guard grouping == .similar, let section = section(ofItem: index),
      case .similar = sections[section].key
    else { return nil }
    return section
  }

}

extension PhotoCollection {
  /// Returns the photos in groups of near duplicates whose bytes must be compared, among the groups
  /// of items.
  package func uncomparedFiles(around visible: [Int]) -> [Photo.ID] {
    guard grouping == .similar, !sections.isEmpty, let start = visible.first, let end = visible.last
    else { return [] }
    let first = sections.section(ofItem: start)
    return (first...sections.section(ofItem: end)).flatMap { section in
      guard case .similar = sections[section].key else { return [Photo.ID]() }
      return album.uncompared(in: items[sections[section].range])
    }
  }
}

extension Album {
  var dependsOnSimilarity: Bool { order.needsHashes || filter?.needsHashes == true }

  /// Whether a hash of a photo is not known yet, or differs from the known one.
  package func isNew(_ hash: DifferenceHash?, of photo: Photo.ID) -> Bool {
    known.hashes.isNew(hash, of: photo)
  }

  package mutating func updateHashes(_ updates: [HashUpdate]) {
    for update in updates { updateHash(of: update.photo, update.hash) }
  }

  mutating func updateHash(of photo: Photo.ID, _ hash: DifferenceHash?) {
    missing.pendingHashes.remove(photo)
    if known.hashes.update(hash, of: photo) { expireSimilarity() }
  }

  mutating func forgetHash(of photo: Photo.ID) {
    if similarity.digests.removeValue(forKey: photo) != nil { findCopies() }
    if known.hashes.forget(photo) { expireSimilarity() }
  }

  private mutating func expireSimilarity() {
    similarity.groups = nil
    if dependsOnSimilarity { isStale = true }
  }

  /// Finds the groups of near duplicates, unless they are up to date.
  mutating func groupSimilar() {
    if similarity.groups == nil { similarity.groups = SimilarGroups(of: photos, known.hashes) }
  }

  /// Finds the photos whose hashes the order or the filter needs: all photos without a hash,
  /// because any may be the near duplicate of another.
  mutating func findMissingHashes() {
    (missing.hashes, missing.pendingHashes) = ([], PhotoSet())
    guard dependsOnSimilarity else { return }
    missing.hashes = photosWithoutHash
    missing.pendingHashes = PhotoSet(missing.hashes)
  }

  /// The photos whose hashes are not known.
  var photosWithoutHash: [Photo.ID] { photos.filter { !known.hashes.isKnown($0) } }
}
