import Foundation
import Geometry
import PhotoLibrary
import Photos
import TestSupport
import Testing
import WorkerProtocol

/// The file worker, as the program uses it.
@Suite struct FileOperationClientTests {
  private static let program: String = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/exe", &buffer, Int(PATH_MAX))
    let tests = String(decoding: buffer.prefix(max(count, 0)).map { UInt8($0) }, as: UTF8.self)
    return URL(fileURLWithPath: tests).deletingLastPathComponent()
      .appendingPathComponent("photogrid").path
  }()

  /// Collects a client's results until there are `count` of them, for at most 90 seconds.
  private func filed(_ client: FileOperationClient, _ count: Int) -> [FileOperation] {
    var filed: [FileOperation] = []
    let end = Date().addingTimeInterval(90)
    while filed.count < count, Date() < end {
      filed += client.service(at: now())
      usleep(2000)
    }
    return filed
  }

  @Test func `many files are moved in order, and reported in order`() throws {
    let temporary = TemporaryFolder()
    let folder = temporary.path
    func path(_ name: String) -> [UInt8] { Array("\(folder)/\(name)".utf8) }
    for number in 0..<500 {
      #expect(
        FileManager.default.createFile(
          atPath: "\(folder)/\(number)", contents: Data("\(number)".utf8)))
    }
    let client = FileOperationClient(
      executable: WorkerExecutable(path: Self.program, arguments: ["--file-worker"]))
    client.request(
      (0..<500).map { number in
        .trash([path("\(number)")], home: path("Trash"), first: number)
      }, at: now())
    client.request(
      [.rename([FileStep(from: path("0"), to: path("x"))], isUndo: false)], at: now())
    #expect(client.openCount == 501)
    let filed = filed(client, 501)
    try #require(filed.count == 501)
    for number in 0..<500 {
      let file = FileStep(
        trash: path("Trash"), name: Array("\(number)".utf8), originalPath: path("\(number)"))
      var operation = FileOperation.trash([Photo.ID(number)]).located { _ in path("\(number)") }
      operation.outcome = .done([file])
      #expect(filed[number] == operation && operation.name == Array("\(number)".utf8))
    }
    #expect(filed[500].outcome == .refused("no such file or folder"))
    let here = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(here == ["Trash"])
    client.shutDown()
  }

  @Test func `a photo can be trashed after another was renamed, whose process knew no trash`() {
    let folder = TemporaryFolder()
    let (a, b) = (folder.write([7], to: "photos/a.jpg"), folder.write([8], to: "photos/b.jpg"))
    let client = FileOperationClient(
      executable: WorkerExecutable(path: Self.program, arguments: ["--file-worker"]))
    let renaming = FileStep(from: a, to: folder.path("photos/c.jpg"))
    client.request([.rename([renaming], isUndo: false)], at: now())
    #expect(filed(client, 1).map(\.outcome) == [.done([renaming])])

    client.request([.trash([b], home: folder.path("Trash"))], at: now())

    let file = FileStep(
      trash: folder.path("Trash"), name: Array("b.jpg".utf8), originalPath: b)
    #expect(filed(client, 1).map(\.outcome) == [.done([file])])
    client.shutDown()
  }

  @Test func `a folder without write permission gives no file away and gets none`() throws {
    let folder = TemporaryFolder()
    let closed = folder.write([7], to: "closed/x.jpg")
    folder.write([8], to: "closed/x.jpg.xmp")
    let open = folder.write([9], to: "open/y.jpg")
    chmod("\(folder.path)/closed", 0o555)
    defer { chmod("\(folder.path)/closed", 0o755) }
    let program = WorkerExecutable(path: Self.program, arguments: ["--file-worker"])
    func outcome(_ task: PathTask) -> FileOutcome? {
      // Its rights are limited to the folders of its first request.
      let client = FileOperationClient(executable: program.heldToPermissions)
      defer { client.shutDown() }
      client.request([task], at: now())
      return filed(client, 1).first?.outcome
    }
    let (inside, outside) = (
      FileDestination(folder: folder.path("closed"), isCreated: false),
      FileDestination(folder: folder.path("open"), isCreated: false)
    )

    #expect(outcome(.move([closed], into: outside)) == .refused("no permission"))
    #expect(outcome(.move([open], into: inside)) == .refused("no permission"))
    #expect(outcome(.copy([open], into: inside)) == .refused("no permission"))
    #expect(fileNames("\(folder.path)/closed") == ["x.jpg", "x.jpg.xmp"])
    #expect(fileNames("\(folder.path)/open") == ["y.jpg"])
    guard case .done(let copies) = outcome(.copy([closed], into: outside)) else {
      Issue.record("nothing is copied out of it")
      return
    }
    #expect(copies.count == 2 && contents(of: "\(folder.path)/open/x.jpg.xmp") == [8])
  }

  @Test func `a folder without write permission keeps its files`() throws {
    let folder = TemporaryFolder()
    let path = folder.write([7], to: "photos/x.jpg")
    chmod("\(folder.path)/photos", 0o555)
    defer { chmod("\(folder.path)/photos", 0o755) }
    let program = WorkerExecutable(path: Self.program, arguments: ["--file-worker"])
    let client = FileOperationClient(executable: program.heldToPermissions)

    client.request([.trash([path], home: folder.path("Trash"))], at: now())

    let words = "no permission to create a trash folder (\(folder.path)/Trash)"
    #expect(filed(client, 1).first?.outcome == .refused(words))
    #expect(contents(of: "\(folder.path)/photos/x.jpg") == [7])
    let entries = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/Trash/info")
    #expect(entries == [])
    client.shutDown()
  }

  @Test func `a client whose process cannot be started, or ends, reports a failure`() {
    let missing = FileOperationClient(executable: WorkerExecutable(path: "/nowhere"))
    missing.request([.trash([[0x78]], home: [])], at: now())
    guard case .refused = filed(missing, 1).first?.outcome else {
      Issue.record("it is not refused")
      return
    }
    let ending = FileOperationClient(executable: WorkerExecutable(path: "/bin/true"))
    ending.request([.trash([[0x78]], home: [])], at: now())
    #expect(filed(ending, 1).first?.outcome == .unknown("the file worker stopped"))
  }

  @Test func `a client that stops sends the operations of a lost process to a new one`() {
    let folder = TemporaryFolder()
    let path = folder.write([7], to: "photos/x.jpg")
    // The first process ends without an answer.
    let client = FileOperationClient(
      executable: folder.script(
        """
        mkdir \(folder.path)/lost 2>/dev/null && exit 1
        exec \(Self.program) --file-worker
        """))
    client.request([.trash([path], home: folder.path("Trash"))], at: now())

    let rest = client.stop(within: 90) { now() }

    let file = FileStep(
      trash: folder.path("Trash"), name: Array("x.jpg".utf8), originalPath: path)
    #expect(rest.results.map(\.outcome) == [.done([file])])
    #expect(rest.open.isEmpty && rest.notStarted.isEmpty)
    client.shutDown()
  }

  @Test func `an operation for which the socket has no room is done after the program has ended`()
    throws
  {
    let folder = TemporaryFolder()
    let long = String(repeating: "x", count: 200)
    let files = (0..<3000).map { number in
      FileStep(
        from: folder.write([7], to: "photos/\(long)\(number).jpg"),
        to: folder.path("photos/\(number)\(long).jpg"))
    }
    // It does not read before it is told to.
    let client = FileOperationClient(
      executable: folder.script(
        "echo $$ > \(folder.path)/pid; kill -STOP $$; exec \(Self.program) --file-worker"))
    client.request([.rename(files, isUndo: false)], at: now())

    let rest = client.stop(within: 0) { now() }
    client.shutDown()

    #expect(rest.open.count == 1 && rest.goesOn && rest.interrupted == nil)
    #expect(rest.notStarted.isEmpty && rest.results.isEmpty)
    let last = files[2999].target + [0]
    let end = Date().addingTimeInterval(90)
    while access(last.map { CChar(bitPattern: $0) }, F_OK) != 0, Date() < end {
      let pid = FileManager.default.contents(atPath: "\(folder.path)/pid") ?? Data()
      if let pid = pid_t(String(decoding: pid.dropLast(), as: UTF8.self)) { kill(pid, SIGCONT) }
      usleep(2000)
    }
    let names = fileNames("\(folder.path)/photos")
    #expect(names.count == 3000 && names.allSatisfy { $0.hasSuffix("\(long).jpg") })
  }

  @Test func `what a lost process may have done is told from what was never sent`() {
    // Every process ends at once.
    let client = FileOperationClient(executable: WorkerExecutable(path: "/bin/true"))
    client.request((0..<40).map { .trash([[0x78]], home: [], first: $0) }, at: now())
    let end = Date().addingTimeInterval(90)
    // Two were lost, and the third may not start yet.
    while !client.pollRequests.isEmpty, Date() < end { _ = client.service(at: now()) }
    let rest = client.stop(within: 0) { now() }
    #expect(rest.interrupted?.repeated == .trash([Photo.ID(0)]) && rest.open.isEmpty)
    #expect(rest.notStarted.map(\.repeated) == (1..<40).map { .trash([Photo.ID($0)]) })
  }

  @Test func `a client that stops gives up an operation that ends every process`() {
    let client = FileOperationClient(executable: WorkerExecutable(path: "/bin/true"))
    client.request([.trash([[0x78]], home: [])], at: now())

    let rest = client.stop(within: 90) { now() }

    #expect(rest.results.map(\.outcome) == [.unknown("the file worker stopped")])
    #expect(rest.open.isEmpty && client.openCount == 0)
  }

  @Test func `an operation that is given up leaves no percentage behind`() {
    let folder = TemporaryFolder()
    let progress = FileProtocol.Response.progress(percent: 40)
    folder.write(Hello.current.encoded() + progress.encoded(token: 1), to: "progress")
    // The first process reports progress and ends when it is told to, the others end at once.
    let client = FileOperationClient(
      executable: folder.script(
        """
        cd \(folder.path); mkdir started 2>/dev/null || exit 1
        cat progress >&0; until [ -e end ]; do sleep 0.01; done
        """))
    client.request([.trash([[0x78]], home: [])], at: now())
    let limit = Date().addingTimeInterval(90)
    while client.percent == nil, Date() < limit {
      #expect(client.service(at: now()).isEmpty)
      usleep(2000)
    }
    #expect(client.percent == 40)
    folder.write([], to: "end")

    #expect(filed(client, 1).first?.outcome == .unknown("the file worker stopped"))
    #expect(client.percent == nil)
  }
}
