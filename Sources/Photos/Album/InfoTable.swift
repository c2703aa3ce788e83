import Geometry

/// The facts of photos' files, by photo number, and the texts that they refer to.
///
/// A library has few cameras and lenses, so each name is stored once. The album stores sizes of
/// photos and numbers of frames nowhere else.
struct InfoTable: Equatable, Sendable {
  /// By photo number; not `isKnown` for a file that has not been read, or has changed since.
  private(set) var rows: [PackedInfo] = []
  private(set) var pools = TextPools()
  /// Whether any facts that an earlier session read have arrived.
  private(set) var hasRecordedInfo = false

  /// The facts of a photo's file; nil if it has not been read.
  subscript(photo: Photo.ID) -> PackedInfo? {
    guard rows.indices.contains(photo.index), rows[photo.index].isKnown else { return nil }
    return rows[photo.index]
  }

  /// The last known size of a photo after orientation, in pixels, even if its file has changed since;
  /// nil if it was never known.
  func size(of photo: Photo.ID) -> (width: UInt32, height: UInt32)? {
    guard rows.indices.contains(photo.index) else { return nil }
    let row = rows[photo.index]
    return row.width > 0 && row.height > 0 ? (row.width, row.height) : nil
  }

  enum Change {
    case none
    /// Only metadata was added.
    case metadata
    /// The file became known or unknown, or says something else.
    case info
  }

  /// Stores the facts of many photos' files.
  ///
  /// - `block`: In the order of the photos; unknown photos stay as they are.
  /// - `isRecorded`: Whether an earlier session read the files.
  /// - `capacity`: The number of photos to reserve memory for.
  /// - `body`: Receives each photo, its change, and whether its size is another one.
  mutating func update(
    _ block: InfoBlock, of photos: [Photo.ID], isRecorded: Bool, capacity: Int,
    _ body: (Photo.ID, Change, _ isResized: Bool) -> Void
  ) {
    if isRecorded, block.knownCount > 0 { hasRecordedInfo = true }
    var renumbering = PoolRenumbering(from: block.pools)
    for (photo, new) in zip(photos, block.rows) where new.isKnown && photo.index >= 0 {
      var new = new
      // The album stores ratings and hashes apart; what is read from the file has none.
      new.rating = nil
      new.removeHash()
      renumbering.translate(&new, to: &pools)
      if photo.index >= rows.count {
        let count = max(photo.index + 1, capacity)
        rows.append(contentsOf: repeatElement(PackedInfo(), count: count - rows.count))
      }
      let row = rows[photo.index]
      // The tile of a file that cannot be read any more keeps its shape.
      if !new.isReadable { (new.width, new.height) = (row.width, row.height) }
      new = new.keeping(row.isKnown ? row : nil)
      guard row != new else { continue }
      rows[photo.index] = new
      // A sidecar that has changed or gone changes the date of a photo that is the same otherwise.
      let isSame = row.isKnown && row.takenBits == new.takenBits && row.keeping(new) == new
      let change: Change = isSame ? .metadata : .info
      body(photo, change, (row.width, row.height) != (new.width, new.height))
    }
  }

  /// Records that a photo's file has changed and must be read again.
  ///
  /// - Returns: Whether it was known.
  mutating func expire(_ photo: Photo.ID) -> Bool {
    guard self[photo] != nil else { return false }
    rows[photo.index].isKnown = false
    return true
  }

  /// Records that the metadata of a photo must be read again.
  ///
  /// - Returns: Whether it was known.
  mutating func expireMetadata(of photo: Photo.ID) -> Bool {
    guard self[photo]?.hasMetadata == true, rows[photo.index].isReadable else { return false }
    rows[photo.index].hasMetadata = false
    return true
  }
}

extension Album {
  /// Returns all facts of a photo's file; nil unless all are known.
  ///
  /// - `location`: Where the photo was taken, which is stored apart; nil if that is not known.
  package func info(of photo: Photo.ID, takenAt location: PhotoMetadata.Location?) -> PhotoInfo? {
    guard let packed = facts[photo], packed.hasMetadata, packed.hasLocation == (location != nil)
    else {
      return nil
    }
    return packed.unpacked(texts: facts.pools, takenAt: location, words: words[photo])
  }

  /// Whether any facts that an earlier session read have arrived.
  package var hasRecordedInfo: Bool { facts.hasRecordedInfo }

  /// The last known size of a photo after orientation, in pixels.
  package func size(of photo: Photo.ID) -> PixelSize? {
    facts.size(of: photo).map { PixelSize(width: Double($0.width), height: Double($0.height)) }
  }

  /// The last known number of a photo's frames; nil for a still photo, and if it was never known.
  package func frameCount(of photo: Photo.ID) -> Int? {
    let count = facts.rows.indices.contains(photo.index) ? facts.rows[photo.index].frameCount : 1
    return count > 1 ? count : nil
  }

  /// Returns what moves in a photo; nil for a still photo, and until its file has been read.
  package func motion(of photo: Photo.ID) -> PhotoMotion? {
    if frameCount(of: photo) != nil { return .frames }
    if facts(of: photo)?.format == .film { return .film }
    return kinds(besides: photo).contains("LIVE") ? .live : nil
  }
}

/// The facts of many photos' files, in the order of the photos, with the texts that the rows refer
/// to.
package struct InfoBlock: Equatable, Sendable {
  /// A row that is not `isKnown` has at most a rating and a hash.
  package private(set) var rows: [PackedInfo] = []
  /// The bits of the hash of each photo's picture, 0 for a photo without a hash; empty if no photo
  /// has one.
  package private(set) var hashBits: [UInt64] = []
  /// The `RatingStamp` of each photo, 0 for a photo without one; empty if no photo has one.
  ///
  /// Only ratings on their way to the index have stamps.
  package private(set) var ratingStamps: [UInt64] = []
  /// Where photos were taken, by the photos' indices in the block; only of photos whose locations were
  /// requested.
  package private(set) var locations: [Int: PhotoMetadata.Location] = [:]
  /// The words of photos as `PhotoWords.record`, by the photos' indices in the block.
  package private(set) var words: [Int: [UInt8]] = [:]
  package private(set) var pools = TextPools()
  /// The size of the rows, hashes, locations, words and copied texts in a message, in bytes.
  ///
  /// Only `init(_:hashBits:copyingFrom:)`, `setLocations(_:)` and `setWords(_:)` count it.
  package private(set) var byteCount = 0

  package init() {}

  /// Creates a block from rows and the texts that they refer to.
  package init(
    _ rows: [PackedInfo], hashBits: [UInt64] = [], ratingStamps: [UInt64] = [], _ pools: TextPools
  ) {
    self.rows = rows
    self.hashBits = hashBits.count == rows.count ? hashBits : []
    self.ratingStamps = ratingStamps.count == rows.count ? ratingStamps : []
    self.pools = pools
  }

  /// Creates a block from rows, and copies the texts that they refer to from larger pools.
  package init(_ rows: [PackedInfo], hashBits: [UInt64] = [], copyingFrom source: TextPools) {
    self.init(rows, hashBits: hashBits, TextPools())
    byteCount = hashBits.count * MemoryLayout<UInt64>.stride
    var renumbering = PoolRenumbering(from: source)
    for index in self.rows.indices {
      byteCount += MemoryLayout<PackedInfo>.stride
      byteCount += renumbering.translate(&self.rows[index], to: &pools)
    }
  }

  /// Creates a block about files that were read; nil for a file that cannot be read.
  package init(_ infos: some Sequence<PhotoInfo?>) {
    for info in infos {
      if let info { append(info) } else { append(.unreadable) }
    }
  }

  /// Appends a photo whose file was read, without a hash.
  package mutating func append(_ info: PhotoInfo) {
    if let location = info.metadata?.location { locations[rows.count] = location }
    if let words = info.metadata?.words { self.words[rows.count] = words.record }
    append(PackedInfo(info, &pools))
  }

  /// Appends a photo.
  ///
  /// - Parameters:
  ///   - row: Refers to no texts, or to texts of this block.
  ///   - hash: The hash of its picture; nil if it has none, or none is known.
  ///   - ratingStamp: The stamp of its rating; 0 without one.
  package mutating func append(
    _ row: PackedInfo, hash: DifferenceHash? = nil, ratingStamp: UInt64 = 0
  ) {
    // The column stays empty until a photo has a value; the photos before it then get zeros.
    func append(_ value: UInt64, to column: inout [UInt64]) {
      guard value != 0 || !column.isEmpty else { return }
      column += repeatElement(0, count: rows.count - column.count)
      column.append(value)
    }
    append(hash?.bits ?? 0, to: &hashBits)
    append(ratingStamp, to: &ratingStamps)
    rows.append(row)
  }

  /// The number of photos about which anything is known.
  package var knownCount: Int { rows.count { $0.isKnown || $0.rating != nil || $0.isHashKnown } }

  /// Sets where photos were taken, by the photos' indices in the block.
  package mutating func setLocations(_ locations: [Int: PhotoMetadata.Location]) {
    self.locations = locations
    byteCount += locations.count * Self.locationLength
  }

  /// Sets the words of photos as records, by the photos' indices in the block.
  package mutating func setWords(_ words: [Int: [UInt8]]) {
    self.words = words
    byteCount += words.values.reduce(0) { $0 + $1.count + 8 }
  }

  /// The length of a location in a message, with the index of its photo, in bytes.
  private static let locationLength = 20

  /// Returns the facts of a photo's file; nil unless it was read.
  package func info(at index: Int) -> PhotoInfo? {
    rows[index].unpacked(
      texts: pools, takenAt: locations[index],
      words: words[index].flatMap { PhotoWords(record: $0) })
  }

  /// Returns the hash of the picture of the photo at an index; nil if it has no known hash.
  package func hash(at index: Int) -> DifferenceHash? {
    rows[index].hasHash && index < hashBits.count ? DifferenceHash(bits: hashBits[index]) : nil
  }

  /// Removes a photo's row, whose index stays.
  package mutating func forget(_ index: Int) { rows[index] = PackedInfo() }

  /// Whether all but `byteCount` is equal.
  package static func == (left: InfoBlock, right: InfoBlock) -> Bool {
    left.rows == right.rows && left.hashBits == right.hashBits
      && left.ratingStamps == right.ratingStamps && left.locations == right.locations
      && left.words == right.words && left.pools == right.pools
  }
}

/// The mapping from text numbers in some pools to those in others.
package struct PoolRenumbering: Sendable {
  private let source: TextPools
  private var (camera, lens, profile) = (TextRenumbering(), TextRenumbering(), TextRenumbering())

  package init(from source: TextPools) { self.source = source }

  /// Replaces the numbers of a row's texts by their numbers in other pools, adding the texts there if
  /// needed.
  ///
  /// - Returns: The size of the texts that were new, in bytes.
  @discardableResult
  package mutating func translate(_ row: inout PackedInfo, to target: inout TextPools) -> Int {
    camera.translate(&row.camera, from: source.camera, to: &target.camera)
      + lens.translate(&row.lens, from: source.lens, to: &target.lens)
      + profile.translate(&row.profile, from: source.profile, to: &target.profile)
  }
}

/// The mapping from text numbers in one pool to those in another.
private struct TextRenumbering: Sendable {
  private var numbers: [UInt16: UInt16] = [:]
  /// The last translation; consecutive photos usually have the same camera.
  private var last = (old: TextPool.none, new: TextPool.none)

  /// Replaces a text's number in one pool by its number in another, adding the text there if
  /// needed.
  ///
  /// - Returns: The size of the text in bytes if it was new, else 0.
  mutating func translate(
    _ number: inout UInt16, from source: TextPool, to target: inout TextPool
  ) -> Int {
    if number == last.old {
      number = last.new
      return 0
    }
    let old = number
    var byteCount = 0
    if let known = numbers[old] {
      number = known
    } else {
      let text = source.text(old)
      number = target.number(of: text)
      numbers[old] = number
      byteCount = text.map { $0.utf8.count + 2 } ?? 0
    }
    last = (old, number)
    return byteCount
  }
}
