import Foundation
import Photos
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

/// Facts from the headers of files, without a decoder as far as possible.
@Suite(.serialized) struct HeaderFactFinderTests {
  private let folder = TemporaryFolder()

  private static let missing = WorkerExecutable(path: "/nowhere/photogrid-worker")

  private func finder(
    _ paths: [[UInt8]], worker: WorkerExecutable = missing, headerReader: WorkerExecutable? = nil
  ) throws -> FactFinder {
    var limits = StoreLimits()
    limits.workerCount = 2
    limits.quickSeconds = 1.5
    return FactFinder(
      worker: worker, headerReader: try headerReader ?? .program(), limits: limits
    ) { paths[$0.index] }
  }

  private struct Results {
    /// What was read from headers.
    var batches: [FactBatch] = []
    /// What was read by decoders.
    var findings: [(photo: Photo.ID, info: PhotoInfo?)] = []
  }

  /// Runs until something is known of `count` photos.
  private func run(_ finder: FactFinder, count: Int) -> Results {
    var results = Results()
    let start = now()
    while results.batches.reduce(results.findings.count, { $0 + $1.facts.knownCount }) < count {
      guard now().seconds(since: start) < 90 else {
        Issue.record("only \(results.findings.count) photos and \(results.batches)")
        break
      }
      wait(for: finder.pollRequests, until: finder.nextDeadline)
      let (headers, decoded) = finder.results(at: now())
      results.batches += headers
      results.findings += decoded
    }
    return results
  }

  private func photos(_ count: Int, in name: String = "") -> [[UInt8]] {
    (0..<count).map { folder.write(image("card.jpg"), to: "\(name)photo-\($0).jpg") }
  }

  private func ids(_ count: Int) -> [Photo.ID] { (0..<count).map { Photo.ID($0) } }

  @Test func `JPEGs of several folders are read without any decoder, and then no process is left`()
    throws
  {
    let paths = photos(300, in: "a/") + photos(20, in: "b/") + photos(3)
    let finder = try finder(paths)
    #expect(finder.pollRequests.isEmpty, "nothing is started before there is something to do")

    finder.setDemands(ids(323), at: now())
    let results = run(finder, count: 323)

    #expect(results.findings.isEmpty)
    #expect(results.batches.flatMap(\.photos).sorted() == ids(323))
    for batch in results.batches {
      #expect(batch.photos.count == batch.facts.rows.count)
      let folders = Set(batch.photos.map { Array(paths[$0.index][..<paths[$0.index].nameStart]) })
      #expect(folders.count == 1, "a batch is of one folder")
      let sizes = Set(batch.photos.indices.map { batch.facts.info(at: $0)?.size.width })
      #expect(sizes == [64])
    }
    #expect(finder.service(at: now()).isEmpty)
    #expect(finder.pollRequests.isEmpty && finder.nextDeadline == nil)
  }

  /// Every image of the tests, and a photo with facts about all that is read.
  @Test func `what headers say is what decoders find, and decoders find the rest`() throws {
    let real = ProcessInfo.processInfo.environment["PHOTOGRID_TEST_PHOTOS"]
    var paths: [[UInt8]] = []
    for folder in [imageFolder] + [real.map { "\($0)/" }].compactMap(\.self) {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      paths += names.map { Array((folder + $0).utf8) }
    }
    let all = ids(paths.count)
    let decoded = try finder(paths, worker: .find(), headerReader: Self.missing)
    decoded.setDemands(all, at: now())
    let expected = run(decoded, count: paths.count)
    #expect(expected.batches.isEmpty)
    let both = try finder(paths, worker: .find())
    both.setDemands(all, at: now())
    let results = run(both, count: paths.count)

    let infos = Dictionary(uniqueKeysWithValues: expected.findings.map { ($0.photo, $0.info) })
    var count = 0
    for batch in results.batches {
      for (place, photo) in batch.photos.enumerated() where batch.facts.rows[place].isKnown {
        let name = String(decoding: paths[photo.index], as: UTF8.self)
        let info = try #require(infos[photo] ?? nil, "\(name)")
        #expect(batch.facts.info(at: place) == InfoBlock([info]).info(at: 0), "\(name)")
        count += 1
      }
    }
    #expect(count >= 7, "the fixtures have JPEGs without a profile")
    for finding in results.findings { #expect(finding.info == infos[finding.photo] ?? nil) }
  }

  @Test(arguments: ["exit 1", "exec sleep 100", "echo nonsense >&0; exec sleep 100"])
  func `photos of a process that fails are left to decoders`(end: String) throws {
    let greeting = folder.write(Hello.current.encoded(), to: "greeting")
    let reader = folder.script("cat \(String(decoding: greeting, as: UTF8.self)) >&0; \(end)")
    let finder = try finder(photos(30), worker: .find(), headerReader: reader)

    finder.setDemands(ids(30), at: now())
    let results = run(finder, count: 30)

    #expect(results.batches.isEmpty)
    #expect(results.findings.map(\.photo).sorted() == ids(30))
    #expect(results.findings.allSatisfy { $0.info?.size.width == 64 })
  }

  /// A process that answers each request with the facts of so many photos.
  private func reader(
    answering counts: [Int], to requests: [LibraryProtocol.Request]
  ) -> WorkerExecutable {
    var facts = PackedInfo()
    facts.isKnown = true
    var script = "cat \(folder.path)/greeting >&0"
    folder.write(Hello.current.encoded(), to: "greeting")
    for (number, (count, request)) in zip(counts, requests).enumerated() {
      let response = LibraryProtocol.Response.facts(
        InfoBlock(Array(repeating: facts, count: count), TextPools()))
      folder.write(response.encoded(token: UInt32(number + 1)), to: "response-\(number)")
      script += """
        ; dd bs=1 count=\(request.encoded().count) status=none <&0 >/dev/null
        cat \(folder.path)/response-\(number) >&0
        """
    }
    return folder.script("\(script); exec sleep 100")
  }

  private func request(_ paths: ArraySlice<[UInt8]>) -> LibraryProtocol.Request {
    .describe(PhotoBatch.batches(of: Array(paths))[0])
  }

  @Test func `photos that a slow process has not come to are requested again`() throws {
    let paths = photos(5)
    let reader = reader(
      answering: [2, 3], to: [request(paths[...]), request(paths[2...])])
    let finder = try finder(paths, headerReader: reader)

    finder.setDemands(ids(5), at: now())
    let results = run(finder, count: 5)

    #expect(results.batches.map(\.photos) == [Array(ids(5)[..<2]), Array(ids(5)[2...])])
  }

  @Test func `facts of more photos than were requested cost nothing but their process`() throws {
    let paths = photos(5)
    let reader = reader(answering: [6], to: [request(paths[...])])
    let finder = try finder(paths, worker: .find(), headerReader: reader)

    finder.setDemands(ids(5), at: now())
    let results = run(finder, count: 5)

    #expect(results.batches.isEmpty && results.findings.count == 5)
  }

  @Test func `a photo that needs a decoder is not read from its header again`() throws {
    let paths = [folder.write(image("texture.png"), to: "a.png")] + photos(1)
    let finder = try finder(paths, worker: .find())
    finder.setDemands(ids(2), at: now())
    _ = run(finder, count: 2)

    finder.setDemands([Photo.ID(0)], at: now())
    let results = run(finder, count: 1)

    #expect(results.batches.isEmpty && results.findings.map(\.photo) == [Photo.ID(0)])
  }
}
