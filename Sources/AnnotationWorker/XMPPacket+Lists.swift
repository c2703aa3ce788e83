import CExempi
import Photos

/// A property of a packet whose value is a list of texts.
struct XMPList: Equatable {
  let namespace: String
  /// The usual prefix of the namespace.
  let prefix: String
  let name: String
  /// The element of the list: "Bag", or "Alt" for a text in several languages.
  let form: String

  private static let dc = "http://purl.org/dc/elements/1.1/"

  static let keywords = XMPList(namespace: dc, prefix: "dc", name: "subject", form: "Bag")

  /// The names of people.
  static let people = XMPList(
    namespace: "http://iptc.org/std/Iptc4xmpExt/2008-02-29/", prefix: "Iptc4xmpExt",
    name: "PersonInImage", form: "Bag")
  static let rights = XMPList(namespace: dc, prefix: "dc", name: "rights", form: "Alt")

  /// The texts of a title or a caption by language.
  static func text(_ field: TextEdit.Field) -> XMPList {
    XMPList(
      namespace: dc, prefix: "dc", name: field == .title ? "title" : "description", form: "Alt")
  }
}

extension XMPPacket {
  /// A text in one of several languages.
  struct Alternative: Equatable {
    var language: String
    var text: String

    /// The language of the text that programs show.
    static let defaultLanguage = "x-default"
  }

  /// The option of an unordered list (exempi's XMP_PROP_VALUE_IS_ARRAY).
  private static let isArray: UInt32 = 0x200

  /// The keywords; nil if the packet has no list of keywords.
  var keywords: [String]? { items(of: .keywords) }

  /// Returns the texts of a list; nil if the packet does not have it.
  func items(of list: XMPList) -> [String]? {
    guard hasProperty(list) else { return nil }
    guard let text = xmp_string_new() else { return [] }
    defer { xmp_string_free(text) }
    var items: [String] = []
    // All of them, since they are written again.
    while xmp_get_array_item(
      pointer, list.namespace, list.name, Int32(items.count + 1), text, nil),
      let item = xmp_string_cstr(text)
    {
      items.append(String(cString: item))
    }
    return items
  }

  /// Returns the texts of a list by language; nil if the packet does not have it.
  func alternatives(of list: XMPList) -> [Alternative]? {
    items(of: list)?.enumerated().map { index, text in
      let path = "\(list.name)[\(index + 1)]/?xml:lang"
      return Alternative(language: self.text(path, list.namespace) ?? "", text: text)
    }
  }

  private func hasProperty(_ list: XMPList) -> Bool {
    xmp_has_property(pointer, list.namespace, list.name)
  }

  /// Whether the packet has the property that an edit changes.
  func hasProperty(of edit: AnnotationEdit) -> Bool {
    switch edit {
    case .keywords(let edit):
      edit.ofKeywords != nil && hasProperty(.keywords)
        || edit.ofPeople != nil && hasProperty(.people)
    case .text(let edit): hasProperty(.text(edit.field))
    case .stars, .label: Change(edit).map { text($0.name) != nil } ?? false
    }
  }

  /// Returns all properties and their parts, except the items of a list.
  func properties(without list: XMPList) -> Set<Property> {
    properties.filter { property in
      guard property.namespace == list.namespace else { return true }
      let path = property.path.drop { $0 != ":" }.dropFirst()
      let rest = path.dropFirst(list.name.count)
      guard path.hasPrefix(list.name), rest.isEmpty || rest.first == "[" else { return true }
      // What qualifies an item stays, but for its language.
      return rest.contains("?") && !rest.hasSuffix("?xml:lang")
    }
  }

  func setItems(_ items: [String], of list: XMPList) -> Bool {
    if hasProperty(list) {
      guard xmp_delete_property(pointer, list.namespace, list.name) else { return false }
    }
    // An empty list hides the one in the photo.
    guard !items.isEmpty else {
      return xmp_set_property(pointer, list.namespace, list.name, "", Self.isArray)
    }
    return items.allSatisfy {
      xmp_append_array_item(pointer, list.namespace, list.name, Self.isArray, $0, 0)
    }
  }

  /// Sets the text at an index in a list by language; nil adds one in the default language.
  func setText(_ text: String, at index: Int?, of list: XMPList) -> Bool {
    if let index {
      return xmp_set_array_item(
        pointer, list.namespace, list.name, Int32(index + 1), text, 0)
    }
    return xmp_set_localized_text(
      pointer, list.namespace, list.name, "", Alternative.defaultLanguage, text, 0)
  }
}
