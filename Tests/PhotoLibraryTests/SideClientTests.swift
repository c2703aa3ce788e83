import Glibc
import PhotoLibrary
import Photos
import TestSupport
import Testing
import WorkerProtocol

/// Pictures encoded as files by the real worker.
@Suite(.serialized) struct SideClientTests {
  let folder = TemporaryFolder()

  /// Soft colors; transparent in one corner if not opaque.
  private static func bitmap(width: Int, height: Int, isOpaque: Bool) -> Bitmap {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let isHole = !isOpaque && x < 9 && y < 5
        pixels +=
          isHole ? [0, 0, 0, 0] : [UInt8(60 + x), UInt8(200 - y), UInt8((x + y) / 2 + 30), 255]
      }
    }
    return Bitmap(width: width, height: height, pixels: pixels, isOpaque: isOpaque)
  }

  /// Encodes pictures as files; nil for those that failed.
  private static func files(
    of encodings: [PictureEncoding], _ maker: SideClient
  ) -> [UInt32: [UInt8]?] {
    var files: [UInt32: [UInt8]?] = [:]
    maker.add(encodings, at: now())
    let start = now()
    while files.count < encodings.count, now().seconds(since: start) < 60 {
      wait(for: maker.pollRequests, until: maker.nextDeadline)
      for case .file(let id, let file) in maker.service(at: now()) { files[id] = .some(file) }
    }
    return files
  }

  private static func maker() throws -> SideClient {
    SideClient(worker: try .find()) { _ in [] }
  }

  @Test func `a PNG equals the picture, and a JPEG nearly does`() throws {
    let maker = try Self.maker()
    let photo = Self.bitmap(width: 120, height: 50, isOpaque: true)
    let open = Self.bitmap(width: 33, height: 17, isOpaque: false)
    let encodings = [
      PictureEncoding(id: 1, bitmap: photo, format: .jpeg),
      PictureEncoding(id: 2, bitmap: photo, format: .png),
      PictureEncoding(id: 3, bitmap: open, format: .png),
    ]

    let files = Self.files(of: encodings, maker)

    let jpeg = try #require(files[1] ?? nil)
    #expect(jpeg.starts(with: [0xFF, 0xD8, 0xFF]))
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
    #expect([2, 3].allSatisfy { files[$0]??.starts(with: signature) ?? false })
    let store = try PhotoStore.of([1, 2, 3].map { folder.write(files[$0]!!, to: "photo-\($0)") })
    store.fetchAll(side: 1000)
    #expect(store.picture(1) == photo)
    #expect(store.picture(2) == open)
    let decoded = try #require(store.picture(0))
    #expect(decoded.width == photo.width && decoded.height == photo.height)
    let errors = zip(decoded.pixels, photo.pixels).map { abs(Int($0) - Int($1)) }
    #expect((errors.max() ?? 255) < 12)
    #expect(jpeg.count < photo.pixels.count / 4)
  }

  /// The file of an exported photo, by the real worker.
  private func exported(_ bytes: [UInt8], as name: String) throws -> Result<[UInt8], FailureReason>
  {
    let path = folder.write(bytes, to: name)
    let client = SideClient(worker: try .find()) { _ in path }
    client.export(Photo.ID(0), at: now())
    let start = now()
    while now().seconds(since: start) < 60 {
      wait(for: client.pollRequests, until: client.nextDeadline)
      for case .exported(_, let file) in client.service(at: now()) { return file }
    }
    throw FailureReason.vanished
  }

  @Test func `a photo is exported as its own bytes if it is a JPEG or PNG`() throws {
    let jpeg = JPEGFile.of(40, 30) { x, y in UInt32(x * y % 256) * 0x010101 }
    #expect(try exported(jpeg, as: "a.jpg").get() == jpeg)
    let png = PNGFile.flat(20, 10, 0x3366CC, text: [("Comment", Array("kept".utf8))])
    #expect(try exported(png, as: "wrong-name.jpg").get() == png)
  }

  @Test func `a photo of another format is exported as a PNG that shows the same`() throws {
    let gif = TestGIF(
      width: 9, height: 5,
      frames: [TestGIF.Frame(width: 9, height: 5) { x, y in UInt32(x * 20) << 16 | UInt32(y * 40) }]
    ).bytes
    let file = try exported(gif, as: "a.gif").get()
    #expect(file.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    let store = try PhotoStore.of([folder.write(gif, to: "b.gif"), folder.write(file, to: "b.png")])
    store.fetchAll(side: 1000)
    #expect(store.picture(0)?.pixels == store.picture(1)?.pixels)
  }

  @Test func `what cannot be read says why`() throws {
    #expect(throws: FailureReason.notAnImage) { try exported([1, 2, 3, 4], as: "a.jpg").get() }
    #expect(throws: FailureReason.emptyFile) { try exported([], as: "empty.png").get() }
  }

  @Test func `a worker that dies costs the picture that it was encoding`() throws {
    let maker = try Self.maker()
    let large = Self.bitmap(width: 190, height: 190, isOpaque: true)
    maker.add([PictureEncoding(id: 1, bitmap: large, format: .png)], at: now())
    let descriptor = try #require(maker.pollRequests.first).fd
    shutdown(descriptor, Int32(SHUT_RDWR))
    var lost: [UInt32] = []
    let start = now()
    while lost.isEmpty, now().seconds(since: start) < 30 {
      for case .file(let id, nil) in maker.service(at: now()) { lost.append(id) }
    }

    let files = Self.files(of: [PictureEncoding(id: 2, bitmap: large, format: .png)], maker)

    #expect(lost == [1])
    #expect((files[2] ?? nil) != nil)
  }

  @Test func `a photo that hangs does not delay pictures, and no worker is left without work`()
    throws
  {
    let gate = "\(folder.path)/gate"
    let worker = folder.script(
      """
      if mkdir '\(gate)' 2>/dev/null; then exec sleep 100; fi
      exec '\(try WorkerExecutable.find().path)'
      """)
    let side = SideClient(worker: worker, timeout: 60) { _ in [0x61] }
    side.setDemand(Photo.ID(0), at: now())
    // The first worker hangs from here on, whichever of the two it is.
    while access(gate, F_OK) != 0 { usleep(1000) }
    let bitmap = Self.bitmap(width: 2, height: 2, isOpaque: true)

    let files = Self.files(of: [PictureEncoding(id: 1, bitmap: bitmap, format: .png)], side)

    #expect((files[1] ?? nil) != nil)
    #expect(side.metadata(of: Photo.ID(0)) == nil && side.pollRequests.count == 2)
    side.shutDown()
    #expect(side.pollRequests.isEmpty)

    _ = Self.files(of: [PictureEncoding(id: 2, bitmap: bitmap, format: .png)], side)
    #expect(side.pollRequests.count == 1)
    _ = side.service(at: now().advanced(bySeconds: 10))
    #expect(side.pollRequests.isEmpty)
  }

  @Test func `without a worker there are no files`() throws {
    let maker = SideClient(worker: WorkerExecutable(path: folder.path + "/none")) { _ in [] }
    let bitmap = Self.bitmap(width: 2, height: 2, isOpaque: true)

    let files = Self.files(
      of: [1, 2].map { PictureEncoding(id: $0, bitmap: bitmap, format: .jpeg) }, maker)

    #expect(files.count == 2 && files.values.allSatisfy { $0 == nil })
  }
}
