import CVips
import Glibc
import ImageFormats
import Photos
import WorkerProtocol

/// The user's thumbnail cache, which all programs of a desktop share (freedesktop.org, Thumbnail
/// Managing Standard 0.9).
///
/// Any fault of the folder or of a file in it costs no more than a thumbnail. Files are written
/// under another name and then renamed, so that no program ever sees a part of one. They are not
/// flushed to the disk: a file damaged by a power cut fails its checksums.
struct ThumbnailCache {
  private let folder: [UInt8]
  private let mayWrite: Bool
  /// The cleaner of old thumbnails; nil until a thumbnail is stored.
  private var cleaner: ThumbnailCleaner?
  /// The time until which nothing is written after a failure, so that a full disk costs no time.
  private var pausedUntil: time_t = 0

  /// The pause after a failure, in seconds.
  private static let pause: time_t = 20
  /// The age in seconds below which a file may change again without a new time stamp.
  ///
  /// Time stamps in thumbnails are whole seconds, and some file systems store only even seconds.
  private static let minAge = 3
  /// The longest time in the future, in seconds, that is taken for a wrong clock or time zone.
  ///
  /// Such a file may have changed just now. A later time stamp was set on purpose.
  private static let maxSkew = 86_400

  /// Creates a reference to the cache in a folder, which is created with the first thumbnail.
  init(_ access: ThumbnailAccess) {
    folder = access.folder
    mayWrite = access.mayWrite
  }

  /// Whether thumbnails can be written now.
  var isWritable: Bool { mayWrite && Self.now >= pausedUntil }

  /// The identity of a photo in the cache.
  struct Photo {
    let uri: [UInt8]
    /// The name of the thumbnail's file, which is the same for all sizes.
    let name: [UInt8]
    /// The absolute path, without "." and "..".
    let path: [UInt8]
    let stamp: FileStamp

    /// Creates the identity of the photo at a path; nil if the path has no URI.
    init?(_ path: [UInt8], _ stamp: FileStamp) {
      self.stamp = stamp
      guard let whole = g_canonicalize_filename(path.terminated, nil) else { return nil }
      defer { g_free(whole) }
      guard let uri = g_filename_to_uri(whole, nil, nil) else { return nil }
      defer { g_free(uri) }
      guard let sum = g_compute_checksum_for_string(G_CHECKSUM_MD5, uri, -1) else { return nil }
      defer { g_free(sum) }
      self.path = Array(cString: whole)
      self.uri = Array(cString: uri)
      name = Array(cString: sum) + Array(".png".utf8)
    }

    /// Whether the status of the photo has not changed since a time.
    func wasUnchanged(at time: timespec) -> Bool {
      var status = stat()
      guard stat(path.terminated, &status) == 0 else { return false }
      let changed = status.st_ctim
      return (changed.tv_sec, changed.tv_nsec) <= (time.tv_sec, time.tv_nsec)
    }
  }

  // MARK: Finding

  /// Opens the valid thumbnails of a photo that can be shown in a frame, best first.
  ///
  /// The smallest that is large enough comes first, then larger ones, then smaller ones, the
  /// largest of them first. The list ends with the first that is large enough and was written by
  /// this program.
  ///
  /// - Returns: Descriptors that belong to the caller.
  func openThumbnails(of photo: Photo, for frame: DecodeTarget) -> [Int32] {
    let side = max(frame.size.width, frame.size.height)
    let sizes = ThumbnailSize.allCases
    let order =
      sizes.filter { Double($0.side) >= side } + sizes.filter { Double($0.side) < side }.reversed()
    var descriptors: [Int32] = []
    for size in order {
      let path = path([Array(size.folder.utf8), photo.name])
      let descriptor = ThumbnailFile.open(path)
      guard descriptor >= 0 else { continue }
      guard let file = ThumbnailFile(descriptor: descriptor, maxSide: size.side),
        file.isValid(for: photo)
      else {
        close(descriptor)
        continue
      }
      descriptors.append(descriptor)
      if Double(size.side) >= side, file.info(of: photo.stamp) != nil { break }
    }
    return descriptors
  }

  /// Returns the valid thumbnail of a photo in one size; nil if there is none, or only one by earlier
  /// rules, which is to be replaced.
  func thumbnail(of photo: Photo, _ size: ThumbnailSize) -> ThumbnailFile? {
    guard
      let file = ThumbnailFile(
        path: path([Array(size.folder.utf8), photo.name]), maxSide: size.side),
      file.isValid(for: photo), !file.hasEarlierRules
    else { return nil }
    return file
  }

  /// Returns why a photo could not be shown when this version of the program last tried; nil if it
  /// has not failed, or if a film has failed and another version of the command for films is installed.
  func failure(of photo: Photo) -> FailureReason? {
    guard
      let file = ThumbnailFile(path: path([Self.failureFolder, photo.name]), maxSide: 1),
      file.isValid(for: photo), !file.hasEarlierRules, let failure = file.failure,
      failure != FilmDecoder.noPicture
        || file.text[ThumbnailText.Key.command] == FilmDecoder.commandStamp
    else { return nil }
    return failure
  }

  private static let failureFolder = Array("fail/photogrid-\(ProgramVersion.current)".utf8)

  // MARK: Writing

  /// Writes the thumbnail of a photo.
  ///
  /// The picture fits into the square of the size.
  ///
  /// - Returns: Whether it was written, or why not.
  mutating func store(
    _ picture: Bitmap, of photo: Photo, _ info: PhotoInfo, _ size: ThumbnailSize
  ) -> ThumbnailOutcome {
    write(ThumbnailText(photo, info), picture, of: photo, to: Array(size.folder.utf8))
  }

  /// Records why a photo cannot be shown.
  ///
  /// Timeouts and crashes are not recorded, since a busy machine may have caused them.
  mutating func store(_ failure: FailureReason, of photo: Photo) {
    let dot = Bitmap(width: 1, height: 1, pixels: [0, 0, 0, 0], isOpaque: false)
    _ = write(ThumbnailText(photo, failure), dot, of: photo, to: Self.failureFolder)
  }

  /// Returns the reason that no thumbnail of a photo can be written; nil if none is known.
  func refusal(of photo: Photo) -> ThumbnailOutcome? {
    if !mayWrite { return .refused(EROFS) }
    if isOwn(photo) { return .isThumbnail }
    return Self.isTooNew(photo.stamp.seconds) ? .tooNew : nil
  }

  private mutating func write(
    _ text: ThumbnailText, _ picture: Bitmap, of photo: Photo, to inner: [UInt8]
  ) -> ThumbnailOutcome {
    if let refusal = refusal(of: photo) { return refusal }
    guard let bytes = ThumbnailFile.encoded(picture, text) else { return .refused(ENOMEM) }
    // The file may have changed since it was decoded.
    guard let stamp = try? PhotoOpening.stamp(of: photo.path), stamp.matches(photo.stamp) else {
      return .tooNew
    }
    let code = write(bytes, to: inner, photo.name)
    if code != 0 { pausedUntil = Self.now + Self.pause }
    let cleaner = cleaner ?? ThumbnailCleaner(folder)
    self.cleaner = cleaner
    cleaner.step()
    return code == 0 ? .made : .refused(code)
  }

  /// Writes a complete file, or none.
  ///
  /// - Returns: 0, or the `errno` of the failure.
  private func write(_ bytes: [UInt8], to inner: [UInt8], _ name: [UInt8]) -> Int32 {
    var code = makeFolder(inner)
    guard code == 0 else { return code }
    let temporary = path([inner, Self.temporaryPrefix + Array("\(getpid())-".utf8) + name])
    // Never write through a link, or into an existing file.
    unlink(temporary)
    let descriptor = open(
      temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return errno }
    code = Self.write(bytes, descriptor)
    if close(descriptor) != 0, code == 0 { code = errno }
    if code == 0, rename(temporary, path([inner, name])) != 0 { code = errno }
    if code != 0 { unlink(temporary) }
    return code
  }

  /// The prefix of incomplete files; a killed worker may leave one behind.
  static let temporaryPrefix = Array(".photogrid-".utf8)

  private static func write(_ bytes: [UInt8], _ descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = Glibc.write(
          descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
        if count > 0 {
          written += count
        } else if count == 0 || errno != EINTR {
          return count == 0 ? ENOSPC : errno
        }
      }
      return 0
    }
  }

  /// Creates the folder for a size of thumbnails, and the folders above it, with access for the
  /// user alone.
  ///
  /// A folder of another user is not used: root would write files there that its owner cannot
  /// replace.
  ///
  /// - Returns: 0, or the `errno` of the failure.
  private func makeFolder(_ inner: [UInt8]) -> Int32 {
    let whole = folder + [0x2f] + inner
    var status = stat()
    if stat(whole.terminated, &status) != 0 {
      let code = Self.makeFolder(whole)
      guard code == 0 else { return code }
      guard stat(whole.terminated, &status) == 0 else { return errno }
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { return ENOTDIR }
    return status.st_uid == geteuid() ? 0 : EACCES
  }

  /// Creates a folder, and the folders above it that are missing.
  ///
  /// - Returns: 0, or the `errno` of the failure.
  @discardableResult
  static func makeFolder(_ whole: [UInt8]) -> Int32 {
    var status = stat()
    for end in whole.indices.dropFirst() + [whole.count]
    where end == whole.count || whole[end] == 0x2f {
      let part = whole[..<end].terminated
      if stat(part, &status) != 0, mkdir(part, 0o700) != 0, errno != EEXIST { return errno }
    }
    return 0
  }

  // MARK: Parts

  private func path(_ parts: [[UInt8]]) -> [CChar] {
    parts.reduce(folder) { $0 + [0x2f] + $1 }.terminated
  }

  /// Returns whether a photo is itself a file of the cache.
  private func isOwn(_ photo: Photo) -> Bool {
    if photo.path.starts(with: folder + [0x2f]) { return true }
    guard let photo = Self.resolved(photo.path), let folder = Self.resolved(folder) else {
      return false
    }
    return photo.starts(with: folder + [0x2f])
  }

  private static func resolved(_ path: [UInt8]) -> [UInt8]? {
    guard let real = realpath(path.terminated, nil) else { return nil }
    defer { free(real) }
    return Array(cString: real)
  }

  private static func isTooNew(_ modified: Int) -> Bool {
    let now = Int(now)
    return modified > now - minAge && modified < now + maxSkew
  }

  private static var now: time_t { time(nil) }
}
