import Geometry
import Photos

/// The facts in an XMP packet: when the photo was taken, the words that people gave it, and its
/// orientation.
///
/// Only properties that are directly in a description are read, whatever prefixes they have. What
/// comes before an error or the end of a truncated text counts.
package struct XMPFacts: Equatable, Sendable {
  /// `exif:DateTimeOriginal`, else `photoshop:DateCreated`, else `xmp:CreateDate`.
  package private(set) var taken: TakenTime?
  /// `dc:title` in the default language, else in the first one.
  package private(set) var title: [UInt8]?
  /// `dc:description`, likewise.
  package private(set) var caption: [UInt8]?
  /// `dc:subject`; nil if there is none, empty if there is one without keywords.
  package private(set) var keywords: [[UInt8]]?
  package private(set) var people = XMPPeople()
  /// `tiff:Orientation`; nil if there is none, or another number than 1 to 8.
  package private(set) var orientation: Orientation?
  /// `photoshop:SidecarForExtension`: the extension of the photo that the sidecar belongs to.
  private var sidecarExtension: [UInt8]?

  package static let maxBytes = 1 << 20
  private static let maxKeywords = 1000

  package init() {}

  /// Reads a packet, or an XMP file.
  ///
  /// - `packet`: Its first bytes, at most `maxBytes`, in any encoding that `MetadataText` knows.
  /// - `source`: Whether it is in the photo or beside it.
  package init(_ packet: [UInt8], _ source: TakenTime.Source = .xmp) {
    guard let packet = MetadataText.document(packet), Self.hasContents(packet) else { return }
    var walk = Walk(bytes: packet)
    var scanner = XMLScanner(packet)
    while let token = scanner.next() { walk.feed(token) }
    title = walk.title
    caption = walk.caption
    keywords = walk.keywords
    people = XMPPeople(packet)
    orientation = walk.orientation
    sidecarExtension = walk.sidecarExtension
    taken =
      walk.dates.sorted { $0.key < $1.key }.lazy
      .compactMap { TakenTime(iso8601: $0.value) }.first
    taken?.source = source
  }

  /// Returns the orientation that a sidecar gives a photo, by the name or path of that; nil if it gives
  /// none.
  ///
  /// The sidecar of a raw photo may have the name of the picture that was made of it, and that is not
  /// stored in the same way.
  package func orientation(ofPhoto name: [UInt8]) -> Orientation? {
    let ending = name[name[name.nameStart...].extensionStart...].dropFirst()
    guard let wanted = sidecarExtension, !wanted.isEmpty else { return orientation }
    let isOwn =
      String(decoding: wanted, as: UTF8.self).lowercased()
      == String(decoding: ending, as: UTF8.self).lowercased()
    return isOwn ? orientation : nil
  }

  /// Merges what another packet of the same photo says about properties that this one lacks.
  mutating func merge(_ other: XMPFacts) {
    (title, caption) = (title ?? other.title, caption ?? other.caption)
    (keywords, taken) = (keywords ?? other.keywords, taken ?? other.taken)
    people.merge(other.people)
  }

  /// Whether a packet may have one of the properties; those that cameras write have none.
  private static func hasContents(_ packet: [UInt8]) -> Bool {
    names.contains { packet.hasPart($0) }
  }

  private static let names =
    [
      "subject", "title", "description", "DateTimeOriginal", "DateCreated", "CreateDate",
      "Orientation",
    ].map { Array(":\($0)".utf8) } + XMPPeople.marks

  /// A property that is read.
  private enum Property: Hashable {
    case title, caption, keywords, orientation, sidecarExtension
    /// A date, with its rank.
    case date(Int)
  }

  private static let properties: [[UInt8]: [[UInt8]: Property]] = [
    Array("http://purl.org/dc/elements/1.1/".utf8): [
      Array("title".utf8): .title, Array("description".utf8): .caption,
      Array("subject".utf8): .keywords,
    ],
    Array("http://ns.adobe.com/tiff/1.0/".utf8): [Array("Orientation".utf8): .orientation],
    Array("http://ns.adobe.com/exif/1.0/".utf8): [Array("DateTimeOriginal".utf8): .date(0)],
    Array("http://ns.adobe.com/photoshop/1.0/".utf8): [
      Array("DateCreated".utf8): .date(1),
      Array("SidecarForExtension".utf8): .sidecarExtension,
    ],
    Array("http://ns.adobe.com/xap/1.0/".utf8): [Array("CreateDate".utf8): .date(2)],
  ]
  /// The names of lists, and of the text of a property with qualifiers (XMP specification, part 1, 7).
  private static let lists: Set<[UInt8]> = [
    Array("Bag".utf8), Array("Seq".utf8), Array("Alt".utf8),
  ]
  private static let value = Array("value".utf8)
  private static let rdf = Array("http://www.w3.org/1999/02/22-rdf-syntax-ns#".utf8)

  /// Goes through the tokens of a packet.
  private struct Walk {
    let bytes: [UInt8]
    var (title, caption): ([UInt8]?, [UInt8]?)
    var keywords: [[UInt8]]?
    var orientation: Orientation?
    var sidecarExtension: [UInt8]?
    /// The texts of dates, by their ranks.
    var dates: [Int: [UInt8]] = [:]
    private var prefixes: [[UInt8]: [UInt8]] = [:]
    /// The number of elements around the next token.
    private var depth = 0
    /// The depth of the contents of `rdf:RDF`; nil outside of it.
    private var rootDepth: Int?
    private var property: Property?
    /// Whether the property is a list, whose items have the texts.
    private var isList = false
    /// The text of the property or of its item so far.
    private var text: [UInt8] = []
    /// The depth of the contents that are this text: those of the property or the item, or of
    /// `rdf:value` in it beside qualifiers; nil if there are no more.
    private var textDepth: Int?
    /// Whether the current item is in the default language.
    private var isDefault = false

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func feed(_ token: XMLToken) {
      switch token.kind {
      case .start(let tag):
        start(tag)
        if tag.isEmpty { end() }
      case .end: end()
      case .text, .section, .comment, .instruction:
        if depth == textDepth, let more = token.text(in: bytes) { append(more) }
      }
    }

    private mutating func append(_ more: some Collection<UInt8>) {
      // A caption of more is cut anyway.
      text += more.prefix(max(PhotoWords.maxBytes * 2 - text.count, 0))
    }

    private mutating func start(_ tag: XMLTag) {
      for attribute in tag.attributes where attribute.name.starts(with: "xmlns:".utf8) {
        prefixes[Array(attribute.name.dropFirst(6))] = Array(bytes[attribute.value])
      }
      depth += 1
      let name = resolved(tag.name)
      guard let rootDepth else {
        if name.namespace == XMPFacts.rdf, name.local == Array("RDF".utf8) { rootDepth = depth }
        return
      }
      switch depth - rootDepth {
      case 1:
        for attribute in tag.attributes {
          let name = resolved(attribute.name)
          guard let property = XMPFacts.properties[name.namespace]?[name.local] else { continue }
          set(property, XMLText.plain(bytes[attribute.value]))
        }
      case 2:
        property = XMPFacts.properties[name.namespace]?[name.local]
        isList = false
        beginText(tag)
        if property == .keywords { keywords = keywords ?? [] }
      case 3 where property != nil && XMPFacts.lists.contains(name.local):
        (isList, textDepth) = (true, nil)
      case 4 where property != nil && isList:
        beginText(tag)
        isDefault = tag.attributes.contains {
          $0.name == Array("xml:lang".utf8) && bytes[$0.value].elementsEqual("x-default".utf8)
        }
      default:
        if property != nil { continueText(tag, name) }
      }
    }

    /// Begins the text of a property or an item, which has it as contents or as an attribute.
    private mutating func beginText(_ tag: XMLTag) {
      (text, textDepth) = ([], depth)
      useValue(of: tag)
    }

    /// Looks for the text in an element inside of a property or an item.
    private mutating func continueText(_ tag: XMLTag, _ name: (namespace: [UInt8], local: [UInt8]))
    {
      guard let outer = textDepth, depth == outer + 1, name.namespace == XMPFacts.rdf else {
        return
      }
      (text, textDepth) = ([], depth)
      // A description in between may hold the value too.
      if name.local != XMPFacts.value { useValue(of: tag) }
    }

    /// Uses the attribute `rdf:value` of an element as the text.
    private mutating func useValue(of tag: XMLTag) {
      for attribute in tag.attributes {
        let name = resolved(attribute.name)
        guard name.namespace == XMPFacts.rdf, name.local == XMPFacts.value else { continue }
        (text, textDepth) = (XMLText.plain(bytes[attribute.value]), nil)
      }
    }

    private mutating func end() {
      defer {
        if depth == rootDepth { rootDepth = nil }
        depth = max(depth - 1, 0)
      }
      guard let rootDepth, let property else { return }
      // Qualifiers follow `rdf:value`.
      if depth == textDepth { textDepth = nil }
      switch depth - rootDepth {
      case 2:
        if !isList { set(property, text) }
        self.property = nil
      case 4 where isList:
        switch property {
        case .title where isDefault || title == nil: title = text
        case .caption where isDefault || caption == nil: caption = text
        case .keywords:
          if keywords?.count ?? 0 < XMPFacts.maxKeywords { keywords?.append(text) }
        case .title, .caption, .date, .orientation, .sidecarExtension: break
        }
      default: break
      }
    }

    private mutating func set(_ property: Property, _ text: [UInt8]) {
      switch property {
      case .title: title = title ?? text
      case .caption: caption = caption ?? text
      case .keywords:
        if keywords?.isEmpty ?? true, text.contains(where: { !$0.isXMLSpace }) {
          keywords = [text]
        }
      case .orientation:
        let number = Int(String(decoding: text.filter { !$0.isXMLSpace }, as: UTF8.self))
        orientation = orientation ?? number.flatMap(Orientation.init(exif:))
      case .sidecarExtension: sidecarExtension = sidecarExtension ?? text
      case .date(let rank):
        dates[rank] = text.filter { !$0.isXMLSpace || $0 == 0x20 }
      }
    }

    private func resolved(_ name: [UInt8]) -> (namespace: [UInt8], local: [UInt8]) {
      guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else { return ([], name) }
      return (prefixes[Array(name[..<colon])] ?? [], Array(name[(colon + 1)...]))
    }
  }
}

enum XMLText {
  private static let entities: [[UInt8]: UInt8] = [
    Array("amp".utf8): 0x26, Array("lt".utf8): 0x3c, Array("gt".utf8): 0x3e,
    Array("quot".utf8): 0x22, Array("apos".utf8): 0x27,
  ]

  /// Returns a text with characters in place of its entities; unknown ones stay.
  static func plain(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.contains(UInt8(ascii: "&")) else { return Array(text) }
    var result: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "&"), let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";"))
      else {
        result.append(byte)
        continue
      }
      let name = Array(rest[..<end])
      if let character = entities[name] {
        result.append(character)
      } else if let scalar = scalar(name) {
        result += String(Character(scalar)).utf8
      } else {
        result.append(byte)
        continue
      }
      rest = rest[(end + 1)...]
    }
    return result
  }

  /// The character of a numeric entity such as "#xE9"; nil if there is none.
  private static func scalar(_ name: [UInt8]) -> Unicode.Scalar? {
    guard name.first == UInt8(ascii: "#") else { return nil }
    let digits = String(decoding: name.dropFirst(), as: UTF8.self)
    let number =
      digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
    return number.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
  }
}
