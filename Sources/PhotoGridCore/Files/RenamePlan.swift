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
    let what = count == 1 ? "1 name will change" : "\(count) names will change"
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
