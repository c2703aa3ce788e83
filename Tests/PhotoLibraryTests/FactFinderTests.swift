import Geometry
import Glibc
import Photos
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

/// Facts of photos that workers have to read, because the process that reads headers cannot start.
@Suite(.serialized) struct FactFinderTests {
  private let folder = TemporaryFolder()

  private static let missing = WorkerExecutable(path: "/nowhere/photogrid")

  private func finder(
    _ paths: [[UInt8]], worker: WorkerExecutable? = nil, workerCount: Int = 2,
    quickSeconds: Double = 5
  ) throws -> FactFinder {
    var limits = StoreLimits()
    limits.workerCount = workerCount
    limits.quickSeconds = quickSeconds
    return FactFinder(
      worker: try worker ?? .find(), headerReader: Self.missing, limits: limits
    ) { paths[$0.index] }
  }

  private func photos(_ count: Int) -> [[UInt8]] {
    (0..<count).map { folder.write(image("card.jpg"), to: "photo-\($0).jpg") }
  }

  /// Runs until findings of `count` photos have arrived.
  private func run(_ finder: FactFinder, count: Int) -> [(photo: Photo.ID, info: PhotoInfo?)] {
    var findings: [(photo: Photo.ID, info: PhotoInfo?)] = []
    let start = now()
    while findings.count < count {
      guard now().seconds(since: start) < 60 else {
        Issue.record("only \(findings.count) of \(count) after a minute")
        break
      }
      wait(for: finder.pollRequests, until: finder.nextDeadline)
      findings += finder.results(at: now()).decoded
    }
    return findings
  }

  private func ids(_ count: Int) -> [Photo.ID] { (0..<count).map { Photo.ID($0) } }

  @Test func `every photo is read once, and then no worker is left`() throws {
    let finder = try finder(photos(200))
    #expect(finder.pollRequests.isEmpty, "nothing is started before there is something to do")

    finder.setDemands(ids(200), at: now())
    let findings = run(finder, count: 200)

    #expect(findings.map(\.photo).sorted() == ids(200))
    #expect(findings.allSatisfy { $0.info?.size == PixelSize(width: 64, height: 32) })
    #expect(finder.service(at: now()).isEmpty)
    #expect(finder.pollRequests.isEmpty && finder.nextDeadline == nil)
  }

  @Test func `a file that cannot be read is reported without facts`() throws {
    var paths = photos(3)
    paths[1] = folder.path("missing.jpg")
    paths.append(folder.write(Array("text".utf8), to: "no photo.jpg"))
    let finder = try finder(paths)

    finder.setDemands(ids(4), at: now())
    let findings = run(finder, count: 4).sorted { $0.photo < $1.photo }

    #expect(findings.map { $0.info != nil } == [true, false, true, false])
  }

  @Test func `new demands replace the previous ones, and nothing is requested twice`() throws {
    let finder = try finder(photos(300), workerCount: 1)
    finder.setDemands(ids(300), at: now())
    #expect(finder.service(at: now()).isEmpty)
    let wanted = Array(ids(300).suffix(20))
    finder.setDemands(wanted, at: now())
    // The first ones were requested ahead.
    let findings = run(finder, count: 52)

    #expect(findings.map(\.photo) == ids(32) + wanted)
    finder.setDemands([], at: now())
    #expect(finder.pollRequests.isEmpty)
  }

  @Test func `a photo that ends two workers is not read again, and costs no other`() throws {
    let greeting = folder.write(Hello.current.encoded(), to: "greeting")
    let worker = folder.script(
      """
      if mkdir \(folder.path)/first 2>/dev/null || mkdir \(folder.path)/second 2>/dev/null; then
      cat \(String(decoding: greeting, as: UTF8.self)) >&0; exit 1
      fi
      exec \(try WorkerExecutable.find().path)
      """)
    let finder = try finder(photos(40), worker: worker, workerCount: 1)

    finder.setDemands(ids(40), at: now())
    let findings = run(finder, count: 40)

    #expect(findings.filter { $0.info == nil }.map(\.photo) == [Photo.ID(0)])
    #expect(findings.map(\.photo).sorted() == ids(40))
  }

  @Test func `a photo that makes two workers hang is not read again, and costs no other`() throws {
    let greeting = folder.write(Hello.current.encoded(), to: "greeting")
    let worker = folder.script(
      """
      if mkdir \(folder.path)/first 2>/dev/null || mkdir \(folder.path)/second 2>/dev/null; then
      cat \(String(decoding: greeting, as: UTF8.self)) >&0; exec sleep 100
      fi
      exec \(try WorkerExecutable.find().path)
      """)
    let finder = try finder(photos(20), worker: worker, workerCount: 1, quickSeconds: 2)

    finder.setDemands(ids(20), at: now())
    let findings = run(finder, count: 20)

    #expect(findings.filter { $0.info == nil }.map(\.photo) == [Photo.ID(0)])
  }

  @Test(arguments: ["exit 0", "echo nonsense >&0; exec sleep 100"])
  func `without working workers there are no facts, and nothing waits for them`(
    script: String
  ) throws {
    let finder = try finder(photos(30), worker: folder.script(script), workerCount: 1)
    finder.setDemands(ids(30), at: now())
    let findings = run(finder, count: 30)
    #expect(findings.allSatisfy { $0.info == nil })
    #expect(findings.map(\.photo).sorted() == ids(30))
  }

  @Test func `without an executable there are no facts either`() throws {
    let finder = try finder(
      photos(3), worker: WorkerExecutable(path: "/nowhere/photogrid-worker"))
    finder.setDemands(ids(3), at: now())
    #expect(run(finder, count: 3).allSatisfy { $0.info == nil })
  }

  @Test func `facts of a file that has changed meanwhile are read again`() throws {
    var old = PhotoInfo.plain
    old.size = PixelSize(width: 5, height: 5)
    let response = DecodeProtocol.Response.described(old)
    let answer = folder.write(Hello.current.encoded() + response.encoded(token: 1), to: "answer")
    let worker = folder.script(
      """
      if mkdir \(folder.path)/first 2>/dev/null || mkdir \(folder.path)/second 2>/dev/null; then
      cat \(String(decoding: answer, as: UTF8.self)) >&0; exec sleep 100
      fi
      exec \(try WorkerExecutable.find().path)
      """)
    let finder = try finder(photos(1), worker: worker, workerCount: 1, quickSeconds: 1)
    finder.setDemands(ids(1), at: now())
    #expect(finder.service(at: now()).isEmpty)

    finder.reload(Photo.ID(0), at: now())
    let findings = run(finder, count: 1)

    // The first worker answers with the old facts, and hangs at the second request.
    #expect(findings.map(\.photo) == [Photo.ID(0)] && findings[0].info == nil)
  }

  @Test func `no worker is started beside too many that hang`() throws {
    var limits = StoreLimits()
    limits.maxZombies = 0
    let paths = photos(3)
    let finder = FactFinder(
      worker: try .find(), headerReader: Self.missing, limits: limits
    ) { paths[$0.index] }

    finder.setDemands(ids(3), at: now())

    #expect(finder.pollRequests.isEmpty)
    #expect(finder.service(at: now()).isEmpty)
    #expect(finder.nextDeadline != nil, "it is tried again later")
  }

  @Test func `after shutdown nothing is requested`() throws {
    let finder = try finder(photos(50))
    finder.setDemands(ids(50), at: now())
    finder.shutDown()
    #expect(finder.pollRequests.isEmpty && finder.nextDeadline == nil)
    #expect(finder.service(at: now()).isEmpty)
  }
}
