import Geometry
import Glibc
import Photos

/// A pattern for the new names of photos, such as "{taken:%Y-%m-%d}_{n:3}{ext}", or for their titles or
/// captions.
///
/// Without `{ext}` anywhere in a pattern for names, photos keep their extensions at the end.
struct RenamePattern: Equatable, Sendable {
  /// A part of the pattern.
  enum Part: Equatable, Sendable {
    /// A text that all names contain.
    case text(String)
    /// The current name without its extension.
    case name
    /// The current extension with its dot.
    case fileExtension
    /// The photo's number, from 1, with leading zeros up to a width.
    case number(width: Int)
    /// The time when the photo was taken, in a format as for `strftime`.
    case taken(format: String)
    /// The time when the file was modified, in a format as for `strftime`.
    case modified(format: String)
    /// The name of the camera.
    case camera
    /// The number of stars; −1 for a rejected photo.
    case rating
  }

  private(set) var parts: [Part] = []

  /// The possible fields, for messages.
  static let fields = "{name} {n:3} {taken:%Y-%m-%d} {modified} {camera} {rating} {ext}"
  private static let defaultFormat = "%Y-%m-%d"
  private static let widest = 9

  /// The reason why a text is not a pattern, or why a photo gets no name.
  struct Failure: Error, Equatable {
    var message: String
  }

  /// Parses a pattern, by default for names; "{{" and "}}" stand for braces.
  init(parsing text: String, forNames isForNames: Bool = true) throws(Failure) {
    var literal = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      if character == "{" || character == "}", rest.first == character {
        literal.append(rest.removeFirst())
      } else if character == "{" {
        guard let end = rest.firstIndex(of: "}") else { throw Failure(message: "a } is missing") }
        if !literal.isEmpty { parts.append(.text(literal)) }
        literal = ""
        parts.append(try Self.part(rest[..<end], isForNames))
        rest = rest[rest.index(after: end)...]
      } else if character == "}" {
        throw Failure(message: "a { is missing")
      } else if character == "/", isForNames {
        throw Failure(message: "a name cannot contain /")
      } else {
        literal.append(character)
      }
    }
    if !literal.isEmpty { parts.append(.text(literal)) }
    if isForNames, !parts.isEmpty, !parts.contains(.fileExtension) { parts.append(.fileExtension) }
  }

  private static func part(_ text: Substring, _ isForNames: Bool) throws(Failure) -> Part {
    let words = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let detail = words.count > 1 ? String(words[1]) : nil
    switch (words[0], detail) {
    case ("name", nil): return .name
    case ("ext", nil): return .fileExtension
    case ("camera", nil): return .camera
    case ("rating", nil): return .rating
    case ("n", nil): return .number(width: 1)
    case ("n", let detail?):
      guard let width = Int(detail), (1...widest).contains(width) else {
        throw Failure(message: "{n:3} stands for three digits; use 1 to \(widest)")
      }
      return .number(width: width)
    case ("taken", _): return .taken(format: try format(detail, isForNames))
    case ("modified", _): return .modified(format: try format(detail, isForNames))
    default: throw Failure(message: "unknown {\(text)}; use \(fields)")
    }
  }

  /// Returns a format for dates, which may have only fields that do not depend on the locale.
  private static func format(_ text: String?, _ isForNames: Bool) throws(Failure) -> String {
    guard let text, !text.isEmpty else { return defaultFormat }
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character != "/" || !isForNames else {
        throw Failure(message: "a name cannot contain /")
      }
      guard character == "%" else { continue }
      guard let field = rest.popFirst(), "YymdHMS%".contains(field) else {
        throw Failure(message: "dates can use only %Y %y %m %d %H %M %S")
      }
    }
    return text
  }

  /// Whether the photos' files must be read for their names.
  var needsFacts: Bool {
    parts.contains { part in
      switch part {
      case .taken, .modified, .camera: true
      case .text, .name, .fileExtension, .number, .rating: false
      }
    }
  }

  /// Whether the photos' ratings must be read for their names.
  var needsRatings: Bool { parts.contains(.rating) }
}

extension RenamePattern {
  /// The properties of a photo from which its new name is made.
  struct Subject {
    var name: [UInt8]
    /// The number of the photo among those that are renamed, from 1.
    var number: Int
    /// When the photo was taken; nil if its file does not say.
    var taken: TakenTime?
    /// When the file was modified, in seconds since 1970.
    var modified: Int64 = 0
    var camera: String?
    /// The number of stars; −1 for a rejected photo.
    var stars = 0
  }

  /// Returns the new name of a photo.
  ///
  /// - Returns: The name, in any bytes.
  /// - Throws: A failure that says what the photo lacks, or why the name is not possible.
  func name(of subject: Subject) throws(Failure) -> [UInt8] {
    let name = try text(of: subject) { $0 == UInt8(ascii: "/") ? UInt8(ascii: "-") : $0 }
    if let message = FileName.validationError(of: name) { throw Failure(message: message) }
    return name
  }

  /// Returns the title or the caption of a photo, in any bytes.
  func text(
    of subject: Subject, _ character: (UInt8) -> UInt8 = { $0 }
  ) throws(Failure) -> [UInt8] {
    let stem = subject.name[..<subject.name.extensionStart]
    var name: [UInt8] = []
    for part in parts {
      switch part {
      case .text(let text): name += text.utf8
      case .name: name += stem
      case .fileExtension: name += subject.name[stem.count...]
      case .number(let width): name += Self.padded(Int64(subject.number), width).utf8
      case .rating: name += "\(subject.stars)".utf8
      case .camera:
        guard let camera = subject.camera else { throw Failure(message: "no camera") }
        name += camera.utf8.map(character)
      case .taken(let format):
        guard let taken = subject.taken else { throw Failure(message: "no date") }
        name += Self.text(of: taken, format).utf8
      case .modified(let format):
        name += Self.text(of: TakenTime(localTime: subject.modified), format).utf8
      }
    }
    return name
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  private static func text(of time: TakenTime, _ format: String) -> String {
    let digits = time.digits
    var text = ""
    var rest = format[...]
    while let character = rest.popFirst() {
      guard character == "%", let field = rest.popFirst() else {
        text.append(character)
        continue
      }
      let value =
        switch field {
        case "Y": padded(digits / 10_000_000_000, 4)
        case "y": padded(digits / 10_000_000_000 % 100, 2)
        case "m": padded(digits / 100_000_000 % 100, 2)
        case "d": padded(digits / 1_000_000 % 100, 2)
        case "H": padded(digits / 10_000 % 100, 2)
        case "M": padded(digits / 100 % 100, 2)
        case "S": padded(digits % 100, 2)
        default: String(field)
        }
      text += value
    }
    return text
  }
}

extension TakenTime {
  /// Creates the time in the user's time zone from seconds since 1970.
  init(localTime seconds: Int64) {
    var time = time_t(seconds)
    var parts = tm()
    localtime_r(&time, &parts)
    let fields = [parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec]
    self.init(digits: fields.reduce(Int64(parts.tm_year) + 1900) { $0 * 100 + Int64($1) })
  }
}

/// A photo's file to rename.
package struct RenamedFile: Equatable, Sendable {
  package var photo: Photo.ID
  /// The folder, which ends with a slash or is empty.
  package var folder: [UInt8]
  package var name: [UInt8]

  package init(_ photo: Photo.ID, folder: [UInt8], name: [UInt8]) {
    self.photo = photo
    self.folder = folder
    self.name = name
  }
}

/// The new names that a pattern gives to photos, before anything is renamed.
///
/// Photos of one folder that would get the same name get numbers: "sea.jpg", "sea-1.jpg".
struct RenamePlan: Equatable, Sendable {
  enum Name: Equatable, Sendable {
    /// The name, which may be any bytes.
    case name([UInt8])
    /// The photo's file or rating has not been read yet.
    case unread
    /// No name is possible, for the given reason.
    case impossible(String)
  }

  /// The files, in the order of their numbers.
  let files: [RenamedFile]
  /// Their new names, in the same order.
  let names: [Name]
  /// The number of photos that got a number because an earlier photo has their name.
  let numberedCount: Int

  /// Creates the plan of a pattern.
  init(
    _ pattern: RenamePattern, _ files: [RenamedFile],
    subject: (RenamedFile, Int) -> RenamePattern.Subject?
  ) {
    var taken: [[UInt8]: Set<[UInt8]>] = [:]
    var numbers: [[UInt8]: Int] = [:]
    var numberedCount = 0
    self.files = files
    names = files.enumerated().map { index, file in
      guard let subject = subject(file, index + 1) else { return .unread }
      do throws(RenamePattern.Failure) {
        let wanted = try pattern.name(of: subject)
        var name = wanted
        // The last number of a name is remembered, as a thousand photos may get the same name.
        var number = numbers[file.folder + wanted] ?? 0
        while !taken[file.folder, default: []].insert(name).inserted {
          number += 1
          name = wanted.numbered(number)
        }
        numbers[file.folder + wanted] = number
        if number > 0 { numberedCount += 1 }
        if let message = FileName.validationError(of: name) { return .impossible(message) }
        return .name(name)
      } catch {
        return .impossible(error.message)
      }
    }
    self.numberedCount = numberedCount
  }

  var renamings: [Renaming] {
    zip(files, names).compactMap { file, name in
      guard case .name(let name) = name, name != file.name else { return nil }
      return Renaming(file.photo, to: name)
    }
  }

  /// The reason why the photos cannot be renamed, or not yet; nil if they can.
  var validationError: String? {
    if let failures { return failures }
    let unread = names.count { $0 == .unread }
    return unread > 0 ? "reading \(names.count - unread) of \(names.count)…" : nil
  }

  /// How many photos cannot be renamed, and why the first of them cannot; nil if all can.
  private var failures: String? {
    let reasons = names.compactMap { name -> String? in
      if case .impossible(let reason) = name { return reason }
      return nil
    }
    guard let first = reasons.first else { return nil }
    let count = "\(reasons.count) of \(names.count)"
    if first.hasPrefix("no ") {
      return "\(count) photos \(reasons.count == 1 ? "has" : "have") \(first)"
    }
    return "\(count) photos cannot be renamed: \(first)"
  }

  /// A remark on the effect of the plan.
  var note: String {
    let count = renamings.count
    guard count > 0 else { return "No names will change" }
    let what = count == 1 ? "Enter changes 1 name" : "Enter changes \(count) names"
    return numberedCount > 0 ? "\(what), \(numberedCount) numbered" : what
  }

  /// Returns lines such as "old.jpg → new.jpg"; if files cannot be renamed, these come first, after
  /// a line that counts them.
  func lines(atMost limit: Int, columns: Int) -> [String] {
    let header =
      limit > 1 ? failures.map { [CellText("\($0):").truncatedTail(to: columns).string] } : nil
    let failed = names.indices.filter(isImpossible)
    let order = failed + names.indices.filter { !isImpossible($0) }
    let limit = limit - (header ?? []).count
    let isCut = order.count > limit
    let width = max((columns - 3) / 2, 4)
    let shown = order.prefix(isCut ? limit - 1 : limit)
    let lines = shown.map { index in
      let old = CellText(PrintableText.from(files[index].name)).truncatedMiddle(to: width).string
      switch names[index] {
      case .name(let name):
        let new = CellText(PrintableText.from(name)).truncatedMiddle(to: width).string
        return "\(old) → \(new)"
      case .unread: return "\(old) → …"
      case .impossible(let message): return "\(old): \(message)"
      }
    }
    guard isCut else { return (header ?? []) + lines }
    // While names that are not possible are left out, these are the ones to count.
    let left = failed.count > shown.count ? failed.count - shown.count : order.count - shown.count
    return (header ?? []) + lines + ["and \(left) more"]
  }

  private func isImpossible(_ index: Int) -> Bool {
    if case .impossible = names[index] { return true }
    return false
  }
}
