import Photos

/// The entry of a photo in the index, without its name.
struct IndexEntry {
  /// Without `isKnown`, only a hash, with the stamp of its file, or a rating.
  var row = PackedInfo()
  /// The bits of the picture's hash; 0 without one.
  var hash: UInt64 = 0
  /// The `RatingStamp` of the rating; 0 without one.
  var ratingStamp: UInt64 = 0
  var location: PhotoMetadata.Location?
  /// The record of the words; nil if there are none.
  var words: [UInt8]?

  init() {}

  /// Creates the entry of a photo in a block, whose texts are numbers in its pools; nil if there is nothing
  /// to record.
  ///
  /// Left out is what is not known, was read only in part, or in a state of the file that cannot be
  /// identified.
  init?(_ block: InfoBlock, _ index: Int) {
    let new = block.rows[index]
    let isIdentified = new.stamp.isSettled && new.byteCount >= 0 && !new.isIncomplete
    if isIdentified, new.isKnown, new.hasMetadata, new.isReadable {
      row = new
      location = block.locations[index]
      row.hasLocation = location != nil
      words = block.words[index]
      row.hasWords = words != nil
    } else {
      row.stamp = new.stamp
    }
    row.removeHash()
    if isIdentified, new.isHashKnown {
      row.setHash(block.hash(at: index))
      hash = block.hash(at: index)?.bits ?? 0
    }
    row.rating = nil
    if let rating = new.rating, index < block.ratingStamps.count, block.ratingStamps[index] != 0 {
      (row.rating, ratingStamp) = (rating, block.ratingStamps[index])
    }
    guard row.isKnown || row.isHashKnown || row.rating != nil else { return nil }
  }

  /// Replaces what a later entry about the same photo knows better, and removes what was read from
  /// another state of the file.
  mutating func update(with new: IndexEntry) {
    let rated = new.row.rating == nil ? self : new
    if new.row.isKnown || new.row.isHashKnown {
      let old = row.stamp == new.row.stamp ? self : IndexEntry()
      let hashed = new.row.isHashKnown ? new : old
      self = new.row.isKnown ? new : old
      row.stamp = new.row.stamp
      hash = hashed.hash
      row.copyHash(of: hashed.row)
    }
    (row.rating, ratingStamp) = (rated.row.rating, rated.ratingStamp)
  }
}
