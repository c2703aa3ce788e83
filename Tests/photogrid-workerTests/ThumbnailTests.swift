import Glibc
import PhotoLibrary
import Photos
import TestSupport
import Testing
import WorkerProtocol

/// The thumbnail cache as real workers read and fill it.
@Suite(.serialized) struct ThumbnailTests {
  let folder = TemporaryFolder()

  static let red: UInt32 = 0xe02020
  static let green: UInt32 = 0x20c040
  /// Old enough for a thumbnail to be stored.
  static let modified = 1_600_000_000

  var cache: String { "\(folder.path)/cache/thumbnails" }

  var access: ThumbnailAccess { ThumbnailAccess(folder: Array(cache.utf8), mayWrite: true) }

  /// Writes a photo with a modification time, by default a time long ago.
  @discardableResult
  func photo(
    _ color: UInt32 = red, as name: String = "photo.jpg", modified: Int = modified,
    bytes: [UInt8]? = nil
  ) -> [UInt8] {
    let path = folder.write(bytes ?? JPEGFile.flat(300, 200, color), to: name)
    Self.touch(path, modified)
    return path
  }

  static func touch(_ path: [UInt8], _ modified: Int) {
    let time = timespec(tv_sec: modified, tv_nsec: 0)
    utimensat(AT_FDCWD, cString(path[...]), [time, time], 0)
  }

  func store(_ paths: [[UInt8]], _ access: ThumbnailAccess?) throws -> PhotoStore {
    var limits = StoreLimits()
    limits.workerCount = 1
    let store = PhotoStore(worker: try .find(), limits: limits, thumbnails: access)
    store.index.append(paths)
    return store
  }

  /// Shows a photo that fits in a square, and returns the final color in its middle and the number
  /// of pictures.
  ///
  /// It waits until `isStored`: what a film's decoder stores may be in the cache later than what the
  /// opener does for the request after it.
  @discardableResult
  func show(
    _ path: [UInt8], side: Double = 90, _ access: ThumbnailAccess? = nil,
    until isStored: () -> Bool = { true }
  ) throws -> (color: [Int]?, pictures: Int, info: PhotoInfo?, failure: String?) {
    let store = try store([path], access ?? self.access)
    let events = store.fetchAll(side: side)
    store.finish()
    let start = now()
    while !isStored(), now().seconds(since: start) < 60 { usleep(1000) }
    let picture = store.picture(0)
    return (
      picture.map { $0.pixel($0.width / 2, $0.height / 2) },
      events.count { $0 == .pictureReady(Photo.ID(0)) }, store.info(of: Photo.ID(0)),
      store.failure(of: Photo.ID(0))
    )
  }

  func files(in size: String) -> [String] {
    guard let stream = opendir("\(cache)/\(size)") else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = String(decoding: entryName(entry), as: UTF8.self)
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// The only thumbnail of a size.
  func onlyFile(in size: String = "normal") throws -> String {
    let files = files(in: size)
    try #require(files.count == 1, "\(files)")
    return "\(cache)/\(size)/\(files[0])"
  }

  static func mode(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
  }

  // MARK: Storing

  @Test func `the thumbnail of a decoded photo is stored as the standard requires`() throws {
    let path = photo()

    try show(path)

    let file = try onlyFile()
    let text = PNGFile.text(of: contents(of: file))
    let uri = "file://\(folder.path)/photo.jpg"
    #expect(text["Thumb::URI"] == uri)
    #expect(text["Thumb::MTime"] == "\(Self.modified)")
    #expect(text["Thumb::Size"] == "\(contents(of: "\(folder.path)/photo.jpg").count)")
    #expect(text["Thumb::Mimetype"] == "image/jpeg")
    #expect(text["Thumb::Image::Width"] == "300" && text["Thumb::Image::Height"] == "200")
    #expect(text["Software"] == "photogrid 0.1.0")
    #expect(file.hasSuffix("/normal/\(MD5.hex(Array(uri.utf8))).png"))
    #expect(PNGFile.sides(of: contents(of: file)) == [128, 85])
    #expect(Self.mode(file) == 0o600)
    for folder in ["", "/normal"] { #expect(Self.mode(cache + folder) == 0o700) }
    #expect(Self.mode("\(folder.path)/cache") == 0o700)
  }

  @Test(arguments: [
    (60.0, "normal", [128, 85]), (128, "normal", [128, 85]), (129, "large", [256, 171]),
    (300, "x-large", [300, 200]),
  ])
  func `a thumbnail has the next standard size that is not smaller than the tile`(
    side: Double, size: String, sides: [Int]
  ) throws {
    try show(photo(), side: side)

    #expect(PNGFile.sides(of: contents(of: try onlyFile(in: size))) == sides)
    for other in ["normal", "large", "x-large", "xx-large"] where other != size {
      #expect(files(in: other).isEmpty)
    }
  }

  @Test func `a picture for the whole screen is not stored`() throws {
    try show(photo(bytes: JPEGFile.flat(1200, 800, Self.red)), side: 1100)

    #expect(files(in: "xx-large").isEmpty)
  }

  @Test(arguments: [
    ("a b.jpg", "a%20b.jpg"), ("ä.jpg", "%C3%A4.jpg"), ("%25.jpg", "%2525.jpg"),
    ("#?;[]{}|^`\"<>\\.jpg", "%23%3F%3B%5B%5D%7B%7D%7C%5E%60%22%3C%3E%5C.jpg"),
    ("-_.!~*'()&$+,:=@.jpg", "-_.!~*'()&$+,:=@.jpg"), ("\n\u{1b}\u{7f}.jpg", "%0A%1B%7F.jpg"),
  ])
  func `a name is escaped as GLib escapes it`(name: String, escaped: String) throws {
    try show(photo(as: name))

    #expect(
      PNGFile.text(of: contents(of: try onlyFile()))["Thumb::URI"]
        == "file://\(folder.path)/\(escaped)")
  }

  @Test func `names that are not UTF-8 and paths with detours are escaped as GLib escapes them`()
    throws
  {
    let odd = folder.write(
      JPEGFile.flat(300, 200, Self.red), to: [0xff, 0xfe, 0x2e, 0x6a, 0x70, 0x67])
    Self.touch(odd, Self.modified)
    try show(odd)
    #expect(
      PNGFile.text(of: contents(of: try onlyFile()))["Thumb::URI"]
        == "file://\(folder.path)/%FF%FE.jpg")
    unlink(try onlyFile())

    photo()
    folder.write(to: "inner/x")
    try show(Array("\(folder.path)//./inner/../photo.jpg".utf8))
    #expect(
      PNGFile.text(of: contents(of: try onlyFile()))["Thumb::URI"]
        == "file://\(folder.path)/photo.jpg")
  }

  @Test
  func `no thumbnail is stored in private mode, or of new files, thumbnails and truncated photos`()
    throws
  {
    let now = Int(time(nil))
    try show(photo(), ThumbnailAccess(folder: Array(cache.utf8), mayWrite: false))
    for modified in [now, now - 1, now + 5, now + 3600] {
      try show(photo(as: "\(modified).jpg", modified: modified))
    }
    let whole = JPEGFile.of(300, 200) { x, y in UInt32(x * y) }
    try show(photo(as: "half.jpg", bytes: Array(whole.prefix(whole.count / 2))))
    #expect(files(in: "normal").isEmpty)

    let inner = folder.write(JPEGFile.flat(300, 200, Self.red), to: "cache/thumbnails/normal/a.jpg")
    Self.touch(inner, Self.modified)
    try show(inner)
    #expect(files(in: "normal") == ["a.jpg"])
    // Nor through a link that leads there.
    symlink("\(cache)/normal", "\(folder.path)/link")
    try show(Array("\(folder.path)/link/a.jpg".utf8))
    #expect(files(in: "normal") == ["a.jpg"])
  }

  @Test(arguments: [-2_000_000_000, 0, 1, 4_000_000_000])
  func `implausible modification times work like any others`(modified: Int) throws {
    try show(photo(modified: modified))

    #expect(
      PNGFile.text(of: contents(of: try onlyFile()))["Thumb::MTime"] == "\(modified)")
    Self.touch(folder.path("photo.jpg"), modified)
    #expect(try show(folder.path("photo.jpg")).pictures == 1)
  }

  // MARK: Failures

  @Test func `the failure of a photo is stored until the photo changes`() throws {
    let broken = Array("II*\0".utf8) + Array(repeating: 7, count: 200)
    let path = photo(as: "broken.tif", bytes: broken)
    let first = try show(path)
    let failures = "fail/photogrid-0.1.0"
    let file = try onlyFile(in: failures)
    #expect(Self.mode(file) == 0o600 && Self.mode("\(cache)/fail") == 0o700)
    #expect(PNGFile.text(of: contents(of: file))["Thumb::URI"]?.hasSuffix("/broken.tif") == true)

    // It is used without reading the file, which by now is another one of the same length.
    var good = image("card.tif")
    good = Array(good.prefix(broken.count))
    folder.write(good + Array(repeating: 0, count: broken.count - good.count), to: "broken.tif")
    Self.touch(path, Self.modified)
    #expect(try show(path).failure == first.failure)

    photo(as: "broken.tif", modified: Self.modified + 1, bytes: image("card.tif"))
    #expect(try show(path).failure == nil)
  }

  @Test(.enabled(if: TestFilm.canBeMade, "ffmpeg is not installed"))
  func `the failure of a film is forgotten once another ffmpeg is installed`() throws {
    var film = TestFilm.small("short.mp4")
    let pictures = try #require(film.indices.first { film[$0...].starts(with: "mdat".utf8) })
    let index = try #require(film.indices.first { film[$0...].starts(with: "moov".utf8) })
    for place in (pictures + 4)..<(index - 4) { film[place] = 0 }
    let path = photo(as: "broken.mp4", bytes: film)
    let failures = "fail/photogrid-0.1.0"
    let first = try show(path, until: { files(in: failures).contains { $0.hasSuffix(".png") } })
    #expect(first.failure == "damaged: no picture")
    let file = try onlyFile(in: failures)
    let name = String(file.dropFirst(folder.path.count + 1))
    let recorded = contents(of: file)
    #expect(try show(path).failure == "damaged: no picture")
    #expect(contents(of: file) == recorded, "it is not tried again")

    var text = PNGFile.entries(of: recorded)
    let place = try #require(text.firstIndex { $0.0 == "X-Photogrid::Command" })
    text[place].1 = Array("1 1".utf8)
    folder.write(PNGFile.flat(1, 1, 0, text: text), to: name)
    var command: String? { PNGFile.text(of: contents(of: file))["X-Photogrid::Command"] }
    let again = try show(path, until: { command != "1 1" })
    #expect(again.failure == "damaged: no picture")
    #expect(command != nil && command != "1 1", "it is tried again")
  }

  @Test func `the failure of a missing file, a folder or a new file is not stored`() throws {
    let store = try store(
      [folder.path("missing.jpg"), Array(folder.path.utf8), photo(as: "new.jpg", bytes: [1, 2])],
      access)
    Self.touch(folder.path("new.jpg"), Int(time(nil)))

    store.fetchAll()
    store.finish()

    #expect(store.photos.dropLast().allSatisfy { store.failure(of: $0) != nil })
    #expect(files(in: "fail/photogrid-0.1.0").isEmpty)
  }
}

extension PhotoStore {
  /// Waits for the work that its one worker does after its last answer, by requesting another one.
  func finish() {
    index.append([Array("/no/such/photo".utf8)])
    describe([Photo.ID(index.count - 1)], at: now())
    run()
  }
}
