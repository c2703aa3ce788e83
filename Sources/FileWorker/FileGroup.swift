import Glibc
import Photos
import WorkerRuntime

/// Files that are changed together: all of them, or none.
///
/// Every step is recorded in the journal before it is taken, so that the steps so far can be undone
/// until the group has ended.
struct FileGroup {
  /// The identity of a group in a session, with the number of its files.
  struct ID: Hashable, CustomStringConvertible {
    /// The number of the batch; groups that were requested together share it.
    var batch: UInt32
    /// The number of the group in its journal.
    var number: UInt32
    var count: UInt32

    /// The group as a word in the journal: "7.3.2" is batch 7, group 3, with 2 files.
    var description: String { "\(batch).\(number).\(count)" }

    init(batch: UInt32, number: UInt32, count: Int) {
      self.batch = batch
      self.number = number
      self.count = UInt32(clamping: count)
    }

    init?(_ word: String) {
      let parts = word.split(separator: ".").map { UInt32($0) }
      guard parts.count == 3, let batch = parts[0], let number = parts[1],
        let count = parts[2]
      else { return nil }
      self.init(batch: batch, number: number, count: Int(count))
    }
  }

  let kind: JournalEntry.Kind
  let id: ID
  private let journal: Journal?
  private(set) var entries: [JournalEntry] = []
  /// The remark for the user, although all files have moved; nil for none.
  private(set) var remark: String?
  /// Whether a step has given a file a temporary name: nobody looks for a photo there, so the journal
  /// must know of it after a power cut too.
  private var hasTemporaryNames = false

  init(_ kind: JournalEntry.Kind, _ id: ID, in journal: Journal?) {
    self.kind = kind
    self.id = id
    self.journal = journal
  }

  /// Records a step; call this before taking it.
  mutating func willMove(
    _ file: FileIdentity?, by method: FileMove.Method, from source: [UInt8], to target: [UInt8]
  ) {
    guard let file else { return }
    let entry = JournalEntry(kind, id, method, file, from: source, to: target)
    entries.append(entry)
    journal?.add(entry)
    hasTemporaryNames =
      hasTemporaryNames || target.split.name.starts(with: Self.temporaryPrefix.utf8)
    if hasTemporaryNames { journal?.sync() }
  }

  /// Changes the orientation of a photo in its file or sidecar.
  ///
  /// - Parameters:
  ///   - file: The file; any if it does not exist.
  ///   - photo: The path of the photo.
  ///   - path: The path of the file.
  ///   - rotation: The orientations, and the bytes that change.
  ///   - mode: The permissions if the file is created.
  /// - Returns: The entry of the journal.
  /// - Throws: `FileFault`; the file is unchanged then.
  mutating func rotate(
    _ file: FileIdentity, of photo: [UInt8], at path: [UInt8], _ rotation: JournalEntry.Rotation,
    mode: mode_t = 0o600
  ) throws(FileFault) -> JournalEntry {
    var entry = JournalEntry(kind, id, .exclusiveRename, file, from: photo, to: path)
    entry.rotation = rotation
    let count = entries.count
    do throws(FileFault) {
      // Not recorded before the file is locked: meanwhile another session may make the same change,
      // which would be taken for this one, and taken back.
      try rotation.change?.make(at: path, mode: mode) {
        entries.append(entry)
        journal?.add(entry)
      }
    } catch {
      if error == .changed { entries.removeSubrange(count...) }
      throw error
    }
    return entry
  }

  /// Records that all steps were taken, or all undone.
  func end() { if !entries.isEmpty { journal?.end(id) } }

  // MARK: - Moving

  /// Moves files to exactly these absolute paths, without replacing any file.
  ///
  /// Files of another file system are copied, and so are links that need another text; all copies
  /// are complete before the first file is removed.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - copy: The copier of files, which reports the progress.
  ///   - texts: Returns the text that a link gets at its new path.
  /// - Throws: `FileFault`; `takeBack()` then moves the files back that were moved so far.
  mutating func move(
    _ files: [FileStep], _ copy: FileCopy = FileCopy(),
    texts: (SymbolicLink, [UInt8]) -> [UInt8] = { $0.text(at: $1) }
  ) throws(FileFault) {
    var copied: [JournalEntry] = []
    for step in try Self.steps(files) {
      let link = step.isInOneFolder ? nil : SymbolicLink(at: step.source)
      let text = link.map { texts($0, step.target) }
      do throws(FileFault) {
        // A link's text cannot be changed: another link takes its place, as on another disk.
        guard text == link?.text else { throw .system(EXDEV) }
        try rename(FileIdentity(at: step.source), step)
      } catch {
        guard error == .system(EXDEV) else { throw error }
        copied.append(try self.copy(step, copy, text: text))
      }
    }
    // The journal says next that nothing is left at a temporary name.
    if hasTemporaryNames {
      for folder in Set(files.map { $0.target.split.folder }) { try syncFolder(folder) }
    }
    // If the target's disk stores coarser times than the source's, this reads both files.
    guard copied.allSatisfy(\.isFaithful) else { throw .changed }
    for (index, file) in copied.enumerated() where unlink(file.source.terminated) != 0 {
      // Once the first original is removed, the group must stay at its target: if another one
      // cannot be removed, it is left beside its copy.
      let fault = FileFault.last
      guard index > 0 else { throw fault }
      guard fault != .system(ENOENT) else { continue }
      let name = String(decoding: file.source.split.name, as: UTF8.self)
      remark = "the original '\(name)' could not be removed: \(fault.message)"
    }
  }

  /// Replaces the text of a link.
  mutating func relink(_ link: SymbolicLink) throws(FileFault) {
    guard SymbolicLink(at: link.path)?.text != link.text else { return }
    let copied = try copyToTemporaryName(
      FileStep(from: link.path, to: link.path), FileCopy(), text: link.text)
    let file = copied.copy
    willMove(file, by: .exclusiveRename, from: copied.target, to: link.path)
    guard Glibc.rename(copied.target.terminated, link.path.terminated) == 0 else { throw .last }
    try syncFolder(link.path.split.folder)
  }

  /// Copies files to exactly these absolute paths.
  ///
  /// - Throws: `FileFault`; `takeBack()` then removes the copies made so far.
  mutating func copy(_ files: [FileStep], _ copy: FileCopy = FileCopy()) throws(FileFault) {
    for file in files where FileIdentity(at: file.target) != nil {
      throw .exists(file.target.split.name)
    }
    for file in files {
      try self.copy(file, copy, text: SymbolicLink(at: file.source)?.text(at: file.target))
    }
  }

  private mutating func rename(_ file: FileIdentity?, _ step: FileStep) throws(FileFault) {
    try FileMove.move(FileMove.Location(step.source), to: FileMove.Location(step.target)) {
      method in
      willMove(file, by: method, from: step.source, to: step.target)
    }
  }

  /// Copies a file to a temporary name, and renames it to the target once it is on the disk.
  ///
  /// - Returns: The entry of the file at its target.
  @discardableResult
  private mutating func copy(
    _ step: FileStep, _ copy: FileCopy, text: [UInt8]?
  ) throws(FileFault) -> JournalEntry {
    var entry = try copyToTemporaryName(step, copy, text: text)
    try rename(entry.copy, FileStep(from: entry.target, to: step.target))
    try syncFolder(step.target.split.folder)
    entry.target = step.target
    return entry
  }

  /// Copies a file to a temporary name beside its target; a link gets a text.
  private mutating func copyToTemporaryName(
    _ step: FileStep, _ copy: FileCopy, text: [UInt8]?
  ) throws(FileFault) -> JournalEntry {
    guard let file = FileIdentity(at: step.source) else { throw .last }
    let before = SymbolicLink(at: step.source)?.text
    let part = Self.temporaryPath(beside: step.target)
    willMove(file, by: .copy, from: step.source, to: part)
    var entry = JournalEntry(kind, id, .copy, file, from: step.source, to: part)
    entry.copy = try copy.copy(step.source, to: part, linkText: text)
    if let before, let text, before != text { entry.link = LinkTexts(before: before, after: text) }
    entries.append(entry)
    journal?.add(entry)
    return entry
  }

  func takeBack() { Settlement.takeBack(Settlement.steps(of: entries)) }

  /// Returns moves in an order in which each name is free when it is needed.
  ///
  /// Files that exchange their names need a temporary one:
  ///
  ///     a → b, b → a      becomes      b → .photogrid-1f, a → b, .photogrid-1f → a
  ///
  /// So does a file whose name changes in case alone on a disk that ignores case, where Linux does
  /// nothing if it is asked to rename "a" to "A".
  ///
  /// - Throws: `FileFault.exists` if a name belongs to a file outside of the group.
  static func steps(_ files: [FileStep]) throws(FileFault) -> [FileStep] {
    var indices: [[UInt8]: Int] = [:]
    for (index, file) in files.enumerated() { indices[file.source] = index }
    var targets: Set<[UInt8]> = []
    var spellings = OtherSpellings(of: files.map(\.source))
    // For each file the one that has its new name; nil if that is free.
    var holders: [Int?] = []
    for file in files {
      guard targets.insert(file.target).inserted else { throw .exists(file.target.split.name) }
      let holder =
        indices[file.target] ?? spellings.file(foundBy: file.target).flatMap { indices[$0] }
      guard holder != nil || FileIdentity(at: file.target) == nil else {
        throw .exists(file.target.split.name)
      }
      holders.append(holder)
    }
    var steps: [FileStep] = []
    var isDone = files.map { $0.source == $0.target }
    for start in files.indices where !isDone[start] {
      // The file whose name is needed moves before the one that needs it.
      var chain = [start]
      isDone[start] = true
      while let last = chain.last, let next = holders[last], !isDone[next] {
        isDone[next] = true
        chain.append(next)
      }
      guard let last = chain.last else { continue }
      guard holders[last] == start else {
        steps += chain.reversed().map { files[$0] }
        continue
      }
      let temporary = temporaryPath(beside: files[last].source)
      steps.append(FileStep(from: files[last].source, to: temporary))
      steps += chain.dropLast().reversed().map { files[$0] }
      steps.append(FileStep(from: temporary, to: files[last].target))
    }
    return steps
  }

  static let temporaryPrefix = ".photogrid-"

  /// Returns the path of an unused hidden name in the folder of a file.
  private static func temporaryPath(beside path: [UInt8]) -> [UInt8] {
    let folder = path.split.folder
    while true {
      let name = "\(temporaryPrefix)\(String(UInt64.random(in: .min ... .max), radix: 16))"
      let path = folder + name.utf8
      if FileIdentity(at: path) == nil { return path }
    }
  }
}
