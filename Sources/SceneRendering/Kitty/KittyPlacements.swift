import PhotoGridCore

/// The placements on the screen, and the commands that change them to those of the next frame.
///
/// A placement that moves keeps its number, so that it does not flicker. Numbers are unique over
/// all images, because iTerm2 removes placements by their number alone.
struct KittyPlacements {
  /// The identity of a placement from frame to frame.
  struct Slot: Hashable {
    var image: UInt32
    /// The number of the photo; a negative number if there is none.
    var owner: Int32
    /// The index among placements with the same image and owner.
    var part: Int32
  }

  private struct Shown {
    var placement: UInt32
    var put: KittyPlacement
  }

  private var shown: [Slot: Shown] = [:]
  private var next: [Slot: Shown] = [:]
  private var taken: Set<UInt32> = []
  private var lastPlacement: UInt32 = 0

  private static let placementLimit: UInt32 = 0xFF_FFFF

  var isEmpty: Bool { shown.isEmpty }

  mutating func begin() { next.removeAll(keepingCapacity: true) }

  /// Adds a placement to the next frame, and writes its command if the screen does not show it yet.
  mutating func put(_ put: KittyPlacement, owner: Int32, to writer: inout KittyWriter) {
    var slot = Slot(image: put.image, owner: owner, part: 0)
    while next[slot] != nil { slot.part += 1 }
    if let old = shown[slot] {
      if old.put != put { writer.put(put, placement: old.placement, answer: .never) }
      next[slot] = Shown(placement: old.placement, put: put)
    } else {
      let placement = takePlacement()
      // If the terminal has lost the image, this fails, and the image is sent again.
      writer.put(put, placement: placement, answer: .failure)
      next[slot] = Shown(placement: placement, put: put)
    }
  }

  /// Ends the frame, and deletes the placements that are not in it.
  mutating func end(to writer: inout KittyWriter) {
    let gone = shown.filter { next[$0.key] == nil }
    for (slot, shown) in gone.sorted(by: { $0.value.placement < $1.value.placement }) {
      writer.delete(placement: shown.placement, of: slot.image)
      taken.remove(shown.placement)
    }
    swap(&shown, &next)
  }

  mutating func forget(_ image: UInt32) {
    for (slot, shown) in shown where slot.image == image {
      taken.remove(shown.placement)
      self.shown[slot] = nil
    }
  }

  mutating func forgetAll() {
    shown.removeAll(keepingCapacity: true)
    taken.removeAll(keepingCapacity: true)
  }

  private mutating func takePlacement() -> UInt32 {
    repeat {
      lastPlacement = lastPlacement >= Self.placementLimit ? 1 : lastPlacement + 1
    } while taken.contains(lastPlacement)
    taken.insert(lastPlacement)
    return lastPlacement
  }
}

/// Text that a terminal replaces by the parts of an image ("Unicode placeholders" of kitty's
/// protocol).
///
/// A multiplexer can move it like any other text. Each cell is the character U+10EEEE in a color
/// that is the identifier of the image, with two combining marks for the cell's row and column in
/// the image.
enum Placeholders {
  /// The most rows, and the most columns, that can be numbered.
  static var limit: Int { marks.count }

  /// Appends the text that shows an image in some cells, at most `limit` columns and rows.
  ///
  /// Each cell contains its row and column, so that multiplexers may write any part of the text
  /// again.
  static func append(_ image: UInt32, in cells: CellRect, to writer: inout KittyWriter) {
    // The color is the identifier, which has no more than 24 bits.
    let color = (image >> 16 & 255, image >> 8 & 255, image & 255)
    writer.bytes += "\u{1B}[38;2;\(color.0);\(color.1);\(color.2)m".utf8
    for row in 0..<cells.size.rows {
      writer.moveCursor(column: cells.origin.column, row: cells.origin.row + row)
      for column in 0..<cells.size.columns {
        writer.bytes += placeholder
        writer.bytes += marks[row]
        writer.bytes += marks[column]
      }
    }
    writer.bytes += "\u{1B}[0m".utf8
  }

  private static let placeholder = Array("\u{10EEEE}".utf8)

  /// The combining marks for 0, 1, 2 and so on, in UTF-8.
  static let marks: [[UInt8]] = numerals.map { Array(String($0).utf8) }

  /// The marks above a letter in Unicode 6.0, except those that are composed with letters or with
  /// other marks, as in the protocol's documentation.
  private static var numerals: [Unicode.Scalar] {
    let blocks: [ClosedRange<UInt32>] = [
      0x300...0x20FF, 0x2CE0...0x2DFF, 0xA66F...0xAAFF, 0xFE20...0xFE2F, 0x10A00...0x10A3F,
      0x1D185...0x1D244,
    ]
    let composed: Set<UInt32> = [
      0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307, 0x308, 0x309, 0x30A, 0x30B, 0x30C, 0x30F,
      0x311, 0x313, 0x314, 0x340, 0x341, 0x342, 0x343, 0x344, 0x653, 0x654,
    ]
    return blocks.joined().lazy.filter { !composed.contains($0) }.compactMap(Unicode.Scalar.init)
      .filter { scalar in
        let properties = scalar.properties
        guard properties.canonicalCombiningClass.rawValue == 230,
          properties.generalCategory == .nonspacingMark, let age = properties.age
        else { return false }
        return (age.major, age.minor) <= (6, 0)
      }
  }
}
