import Glibc

/// The requested columns of a grid: fixed, flexible and adaptive columns in any combination.
///
/// The sizing follows SwiftUI's lazy grids, as analyzed in objc.io's *Layout Explained: Grids with
/// Flexible Columns*.
package struct GridColumns: Equatable, Sendable {
  /// A column; widths are in the layout's unit.
  package enum Column: Equatable, Sendable {
    case fixed(Double)
    /// Shares the remaining width with the other columns, within its limits.
    case flexible(minimum: Double, maximum: Double = .infinity)
    /// Holds as many items as fit at their minimum width, at least one.
    case adaptive(minimum: Double, maximum: Double = .infinity)
  }

  package var columns: [Column]

  package init(_ columns: [Column]) {
    precondition(!columns.isEmpty, "a grid needs at least one column")
    self.columns = columns
  }

  package struct Slot: Equatable, Sendable {
    package var x: Double
    package var width: Double

    package init(x: Double, width: Double) {
      self.x = x
      self.width = width
    }
  }

  /// Returns the slots of a row in a grid with the available width, in the unit of the columns.
  ///
  /// As in SwiftUI, the layout runs twice: first with the proposed width, then with the total width
  /// that resulted. The slots are centered by the first run's total, so a grid whose second run is
  /// wider overflows to the right. Overflowing columns are kept.
  package func slots(width: Double, spacing: Double) -> [Slot] {
    let proposed = total(of: widths(proposed: width, spacing: spacing), spacing: spacing)
    let rendered = widths(proposed: proposed, spacing: spacing)
    var x = (width - proposed) / 2
    return rendered.map { width in
      defer { x += width + spacing }
      return Slot(x: x, width: width)
    }
  }

  /// Returns the items' widths for a proposed width; an adaptive column is split into its items.
  ///
  /// For example, in a width of 100 with a spacing of 4, the columns
  /// `fixed(20) flexible(10) adaptive(12)` have the widths 20, 36, 16 and 16: after the spacing and
  /// the fixed column, 72 are left for two columns, and two items fit into the last column's 36.
  package func widths(proposed: Double, spacing: Double) -> [Double] {
    var remaining = proposed - spacing * Double(columns.count - 1)
    var sharing = columns.count
    for case .fixed(let width) in columns {
      remaining -= width
      sharing -= 1
    }
    var result: [Double] = []
    for column in columns {
      let share = sharing > 0 ? max(remaining, 0) / Double(sharing) : 0
      switch column {
      case .fixed(let width):
        result.append(width)
        continue
      case .flexible(let minimum, let maximum):
        let width = min(max(share, minimum), maximum)
        remaining -= width
        result.append(width)
      case .adaptive(let minimum, let maximum):
        remaining -= share
        let pitch = max(minimum + spacing, .ulpOfOne)
        let count = max(1, min(floor((share + spacing) / pitch), 10_000))
        let width = min((share - spacing * (count - 1)) / count, maximum)
        result.append(contentsOf: repeatElement(max(width, 0), count: Int(count)))
      }
      sharing -= 1
    }
    return result
  }

  private func total(of widths: [Double], spacing: Double) -> Double {
    widths.reduce(spacing * Double(widths.count - 1), +)
  }

  /// Returns the width of the widest slot in a grid with the available width.
  func widest(width: Double, spacing: Double) -> Double {
    slots(width: width, spacing: spacing).map(\.width).max() ?? 0
  }

  /// Returns these columns with all widths multiplied by a factor, to convert units.
  package func scaled(by factor: Double) -> GridColumns {
    GridColumns(
      columns.map {
        switch $0 {
        case .fixed(let width): .fixed(width * factor)
        case .flexible(let minimum, let maximum):
          .flexible(minimum: minimum * factor, maximum: maximum * factor)
        case .adaptive(let minimum, let maximum):
          .adaptive(minimum: minimum * factor, maximum: maximum * factor)
        }
      })
  }

  /// Whether all columns are adaptive, so that all tiles are drawn in one size.
  package var isAdaptiveOnly: Bool {
    columns.allSatisfy {
      if case .adaptive = $0 { true } else { false }
    }
  }
}

/// The error of a text that is not a list of columns: the reason and the faulty column.
package struct ColumnsError: Error, Equatable, CustomStringConvertible {
  /// The message, without an initial capital and a full stop.
  package let description: String

  fileprivate init(_ reason: String, in column: Substring) {
    description = "\(reason) in '\(CellText(String(column)).truncatedMiddle(to: 60).string)'"
  }

  fileprivate static let empty = ColumnsError(
    "no columns given; try 3, adaptive(24), or fixed(20) flexible(10,40)")

  private init(_ sentence: String) { description = sentence }
}

extension GridColumns {
  /// The largest width in a text, in text columns.
  private static let widest = 10_000.0
  private static let most = 1_000

  /// Parses a number of equal columns, or columns separated by spaces: `fixed(W)`, `flexible(MIN)`, `flexible(MIN,MAX)`,
  /// `adaptive(MIN)` and `adaptive(MIN,MAX)`.
  ///
  /// - Throws: `ColumnsError` with the fault and the column.
  package init(parsing text: String) throws(ColumnsError) {
    if let count = Int(text), text.allSatisfy(\.isNumber) {
      guard (1...Self.most).contains(count) else {
        throw ColumnsError("the number of columns is not between 1 and \(Self.most)", in: text[...])
      }
      self.init(Array(repeating: .flexible(minimum: 1), count: count))
      return
    }
    var columns: [Column] = []
    var rest = Substring(text)
    while true {
      rest = rest.drop { $0 == " " }
      guard !rest.isEmpty else { break }
      let column = rest.prefix { $0 != ")" }
      rest = rest.dropFirst(column.count)
      guard rest.first == ")" else { throw ColumnsError("a ')' is missing", in: column) }
      rest = rest.dropFirst()
      let whole = text[column.startIndex..<rest.startIndex]
      columns.append(try Self.column(whole))
      guard columns.count <= Self.most else {
        throw ColumnsError("more than \(Self.most) columns", in: whole)
      }
    }
    guard !columns.isEmpty else { throw .empty }
    self.init(columns)
  }

  /// Parses a single column, including its ")".
  private static func column(_ text: Substring) throws(ColumnsError) -> Column {
    let parts = text.dropLast()
      .split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw ColumnsError("a '(' is missing", in: text) }
    var numbers: [Double] = []
    for word in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
      let digits = word.filter { $0 != " " }
      guard let number = Double(digits), (0...widest).contains(number) else {
        throw ColumnsError("'\(digits)' must be a width from 0 to \(Int(widest))", in: text)
      }
      numbers.append(number)
    }
    let minimum = numbers[0]
    let maximum = numbers.count > 1 ? numbers[1] : .infinity
    guard numbers.count <= 2 else { throw ColumnsError("more than two widths", in: text) }
    guard minimum <= maximum else {
      throw ColumnsError("the minimum width is larger than the maximum", in: text)
    }
    switch (parts[0], numbers.count) {
    case ("fixed", 1): return .fixed(minimum)
    case ("fixed", _): throw ColumnsError("a fixed column takes one width", in: text)
    case ("flexible", _): return .flexible(minimum: minimum, maximum: maximum)
    case ("adaptive", _):
      guard minimum >= 1 else { throw ColumnsError("the minimum width is less than 1", in: text) }
      return .adaptive(minimum: minimum, maximum: maximum)
    default: throw ColumnsError("'\(parts[0])' is not fixed, flexible, or adaptive", in: text)
    }
  }
}
