/// The error of a text that is not a list of columns: the reason and the faulty column.
package struct ColumnsError: Error, Equatable, CustomStringConvertible {
  /// The message, without an initial capital and a full stop.
  package let description: String

  fileprivate init(_ reason: String, in column: Substring) {
    description = "\(reason) in '\(CellText(String(column)).truncatedMiddle(to: 60).string)'"
  }

  fileprivate static let empty = ColumnsError(
    "there are no columns; write for example adaptive(24) or fixed(20) flexible(10,40)")

  private init(_ sentence: String) { description = sentence }
}

extension GridColumns {
  /// The largest width in a text, in text columns.
  private static let widest = 10_000.0
  /// The largest number of columns in a text.
  private static let most = 1_000

  /// Parses columns separated by spaces: `fixed(W)`, `flexible(MIN)`, `flexible(MIN,MAX)`,
  /// `adaptive(MIN)` and `adaptive(MIN,MAX)`.
  ///
  /// - Throws: `ColumnsError` with the fault and the column.
  package init(parsing text: String) throws(ColumnsError) {
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
        throw ColumnsError("'\(digits)' is not a width from 0 to \(Int(widest))", in: text)
      }
      numbers.append(number)
    }
    let minimum = numbers[0]
    let maximum = numbers.count > 1 ? numbers[1] : .infinity
    guard numbers.count <= 2 else { throw ColumnsError("more than two widths", in: text) }
    guard minimum <= maximum else {
      throw ColumnsError("the minimum width is above the maximum", in: text)
    }
    switch (parts[0], numbers.count) {
    case ("fixed", 1): return .fixed(minimum)
    case ("fixed", _): throw ColumnsError("a fixed column has one width", in: text)
    case ("flexible", _): return .flexible(minimum: minimum, maximum: maximum)
    case ("adaptive", _):
      guard minimum >= 1 else { throw ColumnsError("the minimum width is below 1", in: text) }
      return .adaptive(minimum: minimum, maximum: maximum)
    default: throw ColumnsError("'\(parts[0])' is none of fixed, flexible, adaptive", in: text)
    }
  }
}
