import Geometry
import Glibc
import TestSupport
import Testing
import WorkerProtocol

/// Thumbnails that are read: valid ones, foreign ones, outdated ones and hostile ones.
extension ThumbnailTests {
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

  @Test func `a thumbnail outlives the photo's sidecar, but not the date in it`() throws {
    let path = photo()
    func sidecar(_ year: Int) {
      let text = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
        xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreateDate="\(year)-03-04T05:06:07"/>
        </rdf:RDF></x:xmpmeta>
        """
      Self.touch(folder.write(Array(text.utf8), to: "photo.jpg.xmp"), Self.modified + year)
    }
    sidecar(2017)
    let first = try show(path)
    #expect(first.info?.taken?.record == "2017-03-04T05:06:07 sidecar")
    try paint(onlyFile(), Self.green)
    for year in [2017, 2015, nil] {
      if let year { sidecar(year) } else { unlink(cString(path[...] + ".xmp".utf8)) }
      let shown = try show(path)
      let date = year.map { "\($0)-03-04T05:06:07 sidecar" }
      #expect(shown.info?.taken?.record == date)
      #expect(shown.pictures == 1)
      #expect(areAlike([try #require(shown.color)], [PreviewTests.rgb(Self.green)]))
    }
    // The photo got a sidecar after the thumbnail.
    let other = photo(as: "other.jpg")
    try show(other)
    sidecar(2016)
    rename("\(folder.path)/photo.jpg.xmp", "\(folder.path)/other.jpg.xmp")
    #expect(try show(other).info?.taken?.record == "2016-03-04T05:06:07 sidecar")
  }

  /// Earlier versions, which wrote no number of their rules, showed inks too dark, and took all colors
  /// without a profile for those of sRGB.
  @Test func `a thumbnail by earlier rules is replaced if they were wrong for its photo`() throws {
    let cases: [(name: String, bytes: [UInt8], isReplaced: Bool)] = [
      ("inks.jpg", image("card-inks.jpg"), true), ("card.jpg", image("card.jpg"), false),
      ("p3.heic", image("p3.heic"), true), ("card.heic", image("card.heic"), false),
      ("second.heic", image("second-primary.heic"), true), ("card.avif", image("card.avif"), false),
      ("card.tif", image("card.tif"), true), ("card.png", image("palette.png"), false),
    ]
    for (name, bytes, isReplaced) in cases {
      let path = photo(as: name, bytes: bytes)
      let right = try #require(try show(path, side: 20).color, "\(name)")
      let file = try onlyFile()
      try paint(file, 0xff00ff) { $0.removeAll { $0.0 == "X-Photogrid::Rules" } }

      let shown = try show(path, side: 20)

      #expect(shown.color == (isReplaced ? right : [255, 0, 255, 255]), "\(name)")
      let rules = PNGFile.text(of: contents(of: file))["X-Photogrid::Rules"]
      #expect(rules == (isReplaced ? "2" : nil), "\(name)")
      if isReplaced { #expect(try show(path, side: 20).pictures == 1, "\(name)") }
      unlink(file)
    }
  }

  @Test func `a failure by earlier rules is tried again`() throws {
    let broken = Array("II*\0".utf8) + Array(repeating: 7, count: 200)
    let path = photo(as: "broken.tif", bytes: broken)
    try show(path)
    let file = try onlyFile(in: "fail/photogrid-0.1.0")
    try paint(file, 0) { $0.removeAll { $0.0 == "X-Photogrid::Rules" } }

    try show(path)

    #expect(PNGFile.text(of: contents(of: file))["X-Photogrid::Rules"] == "2")
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

  @Test func `a photo that changed under the same size and time gets another thumbnail`() throws {
    let path = photo()
    try show(path)
    try paint(onlyFile(), Self.green)
    // As exiftool -P does: another file with the same size and time takes its place.
    let bytes = contents(of: String(decoding: path, as: UTF8.self))
    folder.write(bytes, to: "new.jpg")
    rename("\(folder.path)/new.jpg", cString(path[...]))
    Self.touch(path, Self.modified)
    let changed = try show(path)
    #expect(areAlike([try #require(changed.color)], [PreviewTests.rgb(Self.red)]))
    // Its new thumbnail is valid.
    try paint(onlyFile(), Self.green)
    let again = try show(path)
    #expect(areAlike([try #require(again.color)], [PreviewTests.rgb(Self.green)]))
  }

  @Test func `the thumbnail of another program is made again once the photo's status has changed`()
    throws
  {
    let path = photo()
    try show(path)
    let file = try onlyFile()
    try paint(file, Self.green) { text in
      text.removeAll { !["Thumb::URI", "Thumb::MTime"].contains($0.0) }
    }
    let before = try show(path)
    #expect(areAlike([try #require(before.color)], [PreviewTests.rgb(Self.green)]))
    // A second later by the clock of the disk, however coarse that is.
    var times = [
      timespec(tv_sec: 1_500_000_000, tv_nsec: 0), timespec(tv_sec: 1_500_000_000, tv_nsec: 0),
    ]
    utimensat(AT_FDCWD, file, &times, 0)
    let after = try show(path)
    #expect(areAlike([try #require(after.color)], [PreviewTests.rgb(Self.red)]))
  }

  @Test(arguments: ["Source(rawValue: 2)", "elsewhere"])
  func `a thumbnail whose date has an unknown source is made again`(source: String) throws {
    let path = photo()
    try show(path)
    let file = try onlyFile()
    try paint(file, Self.green) { text in
      text.append(("X-Photogrid::Taken", Array("2017-03-04T05:06:07 \(source)".utf8)))
    }
    let shown = try show(path)
    #expect(areAlike([try #require(shown.color)], [PreviewTests.rgb(Self.red)]))
    #expect(PNGFile.text(of: contents(of: file))["X-Photogrid::Taken"] == nil)
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
}
