import Geometry
import PhotoGridCore
import PhotoLibrary
import Photos

/// Where the user left a folder: the selected item, and the arrangement of the photos.
struct Place: Equatable {
  /// The item's path below the folder, with a slash at its end if it is a folder; empty for the
  /// first photo.
  var item: [UInt8] = []
  /// The options that arrange the photos in the same way, with their values; empty for a switch.
  var options: [OptionName: String] = [:]

  var isStart: Bool { item.isEmpty && options.isEmpty }

  /// The options that a place may have.
  static let optionNames: [OptionName] = [.sort, .reverse, .group, .layout]
}

/// The places where folders were left in earlier sessions, stored as lines in
/// `$XDG_STATE_HOME/photogrid/places`, the latest last.
///
/// A line has three columns, divided by tabs: options, the item's path below the folder, and the
/// folder's absolute path. Bytes of paths that could not be text in a line are escaped: `%0A`.
struct PlaceMemory {
  private let file: StateFile

  private static let maxCount = 2000
  private static let maxSize = 1 << 20
  /// The most bytes of a line, so that a few long paths do not displace all others.
  private static let maxLineLength = 2048

  init?(_ environment: [String: String]) {
    guard let file = StateFile("places", environment, maxSize: Self.maxSize) else { return nil }
    self.file = file
  }

  /// Returns the place where a folder was left; nil if it was left at its start.
  ///
  /// - `folder`: The path of the folder, absolute or relative to the process's current folder.
  func place(of folder: [UInt8]) -> Place? {
    guard let end = Self.ending(folder) else { return nil }
    return file.lines?.last { $0.hasSuffix(end) }.flatMap { Self.place(line: $0) }
  }

  /// Records the place where a folder was left; errors are ignored.
  func record(_ place: Place, of folder: [UInt8]) {
    guard let end = Self.ending(folder) else { return }
    // Read again, because another session may have left folders.
    let earlier = file.lines ?? []
    var lines = earlier.filter { !$0.hasSuffix(end) }
    let line = Self.columns(of: place) + end
    if !place.isStart, line.utf8.count <= Self.maxLineLength { lines.append(line) }
    guard lines != earlier else { return }
    lines = lines.suffix(Self.maxCount)
    var size = lines.reduce(0) { $0 + $1.utf8.count + 1 }
    var dropped = 0
    while size > Self.maxSize {
      size -= lines[dropped].utf8.count + 1
      dropped += 1
    }
    file.replace(with: Array(lines.dropFirst(dropped)))
  }

  /// Returns the end of a folder's line, from the tab before its path; nil if its path is unknown.
  private static func ending(_ folder: [UInt8]) -> String? {
    guard folder.first == UInt8(ascii: "/") || FolderLocation.currentFolder != nil else {
      return nil
    }
    let parts = AbsolutePath.components(of: folder, in: FolderLocation.currentFolder ?? [])
    return "\t" + escaped(parts.flatMap { [UInt8(ascii: "/")] + $0 })
  }

  private static func columns(of place: Place) -> String {
    let options = Place.optionNames.compactMap { name in
      place.options[name].map { $0.isEmpty ? name.rawValue : "\(name.rawValue)=\($0)" }
    }
    return options.joined(separator: " ") + "\t" + escaped(place.item)
  }

  private static func place(line: String) -> Place? {
    let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard columns.count == 3 else { return nil }
    var place = Place(item: unescaped(columns[1].utf8))
    for option in columns[0].split(separator: " ") {
      let parts = option.split(separator: "=", maxSplits: 1)
      guard let name = parts.first.flatMap({ OptionName(rawValue: String($0)) }),
        Place.optionNames.contains(name)
      else { continue }
      place.options[name] = parts.count > 1 ? String(parts[1]) : ""
    }
    return place
  }

  /// Returns text for a path, in which control characters, "%", and bytes that are not UTF-8 are
  /// escaped.
  private static func escaped(_ path: [UInt8]) -> String {
    let isText = String(validating: path, as: UTF8.self) != nil
    let digits = Array("0123456789ABCDEF".utf8)
    let bytes = path.flatMap { byte -> [UInt8] in
      let isPlain = byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "%")
      if isPlain, isText || byte < 0x80 { return [byte] }
      return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func unescaped(_ text: Substring.UTF8View) -> [UInt8] {
    var rest = text[...]
    var path: [UInt8] = []
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%"),
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else {
        path.append(byte)
        continue
      }
      path.append(value)
      rest = rest.dropFirst(2)
    }
    return path
  }
}

extension ParsedArguments {
  /// Adds the options that lead back to a place, unless options were given that would contradict.
  ///
  /// - Parameters:
  ///   - place: Where the folder was left.
  ///   - root: The folder's path as it was given.
  /// - Returns: Whether anything was added.
  mutating func resume(at place: Place, in root: [UInt8]) -> Bool {
    let given = values
    let isGiven = { (name: OptionName) in given[name] != nil }
    let keepsOrder = isGiven(.sort) || isGiven(.reverse) || isGiven(.group)
    for (name, value) in place.options where name == .layout ? !isGiven(name) : !keepsOrder {
      values[name] = Array(value.utf8)
    }
    // A filter may hide the item; after `--start-at`, another one was asked for.
    if !isGiven(.startAt), !isGiven(.filter), !place.item.isEmpty {
      let slash = UInt8(ascii: "/")
      values[.startAt] = (root.isEmpty || root.last == slash ? root : root + [slash]) + place.item
    }
    return values != given
  }
}

extension RunLoop {
  /// Records where the user leaves the folder that is shown.
  func recordPlace() {
    // Until the start is settled, the selection is not where the user left it.
    guard let places, let folder = library.location.folder, library.isListed, !startup.isPending
    else { return }
    var place = places.place(of: folder) ?? Place()
    place.item = itemLeft(in: folder)
    let view = configuration.view
    let (order, grouping) = (browser.album.order, browser.collection.grouping)
    let isRearranged =
      grouping != view.grouping || order != view.grouping.order(replacing: view.order)
    if isRearranged, !browser.collection.isGroupedByFilter {
      place.options[.sort] = order.key == .listed ? nil : order.keyName
      place.options[.reverse] = order.isReversed ? "" : nil
      place.options[.group] = grouping.rawValue
    }
    let layout = browser.grid.style.kind
    if layout != view.layout.kind { place.options[.layout] = layout.rawValue }
    places.record(place, of: folder)
  }

  /// Returns the path below the folder of the item that the user leaves; empty for the first photo.
  private func itemLeft(in folder: [UInt8]) -> [UInt8] {
    let items = browser.items
    let selected = items.indices.contains(browser.selection) ? items[browser.selection] : nil
    let first = items.indices.contains(browser.folderCount) ? items[browser.folderCount] : nil
    guard let item = browser.current ?? selected, item != first else { return [] }
    let path = library.index[item]
    guard path.starts(with: folder) else { return [] }
    let below = Array(path.dropFirst(folder.count))
    // No file is in an empty folder name: this is the tile of a saved filter.
    return below.first == UInt8(ascii: "/") ? [] : below
  }
}
