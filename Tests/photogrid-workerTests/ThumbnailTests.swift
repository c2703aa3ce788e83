import Glibc
import PhotoGridCore
import PhotoLibrary
import TestSupport
import Testing
import WorkerProtocol

/// The thumbnail cache as real workers read and fill it.
@Suite(.serialized, .timeLimit(.minutes(4))) struct ThumbnailTests {
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

  /// Shows a photo that fits in a square, and returns the final colour in its middle and the number
  /// of pictures.
  @discardableResult
  func show(
    _ path: [UInt8], side: Double = 90, _ access: ThumbnailAccess? = nil
  ) throws -> (color: [Int]?, pictures: Int, info: PhotoInfo?, failure: String?) {
    let store = try store([path], access ?? self.access)
    let events = store.fetchAll(side: side)
    store.finish()
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

  // MARK: Reading

  /// Replaces the picture of a thumbnail, so that it shows whether it is used.
  func paint(
    _ file: String, _ color: UInt32, changing: (inout [(String, [UInt8])]) -> Void = { _ in }
  )
    throws
  {
    let old = contents(of: file)
    var text = PNGFile.entries(of: old)
    changing(&text)
    let sides = PNGFile.sides(of: old)
    let bytes = PNGFile.flat(sides[0], sides[1], color, text: text)
    folder.write(bytes, to: String(file.dropFirst(folder.path.count + 1)))
  }

  @Test func `a valid thumbnail is shown without decoding the photo, and has all its facts`() throws
  {
    let path = photo()
    let first = try show(path)
    try paint(onlyFile(), Self.green)

    let second = try show(path)

    #expect(areAlike([try #require(second.color)], [PreviewTests.rgb(Self.green)]))
    #expect(second.pictures == 1)
    #expect(second.info == first.info)
    // It is read in private mode too, and for a larger tile it is only shown first.
    let private_ = try show(path, ThumbnailAccess(folder: access.folder, mayWrite: false))
    #expect(private_.pictures == 1)
    let larger = try show(path, side: 200)
    #expect(larger.pictures == 2)
    #expect(areAlike([try #require(larger.color)], [PreviewTests.rgb(Self.red)]))
  }

  @Test func `the thumbnail of another program is used, whether its text is compressed or not`()
    throws
  {
    let path = photo()
    try show(path)
    let file = try onlyFile()
    let text = PNGFile.entries(of: contents(of: file))
      .filter { ["Thumb::URI", "Thumb::MTime"].contains($0.0) }
    for kind in [PNGFile.TextKind.plain, .compressed, .international, .internationalCompressed] {
      folder.write(
        PNGFile.flat(128, 85, Self.green, text: text, kind),
        to: String(file.dropFirst(folder.path.count + 1)))

      let shown = try show(path)

      #expect(areAlike([try #require(shown.color)], [PreviewTests.rgb(Self.green)]), "\(kind)")
      #expect(shown.pictures == 1)
      #expect(shown.info?.size == PixelSize(width: 300, height: 200))
    }
  }

  @Test func `a thumbnail of another file, or of an earlier version of the file, is not used`()
    throws
  {
    let path = photo()
    try show(path)
    let file = try onlyFile()
    let changes: [(String, String?)] = [
      ("Thumb::URI", "file:///somebody/else.jpg"), ("Thumb::URI", nil),
      ("Thumb::MTime", "\(Self.modified + 1)"), ("Thumb::MTime", nil), ("Thumb::MTime", "x"),
      ("Thumb::Size", "7"),
    ]
    for (key, value) in changes {
      try paint(file, Self.green) { text in
        text.removeAll { $0.0 == key }
        if let value { text.append((key, Array(value.utf8))) }
      }

      let shown = try show(path)

      #expect(areAlike([try #require(shown.color)], [PreviewTests.rgb(Self.red)]), "\(key)")
      // It was replaced.
      #expect(PNGFile.text(of: contents(of: file))["Thumb::MTime"] == "\(Self.modified)")
    }
    // A photo that has changed since.
    try paint(file, Self.green)
    photo(Self.red, modified: Self.modified + 10)
    #expect(areAlike([try #require(try show(path).color)], [PreviewTests.rgb(Self.red)]))
    #expect(PNGFile.text(of: contents(of: file))["Thumb::MTime"] == "\(Self.modified + 10)")
  }

  @Test func `a hostile or damaged thumbnail is ignored and replaced`() throws {
    let path = photo()
    try show(path)
    let file = try onlyFile()
    let good = contents(of: file)
    let text = PNGFile.entries(of: good)
    var damaged = good
    damaged[good.count / 2] ^= 0xff
    // A chunk that declares what is not there: libpng would allocate it.
    var declaring = good
    declaring.insert(contentsOf: [0x70, 0, 0, 0] + Array("iTXtKey".utf8), at: 33)
    let bomb = PNGFile.chunk("zTXt", Array("bomb\0\0".utf8) + PNGFile.zeros(50 << 20))
    let hostile: [[UInt8]] = [
      [], Array("\u{1b}]52;c;evil\u{07}".utf8), damaged, declaring,
      Array(good.prefix(good.count / 2)),
      Array(good.prefix(40)),
      // Too large for its folder, and huge.
      PNGFile.flat(200, 133, Self.green, text: text),
      PNGFile.claiming(good, width: 100_000, height: 100_000),
      PNGFile.claiming(good, width: 128, height: 0x7fff_ffff),
      // Another aspect ratio than the photo's.
      PNGFile.flat(128, 128, Self.green, text: text),
      Array(good.prefix(33)) + bomb,
      good + Array(repeating: 0, count: 6 << 20),
    ]
    let name = String(file.dropFirst(folder.path.count + 1))
    for (number, bytes) in hostile.enumerated() {
      folder.write(bytes, to: name)

      let shown = try show(path)

      #expect(areAlike([try #require(shown.color)], [PreviewTests.rgb(Self.red)]), "\(number)")
    }
    #expect(PNGFile.text(of: contents(of: file))["Thumb::MTime"] == "\(Self.modified)")
  }

  @Test func `an unrelated text that expands to a huge size is skipped`() throws {
    let path = photo()
    try show(path)
    let file = try onlyFile()
    let good = contents(of: file)
    let bomb = PNGFile.chunk("zTXt", Array("Comment\0\0".utf8) + PNGFile.zeros(50 << 20))
    folder.write(
      Array(good.prefix(33)) + bomb + good.dropFirst(33),
      to: String(file.dropFirst(folder.path.count + 1)))

    #expect(try show(path).pictures == 1)
  }

  @Test func `links in the cache are not followed, neither for reading nor for writing`() throws {
    let path = photo()
    try show(path)
    let file = try onlyFile()
    let elsewhere = "\(folder.path)/elsewhere"
    rename(file, elsewhere)
    symlink(elsewhere, file)
    try paint(elsewhere, Self.green)

    let shown = try show(path)

    #expect(areAlike([try #require(shown.color)], [PreviewTests.rgb(Self.red)]))
    // The link was replaced, and its target is unchanged.
    #expect(Self.mode(file) == 0o600)
    var status = stat()
    #expect(lstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
    #expect(PNGFile.sides(of: contents(of: elsewhere)) == [128, 85])
  }

  // MARK: Unusable caches

  @Test func `without a usable cache folder photos are shown all the same`() throws {
    let path = photo()
    let file = folder.write(Array("a file".utf8), to: "file")
    let unusable = [
      Array("/dev/null/thumbnails".utf8), file, file + Array("/thumbnails".utf8),
      Array("/proc/thumbnails".utf8), Array(repeating: 0x61, count: 4000),
    ]
    for folder in unusable {
      let shown = try show(path, ThumbnailAccess(folder: folder, mayWrite: true))
      #expect(areAlike([try #require(shown.color)], [PreviewTests.rgb(Self.red)]))
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
  func `a cache folder of another user is not written to`() throws {
    try show(photo())
    unlink(try onlyFile())
    chown("\(cache)/normal", 12345, 12345)

    try show(folder.path("photo.jpg"))

    #expect(files(in: "normal").isEmpty)
  }

  @Test func `a thumbnail that cannot be written leaves no file behind`() throws {
    // As on a full disk, the system takes no bytes.
    let script = folder.script(
      "ulimit -f 0; exec \(try WorkerExecutable.find().path)")
    var single = StoreLimits()
    single.workerCount = 1
    let store = PhotoStore(worker: script, limits: single, thumbnails: access)
    store.index.append([photo()])

    store.fetchAll(side: 90)
    store.finish()

    #expect(store.picture(0) != nil)
    #expect(files(in: "normal").isEmpty)
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

  // MARK: Killed workers

  @Test func `every thumbnail is complete, whenever a worker is killed`() throws {
    let seed: UInt64 = 0x11
    var random = SeededGenerator(seed: seed)
    let noise = JPEGFile.of(400, 300, quality: 60) { x, y in UInt32(truncatingIfNeeded: x * y * 77)
    }
    let paths = (0..<30).map { photo(as: "\($0).jpg", bytes: noise) }
    let script = folder.script(
      "echo $$ > \(folder.path)/pid; exec \(try WorkerExecutable.find().path)")
    var limits = StoreLimits()
    limits.workerCount = 1
    limits.maxLaunchFailures = .max
    limits.firstPause = 0
    let store = PhotoStore(worker: script, limits: limits, thumbnails: access)
    store.index.append(paths)
    store.cacheThumbnails(of: store.photos, .extraLarge, at: now())
    var kept = 0

    store.run { store in
      if Int.random(in: 0..<3, using: &random) == 0,
        let process = pid_t(
          String(decoding: contents(of: "\(folder.path)/pid"), as: UTF8.self)
            .trimmingPrefix { $0 == " " }.prefix { $0.isNumber })
      {
        usleep(.random(in: 0...20_000, using: &random))
        kill(process, SIGKILL)
      }
    }

    for name in files(in: "x-large") where name.hasSuffix(".png") && !name.hasPrefix(".") {
      kept += 1
      let bytes = contents(of: "\(cache)/x-large/\(name)")
      #expect(PNGFile.sides(of: bytes) == [400, 300])
      #expect(bytes.suffix(8).starts(with: Array("IEND".utf8)))
    }
    #expect(kept > 0)
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
