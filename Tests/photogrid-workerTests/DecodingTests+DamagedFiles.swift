import Glibc
import PhotoLibrary
import Photos
import TestSupport
import Testing

/// Files that are damaged, too large, unreadable or no photos.
extension DecodingTests {
  @Test func `the available part of a truncated JPEG is shown and marked`() throws {
    let file = image("card.jpg")
    let start = try #require(scanStart(of: file))
    let data = file.count - start
    let cuts = [start + data * 3 / 4, start + data * 9 / 10, file.count - 2]

    let store = try store(cuts.map { Array(file.prefix($0)) })

    for number in cuts.indices {
      let picture = try #require(store.picture(number))
      #expect(areAlike(Array(picture.quarters[..<2]), [Self.red, Self.green]))
      #expect(store.info(of: Photo.ID(number))?.isIncomplete == true)
    }
  }

  @Test func `a JPEG that is cut before its picture fails with a message`() throws {
    let file = image("card.jpg")
    let start = try #require(scanStart(of: file))

    let store = try store([4, 100, start - 1, start].map { Array(file.prefix($0)) })

    #expect(store.photos.map { store.failure(of: $0) } == Array(repeating: "truncated", count: 4))
  }

  @Test func `files of all formats cut at any point give a picture or a message`() throws {
    let names = [
      "card-progressive.jpg", "alpha.png", "card.gif", "card.webp", "card.tif", "card.heic",
      "card.avif",
    ]
    let files = names.flatMap { name in
      [1, 12, 16, 40, 60, 90, 99].map { percent in
        Array(image(name).prefix(max(16, image(name).count * percent / 100)))
      }
    }

    let store = try store(files)

    for photo in store.photos {
      switch store.content(of: photo) {
      case .picture: #expect(store.failure(of: photo) == nil)
      case .failed(let words): #expect(isPrintable(words), "\(words)")
      case .waiting: Issue.record("photo \(photo.number) has neither picture nor words")
      }
    }
    #expect(store.problem == nil)
  }

  @Test func `files with changed bytes give a picture or a message`() throws {
    let seed: UInt64 = 0xbad
    var random = SeededGenerator(seed: seed)
    let names = [
      "card.jpg", "card-progressive.jpg", "inks.jpg", "alpha.png", "deep.png", "card.gif",
      "card.webp", "turned.webp", "turned.tif", "card.heic", "card.avif",
    ]
    let files = (0..<66).map { number in
      var file = image(names[number % names.count])
      for _ in 0..<5 {
        file[Int.random(in: 12..<file.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      return file
    }

    let store = try store(files)

    for photo in store.photos {
      if case .waiting = store.content(of: photo) { Issue.record("photo \(photo.number) waits") }
      if let words = store.failure(of: photo) { #expect(isPrintable(words)) }
    }
    #expect(store.problem == nil)
  }

  @Test func `headers that declare too large a size are refused with that size`() throws {
    var jpeg = image("card.jpg")
    let frame = try #require((0..<jpeg.count).first { jpeg[$0] == 0xff && jpeg[$0 + 1] == 0xc0 })
    jpeg.replaceSubrange((frame + 5)..<(frame + 9), with: [0xff, 0xdc, 0xff, 0xdc])
    var png = image("deep.png")
    png.replaceSubrange(16..<24, with: [0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff])
    var webp = image("turned.webp")
    webp.replaceSubrange(24..<30, with: [0xff, 0xff, 0x3f, 0xff, 0xff, 0x3f])
    let gif: [UInt8] =
      Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 1, 1, 1]
      + [0x2c, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 2, 2, 0x44, 1, 0, 0x3b]

    let store = try store([jpeg, png, webp, gif])

    #expect(
      store.photos.map { store.failure(of: $0) } == [
        "too large: 65500x65500", "too large: 2147483647x2147483647",
        "too large: 4194304x4194304", "too large: 65535x65535",
      ])
  }

  @Test func `a file that is not a photo gets a plain message`() throws {
    mkfifo(cString(folder.path("pipe")[...]), 0o644)
    let paths = [
      folder.write(to: "empty.jpg"), folder.write(Array("<svg/>".utf8), to: "picture.jpg"),
      folder.path("missing.jpg"), Array(folder.path.utf8), folder.path("pipe"),
      Array("/dev/zero".utf8), Array("/dev/tty".utf8), Array("/proc/self/maps".utf8),
      folder.path("picture.jpg/below"), folder.path(String(repeating: "n", count: 300)),
      folder.path(String(repeating: "n/", count: 4000)),
    ]

    let store = try PhotoStore.of(paths)
    store.fetchAll()

    #expect(
      store.photos.map { store.failure(of: $0) } == [
        "empty file", "not an image", "no such file", "a folder, not a file",
        "a named pipe, not a file", "a device, not a file", "a device, not a file",
        "empty file", "no such file", "cannot be read: name too long",
        "cannot be read: name too long",
      ])
  }

  @Test func `a file without read permission gets a message`() throws {
    let store = try PhotoStore.of(
      [folder.write(image("card.jpg"), to: "card.jpg", mode: 0)],
      worker: .find().heldToPermissions)
    store.fetchAll()

    #expect(store.failure(of: Photo.ID(0)) == "no permission")
  }

  private func isPrintable(_ words: String) -> Bool {
    !words.isEmpty && words.utf8.allSatisfy { (0x20...0x7e).contains($0) } && words.utf8.count < 100
  }

  /// The offset of the scan's data, after the header that follows its marker.
  private func scanStart(of file: [UInt8]) -> Int? {
    (0..<(file.count - 3)).first { file[$0] == 0xff && file[$0 + 1] == 0xda }
      .map { $0 + 2 + Int(file[$0 + 2]) << 8 + Int(file[$0 + 3]) }
  }
}
