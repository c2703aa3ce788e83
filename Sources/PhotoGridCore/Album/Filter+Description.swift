/// The canonical text of a filter, which parses to the same filter.
extension Filter: CustomStringConvertible {
  /// The canonical text; empty for a filter without tests.
  package var description: String { isEmpty ? "" : expression.description }
}

extension FilterExpression: CustomStringConvertible {
  /// The canonical text of the expression.
  var description: String {
    switch self {
    case .test(let test): test.description
    case .not(let inner): "not \(inner.grouped)"
    case .all(let parts): parts.isEmpty ? "\"\"" : parts.map(\.grouped).joined(separator: " ")
    case .any(let parts): parts.map(\.description).joined(separator: " or ")
    }
  }

  /// The description, in parentheses if it has several terms.
  private var grouped: String {
    switch self {
    case .test, .not: description
    case .all, .any: "(\(description))"
    }
  }
}

extension FilterTest: CustomStringConvertible {
  /// The canonical text of the test, such as "iso:>800".
  var description: String {
    switch self {
    case .word(let word): Self.quoted(word)
    case .name(let word): "name:\(Self.quoted(word))"
    case .glob(let pattern): String(decoding: pattern, as: UTF8.self)
    case .path(let text): "path:\(Self.value(text))"
    case .marked: "marked"
    case .kind(let kinds): "type:\(kinds.map(\.rawValue).joined(separator: ","))"
    case .number(let quantity, let range): "\(quantity.rawValue):\(range.text)"
    case .text(let field, let text): "\(field.rawValue):\(Self.value(text))"
    case .shape(let shape): shape.rawValue
    case .place: "gps"
    case .rejected: "rejected"
    case .similar: "similar"
    case .label(let labels): "label:\(labels.map { $0?.rawValue ?? "none" }.joined(separator: ","))"
    }
  }

  private static func value(_ text: FilterText) -> String {
    text.isGlob ? String(decoding: text.folded, as: UTF8.self) : quoted(text.folded)
  }

  private static func quoted(_ text: [UInt8]) -> String {
    let doubled = String(decoding: text, as: UTF8.self).map { $0 == "\"" ? "\"\"" : String($0) }
    return "\"\(doubled.joined())\""
  }
}
