import Photos

/// The names of people in an XMP packet, as programs write them: of faces, in tags below "People", and
/// in the list of the IPTC.
///
/// Only properties that are directly in a description are read, whatever prefixes they have.
package struct XMPPeople: Equatable, Sendable {
  /// The names of faces, of the Metadata Working Group (`mwg-rs:Regions`), Microsoft
  /// (`MP:RegionInfo`), or ACDSee; nil without such a list.
  package private(set) var faces: [[UInt8]]?
  /// The names in tags such as "People/Anna" or "People|Anna"; nil without such a tag.
  package private(set) var tagged: [[UInt8]]?
  /// `Iptc4xmpExt:PersonInImage`; nil if there is none, empty if there is one without names.
  package private(set) var listed: [[UInt8]]?

  /// The most names that are read of each kind.
  private static let maxNames = 1000
  /// The longest text of a property that is read, in bytes: ACDSee's tags are one text.
  private static let maxText = 64 << 10

  init() {}

  /// Reads a packet in UTF-8.
  init(_ packet: [UInt8]) {
    guard Self.marks.contains(where: { packet.hasPart($0) }) else { return }
    var walk = Walk(bytes: packet)
    var scanner = XMLScanner(packet)
    while let token = scanner.next() { walk.feed(token) }
    self = walk.people
  }

  /// Takes what another packet of the same photo says about properties that this one lacks.
  mutating func merge(_ other: XMPPeople) {
    (faces, tagged) = (faces ?? other.faces, tagged ?? other.tagged)
    listed = listed ?? other.listed
  }

  /// Parts of every packet with people, which few other packets have.
  static let marks = [":PersonInImage", ":Regions", "eople"].map { Array($0.utf8) }

  /// What a property is about.
  private enum Property { case list, faces, tags, tagTree }

  private static let properties: [String: Property] = [
    "http://iptc.org/std/Iptc4xmpExt/2008-02-29/ PersonInImage": .list,
    "http://www.metadataworkinggroup.com/schemas/regions/ Regions": .faces,
    "http://ns.microsoft.com/photo/1.2/ RegionInfo": .faces,
    "http://ns.acdsee.com/regions/ Regions": .faces,
    "http://ns.acdsee.com/iptc/1.0/ categories": .tagTree,
    "http://ns.acdsee.com/iptc/1.0/ Categories": .tagTree,
    "http://www.digikam.org/ns/1.0/ TagsList": .tags,
    "http://ns.adobe.com/lightroom/1.0/ hierarchicalSubject": .tags,
    "http://ns.microsoft.com/photo/1.0/ LastKeywordXMP": .tags,
    "http://ns.iview-multimedia.com/mediapro/1.0/ CatalogSets": .tags,
    "http://purl.org/dc/elements/1.1/ subject": .tags,
  ]

  /// Returns the name in a tag below "People"; nil for another tag, or one of digiKam's for faces
  /// without a name.
  private static func person(in tag: String) -> [UInt8]? {
    let parts = tag.split { $0 == "/" || $0 == "|" }
    guard parts.count > 1, parts[0].lowercased() == "people", let name = parts.last,
      !["unknown", "unconfirmed", "ignored"].contains(name.lowercased())
    else { return nil }
    return Array(name.utf8)
  }

  /// A face while its parts are read.
  private struct Region {
    var name: [UInt8] = []
    var kind = "face"

    mutating func set(_ part: Substring, _ text: [UInt8]) {
      switch part {
      case "Name", "PersonDisplayName": name = text
      case "Type": kind = String(decoding: text, as: UTF8.self).lowercased()
      default: break
      }
    }
  }

  /// Goes through the tokens of a packet.
  private struct Walk {
    let bytes: [UInt8]
    var people = XMPPeople()
    private var prefixes: [String: String] = [:]
    /// The names of the elements around the next token.
    private var open: [String] = []
    /// The depth of the contents of `rdf:RDF`; nil outside of it.
    private var rootDepth: Int?
    private var property: Property?
    private var region: Region?
    /// The number of items of lists around the next token in the property.
    private var itemDepth = 0
    /// The text of the innermost element so far.
    private var text: [UInt8] = []

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func feed(_ token: XMLToken) {
      switch token.kind {
      case .start(let tag):
        start(tag)
        if tag.isEmpty { end() }
      case .end: end()
      case .text, .section, .comment, .instruction:
        guard property != nil, let more = token.text(in: bytes) else { return }
        text += more.prefix(max(XMPPeople.maxText - text.count, 0))
      }
    }

    private mutating func start(_ tag: XMLTag) {
      let attributes = tag.attributes.map { attribute in
        (String(decoding: attribute.name, as: UTF8.self), bytes[attribute.value])
      }
      for (name, value) in attributes where name.hasPrefix("xmlns:") {
        prefixes[String(name.dropFirst(6))] = String(decoding: value, as: UTF8.self)
      }
      let name = String(decoding: tag.name, as: UTF8.self)
      open.append(name)
      text = []
      guard let rootDepth else {
        if name.hasSuffix(":RDF") { self.rootDepth = open.count }
        return
      }
      switch open.count - rootDepth {
      case 1:
        for (name, value) in attributes where XMPPeople.properties[full(name)] == .tagTree {
          readTree(XMLText.plain(value))
        }
      case 2:
        (property, itemDepth) = (XMPPeople.properties[full(name)], 0)
        if property == .list { people.listed = people.listed ?? [] }
        if property == .faces { people.faces = people.faces ?? [] }
      default:
        guard property != nil else { return }
        if name.hasSuffix(":li") { itemDepth += 1 }
        guard property == .faces, itemDepth == 1 else { return }
        if name.hasSuffix(":li") { region = Region() }
        for (name, value) in attributes { region?.set(Self.local(name), XMLText.plain(value)) }
      }
    }

    private mutating func end() {
      guard let name = open.popLast() else { return }
      defer { text = [] }
      guard let rootDepth else { return }
      if open.count < rootDepth { self.rootDepth = nil }
      guard let property else { return }
      let isItem = name.hasSuffix(":li")
      if open.count == rootDepth + 1 {
        if property == .tagTree { readTree(text) }
        self.property = nil
      } else if property == .faces, itemDepth == 1 {
        if !isItem { region?.set(Self.local(name), text) }
        if isItem, let face = region {
          if face.kind == "face" { Self.insert(face.name, into: &people.faces) }
          region = nil
        }
      } else if isItem, property == .list {
        Self.insert(text, into: &people.listed)
      } else if isItem, property == .tags {
        insertTag(String(decoding: text, as: UTF8.self))
      }
      if isItem { itemDepth -= 1 }
    }

    private static func local(_ name: String) -> Substring {
      name.split(separator: ":").last ?? ""
    }

    /// Returns the namespace and the name of a property.
    private func full(_ name: String) -> String {
      let parts = name.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { return name }
      return "\(prefixes[String(parts[0])] ?? "") \(parts[1])"
    }

    private static func insert(_ name: [UInt8], into names: inout [[UInt8]]?) {
      guard name.contains(where: { !$0.isXMLSpace }), (names ?? []).count < maxNames else { return }
      names = (names ?? []) + [name]
    }

    private mutating func insertTag(_ tag: String) {
      if let name = XMPPeople.person(in: tag) { Self.insert(name, into: &people.tagged) }
    }

    /// Reads ACDSee's tags, a document in a text:
    /// "<Categories><Category Assigned="0">People<Category Assigned="1">Anna</Category></Category>…".
    private mutating func readTree(_ text: [UInt8]) {
      var path: [(name: String, isAssigned: Bool)] = []
      var scanner = XMLScanner(text)
      while let token = scanner.next() {
        switch token.kind {
        case .start(let tag):
          let isAssigned = tag.attributes.contains {
            $0.name == Array("Assigned".utf8) && text[$0.value].elementsEqual("1".utf8)
          }
          if !tag.isEmpty { path.append(("", isAssigned)) }
        case .text:
          let name = String(decoding: XMLText.plain(text[token.range]), as: UTF8.self)
          if let last = path.indices.last { path[last].name += name }
          let isNew = name.contains { !$0.isWhitespace }
          guard isNew, path.last?.isAssigned == true else { continue }
          insertTag(path.dropFirst().map(\.name).joined(separator: "/"))
        case .end: _ = path.popLast()
        case .section, .comment, .instruction: break
        }
      }
    }
  }
}
