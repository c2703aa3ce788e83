import Geometry
import Glibc
import ImageFormats
import Photos
import WorkerRuntime

/// The changes of files by which photos that belong together are rotated or flipped.
///
/// The orientation goes into the photo's file if its format has a place for it, and the file has no other
/// hard links, from which replacing it would separate it; otherwise into its sidecar. A sidecar that has
/// one gets the new one in any case, as it takes precedence.
struct PhotoTurn {
  /// A change of a file.
  struct Step {
    /// The absolute path of the photo.
    var photo: [UInt8]
    /// The absolute path of the file; of a symbolic link, that of the file it leads to.
    var path: [UInt8]
    var rotation: JournalEntry.Rotation
    var file: FileIdentity
    /// The permissions if the file is created.
    var mode: mode_t
  }

  private(set) var steps: [Step] = []

  /// The largest sidecar, in bytes.
  private static let maxSidecar = 16 << 20

  /// Plans the changes for photos; what belongs to a live photo but its picture is left alone.
  ///
  /// - Throws: `FileFault` if one of them cannot be rotated.
  init(_ photos: [[UInt8]], by turning: Orientation) throws(FileFault) {
    var hasPhoto = false
    for path in photos {
      let path = try FileOperator.absolute(path)
      guard let file = OpenFile(path) else { throw errno == EINVAL ? .irregular : .last }
      guard let stored = StoredOrientation(file.source, name: path) else { throw .noPhoto }
      guard stored.format != .film else { continue }
      hasPhoto = true
      try add(path, file, stored, turning)
    }
    guard hasPhoto else { throw .film }
  }

  private mutating func add(
    _ photo: [UInt8], _ file: OpenFile, _ stored: StoredOrientation, _ turning: Orientation
  ) throws(FileFault) {
    let sidecar = try Self.sidecar(of: photo)
    let before = sidecar.orientation ?? stored.orientation
    var step = Step(
      photo: photo, path: sidecar.path,
      rotation: JournalEntry.Rotation(before: before, after: before.followed(by: turning)),
      file: FileIdentity(device: 0, inode: 0), mode: file.status.st_mode & 0o666)
    let after = step.rotation.after
    var isInPhoto = false
    if file.status.st_nlink == 1, let patch = try? stored.container?.patch(after),
      let change = FileChange(patch, of: file.source)
    {
      isInPhoto = true
      var own = step
      own.path = try Self.resolved(photo)
      if !patch.isEmpty { append(own, changing: file.status, by: change) }
    }
    guard !isInPhoto || sidecar.orientation != nil else { return }
    guard let bytes = sidecar.bytes else {
      step.rotation.change = FileChange(creating: SidecarOrientation.document(after))
      return steps.append(step)
    }
    guard let patch = SidecarOrientation.patch(bytes, after),
      let change = FileChange(patch, of: ByteSource(bytes))
    else { throw .unreadableSidecar }
    if !patch.isEmpty { append(step, changing: sidecar.status, by: change) }
  }

  /// Adds a step, unless another photo has the same sidecar.
  private mutating func append(_ step: Step, changing status: stat?, by change: FileChange) {
    guard !steps.contains(where: { $0.path == step.path }) else { return }
    var step = step
    step.rotation.change = change
    if let status { step.file = FileIdentity(status) }
    steps.append(step)
  }

  // MARK: - Sidecars

  private struct SidecarState {
    /// The path of the file, which need not exist.
    var path: [UInt8]
    var status: stat?
    /// The contents; nil if there is no sidecar.
    var bytes: [UInt8]?
    /// The orientation that the sidecar gives the photo; nil if it gives none.
    var orientation: Orientation?
  }

  /// Returns the sidecar that the photo at a path has, or gets.
  private static func sidecar(of photo: [UInt8]) throws(FileFault) -> SidecarState {
    let paths = Sidecar.paths(ofPhoto: photo)
    for path in paths {
      guard let file = OpenFile(path) else {
        guard errno == ENOENT else { throw errno == EINVAL ? .unreadableSidecar : .last }
        continue
      }
      guard let bytes = file.bytes(atMost: maxSidecar) else { throw .unreadableSidecar }
      let facts = XMPFacts(Array(bytes.prefix(XMPFacts.maxBytes)), .sidecar)
      let orientation = facts.orientation(ofPhoto: photo)
      // One that belongs to a photo with another extension is left alone.
      if orientation == nil, facts.orientation != nil { continue }
      return SidecarState(
        path: try resolved(path), status: file.status, bytes: bytes, orientation: orientation)
    }
    return SidecarState(path: try resolved(paths[0]))
  }

  private static func resolved(_ path: [UInt8]) throws(FileFault) -> [UInt8] {
    do throws(ReplacementFault) {
      return try LockedFile.resolved(path)
    } catch {
      throw FileFault(error)
    }
  }

  /// The folders of the files that photos or their sidecars lead to as symbolic links.
  static func linkedFolders(of photos: [[UInt8]]) -> [[UInt8]] {
    (photos + photos.flatMap { Sidecar.paths(ofPhoto: $0) }).compactMap { path in
      var status = stat()
      guard lstat(path.terminated, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else {
        return nil
      }
      return (try? resolved(path)).map { Array($0.split.folder.dropLast()) }
    }
  }

  // MARK: - Undoing

  /// Returns the change that undoes a recorded one: byte for byte, or if the file has been changed since,
  /// by the orientation alone.
  ///
  /// - Throws: `FileFault.turnedSince` if the file has another orientation by now.
  static func undoing(_ entry: JournalEntry) throws(FileFault) -> JournalEntry.Rotation {
    guard var back = entry.rotation?.reversed else { throw .lost }
    if back.change?.fits(entry.target) == true { return back }
    guard let file = OpenFile(entry.target) else { throw errno == EINVAL ? .irregular : .last }
    guard orientation(in: file, at: entry.target) == back.before else { throw .turnedSince }
    let patch: FilePatch?
    if Sidecar.isSidecar(entry.target) {
      patch = SidecarOrientation.patch(file.bytes(atMost: maxSidecar) ?? [], back.after)
    } else {
      let stored = StoredOrientation(file.source, name: entry.target)
      patch = try? stored?.container?.patch(back.after)
    }
    guard let patch, let change = FileChange(patch, of: file.source) else { throw .changed }
    back.change = change
    return back
  }

  /// Returns the orientation that a photo or a sidecar stores; nil if it has none.
  private static func orientation(in file: OpenFile, at path: [UInt8]) -> Orientation? {
    Sidecar.isSidecar(path)
      ? XMPFacts(file.bytes(atMost: maxSidecar) ?? [], .sidecar).orientation
      : StoredOrientation(file.source, name: path)?.orientation
  }

  /// Whether a recorded change was made: another session may have rated or rotated the photo since.
  static func isDone(_ rotation: JournalEntry.Rotation, at path: [UInt8]) -> Bool {
    if rotation.change?.reversed.fits(path) == true { return true }
    guard rotation.change?.fits(path) == false, let file = OpenFile(path),
      let now = orientation(in: file, at: path)
    else { return false }
    return now != rotation.before
  }

  /// Whether a recorded change can be undone.
  static func canUndo(_ entry: JournalEntry) -> Bool { (try? undoing(entry)) != nil }
}
