import Geometry
import PhotoGridCore
import PhotoLibrary
import Photos

/// Where the user left a folder: the selected item, and the arrangement of the photos.
struct Resumption: Equatable {
  /// The item's path below the folder, with a slash at its end if it is a folder; empty for the
  /// first photo.
  var item: [UInt8] = []
  /// The options that arrange the photos in the same way, with their values; empty for a switch.
  var options: [OptionName: String] = [:]

  var isStart: Bool { item.isEmpty && options.isEmpty }

  /// Returns the item's path in a folder; nil for the first photo.
  func path(in folder: [UInt8]) -> [UInt8]? {
    guard !item.isEmpty else { return nil }
    let slash = UInt8(ascii: "/")
    return (folder.isEmpty || folder.last == slash ? folder : folder + [slash]) + item
  }

  /// The options that are recorded.
  static let optionNames: [OptionName] = [.sort, .reverse, .group, .layout]
}

/// Where folders were left in earlier sessions, stored as lines in
/// `$XDG_STATE_HOME/photogrid/resume`, the latest last.
///
/// A line has three columns, divided by tabs: options, the item's path below the folder, and the
/// folder's absolute path. Bytes of paths that could not be text in a line are escaped: `%0A`.
struct ResumeFile {
  private let file: StateFile

  private static let maxCount = 2000
  private static let maxSize = 1 << 20
  /// The most bytes of a line, so that a few long paths do not displace all others.
  private static let maxLineLength = 2048

  init?(_ environment: [String: String]) {
    guard let file = StateFile("resume", environment, maxSize: Self.maxSize) else { return nil }
    self.file = file
  }

  /// Returns where a folder was left; nil if it was left at its start.
  ///
  /// - `folder`: The path of the folder, absolute or relative to the process's current folder.
  func resumption(of folder: [UInt8]) -> Resumption? {
    guard let end = Self.ending(folder), let contents = file.contents else { return nil }
    return Self.resumption(endingIn: end, in: contents)
  }

  /// Returns what the last line with an end says; nil if there is none, or it is broken.
  private static func resumption(
    endingIn end: String, in contents: ArraySlice<UInt8>
  ) -> Resumption? {
    // By bytes, from the end: the first frame waits for this.
    var rest = contents
    while !rest.isEmpty {
      let start = rest.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.startIndex
      let line = rest[start...]
      if line.suffix(end.utf8.count).elementsEqual(end.utf8) {
        return resumption(line: String(decoding: line, as: UTF8.self))
      }
      rest = rest[..<max(start - 1, rest.startIndex)]
    }
    return nil
  }

  /// Changes the record of where a folder was left; errors are ignored.
  func update(_ folder: [UInt8], _ change: (inout Resumption) -> Void) {
    guard let end = Self.ending(folder) else { return }
    // Read again, because another session may have left folders.
    let contents = file.contents ?? []
    let earlier = StateFile.lines(of: contents)
    var resumption = Self.resumption(endingIn: end, in: contents) ?? Resumption()
    change(&resumption)
    var lines = earlier.filter { !$0.hasSuffix(end) }
    let line = Self.columns(of: resumption) + end
    if !resumption.isStart, line.utf8.count <= Self.maxLineLength { lines.append(line) }
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

  private static func columns(of resumption: Resumption) -> String {
    let options = Resumption.optionNames.compactMap { name in
      resumption.options[name].map { $0.isEmpty ? name.rawValue : "\(name.rawValue)=\($0)" }
    }
    return options.joined(separator: " ") + "\t" + escaped(resumption.item)
  }

  private static func resumption(line: String) -> Resumption? {
    let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard columns.count == 3 else { return nil }
    var resumption = Resumption(item: Array(columns[1].utf8).percentDecoded)
    for option in columns[0].split(separator: " ") {
      let parts = option.split(separator: "=", maxSplits: 1)
      guard let name = parts.first.flatMap({ OptionName(rawValue: String($0)) }),
        Resumption.optionNames.contains(name)
      else { continue }
      resumption.options[name] = parts.count > 1 ? String(parts[1]) : ""
    }
    return resumption
  }

  /// Returns text for a path, in which control characters, "%", and bytes that are not UTF-8 are
  /// escaped.
  private static func escaped(_ path: [UInt8]) -> String {
    let isText = String(validating: path, as: UTF8.self) != nil
    let bytes = path.percentEncoded { byte in
      byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "%") && (isText || byte < 0x80)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension ParsedArguments {
  /// Adds the options that lead back to where a folder was left, unless options were given that
  /// would contradict.
  ///
  /// - Parameters:
  ///   - resumption: Where the folder was left.
  ///   - root: The folder's path as it was given.
  /// - Returns: Whether anything was added.
  mutating func resume(from resumption: Resumption, in root: [UInt8]) -> Bool {
    let given = values
    let isGiven = { (name: OptionName) in given[name] != nil }
    let keepsOrder = isGiven(.sort) || isGiven(.reverse) || isGiven(.group)
    for (name, value) in resumption.options where name == .layout ? !isGiven(name) : !keepsOrder {
      values[name] = Array(value.utf8)
    }
    // A filter may hide the item; after `--start-at`, another one was asked for.
    if !isGiven(.startAt), !isGiven(.filter) { values[.startAt] = resumption.path(in: root) }
    return values != given
  }
}

extension RunLoop {
  /// Records where the user leaves the folder that is shown.
  func recordResumption() {
    // Until the start is settled, the selection is not where the user left it.
    guard let resumeFile, let folder = library.location.folder, library.isListed, !startup.isPending
    else { return }
    let item = itemLeft(in: folder)
    resumeFile.update(folder) { resumption in
      resumption.item = item
      recordArrangement(in: &resumption)
    }
  }

  /// Records the order, the groups, and the layout where they differ from the configuration's.
  private func recordArrangement(in resumption: inout Resumption) {
    let view = configuration.view
    let (order, grouping) = (browser.album.order, browser.collection.grouping)
    let isRearranged =
      grouping != view.grouping || order != view.grouping.order(replacing: view.order)
    if isRearranged, !browser.collection.isGroupedByFilter {
      resumption.options[.sort] = order.key == .listed ? nil : order.keyName
      resumption.options[.reverse] = order.isReversed ? "" : nil
      resumption.options[.group] = grouping.rawValue
    }
    let layout = browser.grid.style.kind
    if layout != view.layout.kind { resumption.options[.layout] = layout.rawValue }
  }

  /// The path of the item at which an earlier session left the folder that has just been entered; nil
  /// for its first photo, and if the folder from which the user moved up is to be selected.
  ///
  /// Where this session left the folder, the browser knows.
  var itemLeftEarlier: [UInt8]? {
    guard let resumeFile, !configuration.session.isFresh, library.pendingSelection == nil,
      let folder = library.location.folder
    else { return nil }
    return resumeFile.resumption(of: folder)?.path(in: folder)
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
