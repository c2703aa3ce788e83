import Foundation
import Geometry
import PhotoLibrary
import Photos
import AnnotationWorker
import TestSupport
import Testing
import WorkerProtocol

/// The client of the process that reads and writes ratings.
@Suite struct AnnotationClientTests {
  private func client(
    _ folder: RatedFolder, process: WorkerExecutable? = nil
  ) throws -> AnnotationClient {
    let process = try process ?? WorkerExecutable.find().forAnnotations
    return AnnotationClient(process: process, isEmbedded: false) { folder.path("\($0.index).jpg") }
  }

  /// Everything that has arrived.
  private struct Seen {
    var readings: [AnnotationClient.Reading] = []
    var written: [AnnotationClient.Reading] = []
    var results: [AnnotationResult] = []
  }

  /// Services a client until a condition holds.
  private func wait(
    for client: AnnotationClient, until isDone: (Seen) -> Bool
  ) -> Seen {
    var all = Seen()
    let end = Date().addingTimeInterval(60)
    while !isDone(all), Date() < end {
      for news in client.service(at: now()) {
        all.readings += news.readings
        all.written += news.written
        all.results += news.results
      }
      usleep(500)
    }
    return all
  }

  @Test func `photos of several folders are rated in order, and those behind links`() throws {
    let folder = RatedFolder()
    let places = ["0.jpg", "a/1.jpg", "0.jpg", "b/2.jpg", "3.jpg", "a/1.jpg"]
    for name in ["0.jpg", "a/1.jpg", "b/2.jpg", "b/3.jpg"] {
      folder.write(image("card.jpg"), to: name)
    }
    folder.write(RatedFolder.sidecar("xmp:Rating=\"2\""), to: "b/3.jpg.xmp")
    for name in ["3.jpg", "3.jpg.xmp"] {
      symlink("\(folder.folder.path)/b/\(name)", "\(folder.folder.path)/\(name)")
    }
    let client = AnnotationClient(
      process: try WorkerExecutable.find().forAnnotations, isEmbedded: false
    ) {
      folder.path(places[$0.index])
    }
    defer { client.shutDown { now() } }
    // A process that has read can write nowhere.
    client.setDemands(visible: [], [Photo.ID(4)], at: now())
    #expect(wait(for: client) { !$0.readings.isEmpty }.readings.first?.rating.stars == 2)

    client.write(
      places.indices.map { AnnotationTask(Photo.ID($0), .stars($0 % 5)) }, at: now())
    client.setDemands(visible: [], places.indices.map { Photo.ID($0) }, at: now())

    let news = wait(for: client) { $0.readings.count == 6 }
    #expect(news.results.map(\.task.photo.index) == Array(0..<6))
    #expect(news.results.allSatisfy { $0.failure == nil }, "\(news.results)")
    #expect(news.readings.map(\.rating.stars) == [2, 0, 2, 3, 4, 0])
    #expect(folder.names == ["0.jpg", "0.jpg.xmp", "3.jpg", "3.jpg.xmp", "a", "b"])
  }

  @Test func `a rating and its undo, requested together, leave no sidecar`() throws {
    let folder = RatedFolder()
    for name in ["0.jpg", "1.jpg"] { folder.write(image("card.jpg"), to: name) }
    let old = RatedFolder.sidecar("xmp:Rating=\"2\"")
    folder.write(old, to: "1.jpg.xmp")
    let client = try client(folder)
    defer { client.shutDown { now() } }
    for photo in [Photo.ID(0), Photo.ID(1)] {
      client.write(
        [
          AnnotationTask(photo, .stars(4)), AnnotationTask(photo, .label(.red)),
          AnnotationTask(photo, .label(nil), isUndo: true),
          AnnotationTask(photo, .stars(photo.index * 2), isUndo: true),
        ], at: now())
    }
    let results = wait(for: client) { $0.results.count == 8 }.results
    #expect(results.allSatisfy { $0.failure == nil })
    #expect(folder.names == ["0.jpg", "1.jpg", "1.jpg.xmp"] && folder.bytes("1.jpg.xmp") == old)
  }

  @Test func `a process that does nothing and asks for another fails the change`() throws {
    let folder = RatedFolder()
    folder.write(Hello.current.encoded(), to: "hello")
    let answer = AnnotationProtocol.Response.declined.encoded()
    folder.write(Array(answer[..<5]), to: "head")
    folder.write(Array(answer[9...]), to: "tail")
    let client = try client(
      folder,
      process: folder.folder.script(
        """
        cd \(folder.folder.path); cat hello >&0
        head -c 9 <&0 | tail -c 4 > token; cat head token tail >&0; exec sleep 100
        """))
    defer { client.shutDown { now() } }

    client.write([AnnotationTask(Photo.ID(0), .stars(1))], at: now())

    let news = wait(for: client) { !$0.results.isEmpty }
    #expect(news.results.map(\.failure) == ["the annotation worker sent an invalid response"])
    #expect(client.isIdle)
  }

  @Test func `photos are rated in order, and read again`() throws {
    let folder = RatedFolder()
    for number in 0..<40 { folder.write(image("card.jpg"), to: "\(number).jpg") }
    let client = try client(folder)
    defer { client.shutDown { now() } }
    let photos = (0..<40).map { Photo.ID($0) }
    client.write(photos.map { AnnotationTask($0, .stars(1)) }, at: now())
    client.write(photos.map { AnnotationTask($0, .stars($0.index % 6)) }, at: now())
    client.setDemands(visible: [], photos, at: now())
    let news = wait(for: client) { $0.readings.count == 40 }
    #expect(news.results.count == 80 && news.results.allSatisfy { $0.failure == nil })
    #expect(news.results.suffix(40).allSatisfy { $0.before == Rating(stars: 1) })
    #expect(news.readings.map(\.rating.stars) == photos.map { $0.index % 6 })
    #expect(client.isIdle)
  }

  @Test func `a process that ends fails only what it was doing`() throws {
    let folder = RatedFolder()
    let client = try client(folder, process: folder.folder.script("exit 3"))
    defer { client.shutDown { now() } }
    client.write(
      [AnnotationTask(Photo.ID(0), .stars(1)), AnnotationTask(Photo.ID(1), .stars(1))], at: now())
    client.setDemands(visible: [], [Photo.ID(2)], at: now())
    let news = wait(for: client) { $0.results.count == 2 && $0.readings.count == 1 }
    #expect(news.results.allSatisfy { $0.failure != nil } && news.readings[0].rating == .none)
  }

  @Test func `in a folder without write permission nothing is rated`() throws {
    let folder = RatedFolder()
    for number in 0..<2 { folder.write(image("card.jpg"), to: "\(number).jpg") }
    let sidecar = RatedFolder.sidecar("xmp:Rating=\"2\"")
    folder.write(sidecar, to: "0.jpg.xmp")
    chmod(folder.folder.path, 0o555)
    defer { chmod(folder.folder.path, 0o755) }
    let client = try client(
      folder, process: WorkerExecutable.find().forAnnotations.heldToPermissions)
    defer { client.shutDown { now() } }
    client.write((0..<2).map { AnnotationTask(Photo.ID($0), .stars(5)) }, at: now())
    let news = wait(for: client) { $0.results.count == 2 }
    #expect(
      news.results.map(\.failure)
        == Array(repeating: "no permission to write to its folder", count: 2))
    #expect(folder.bytes("0.jpg.xmp") == sidecar && folder.names.count == 3)
  }

  @Test func `a client that shuts down counts the changes that may not have been written`() throws {
    let folder = RatedFolder()
    for number in 0..<100 { folder.write(image("card.jpg"), to: "\(number).jpg") }
    let client = try client(folder)
    client.write((0..<100).map { AnnotationTask(Photo.ID($0), .stars(3)) }, at: now())
    let unwritten = client.shutDown { now() }
    // The process was killed, but the kernel may end it a little later.
    usleep(100_000)
    let written = folder.names.filter { $0.hasSuffix(".jpg.xmp") && !$0.hasPrefix(".") }
    #expect(written.count >= 100 - unwritten)
    for name in written {
      #expect(AnnotationFiles.rating(ofPhoto: folder.path(String(name.dropLast(4)))).stars == 3)
    }
  }

  @Test(arguments: [
    AnnotationProtocol.Request(path: [0x2f, 0xff]),
    AnnotationProtocol.Request(path: [1], edit: .stars(-1), isEmbedded: true),
    AnnotationProtocol.Request(path: [1], edit: .label(nil)),
    AnnotationProtocol.Request(path: [1], edit: .label(.purple)),
  ])
  func `a request arrives as it was sent`(request: AnnotationProtocol.Request) throws {
    var reader = MessageReader<AnnotationProtocol.Request>()
    request.encoded().withUnsafeBytes { reader.feed($0) }
    #expect(try reader.next() == request)
  }
}
