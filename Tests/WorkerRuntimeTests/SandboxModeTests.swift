import CLinux
import Glibc
import PhotoLibrary
import Photos
import PseudoTerminal
import TestSupport
import Testing
import WorkerProtocol

/// `--sandbox` as every process obeys it that the program starts.
struct SandboxModeTests {
  private let folder = TemporaryFolder()

  /// The processes, some of which differ only in their first requests.
  enum Process: String, CaseIterable {
    case listing, completing, describing, moving, indexing, rating, decoding

    /// The process in a sandbox mode.
    func executable(_ mode: SandboxMode) throws -> WorkerExecutable {
      let program = try WorkerExecutable.program().path
      let worker = try WorkerExecutable.find()
      let executable =
        switch self {
        case .listing, .completing, .describing, .indexing:
          WorkerExecutable(path: program, arguments: ["--library"])
        case .moving: WorkerExecutable(path: program, arguments: ["--file-worker"])
        case .rating: worker.forAnnotations
        case .decoding: worker
        }
      return executable.confined(mode)
    }
  }

  /// What came of the first request to a process.
  private struct Outcome {
    /// Whether it was answered.
    var isAnswered = false
    /// How the process ended; nil if it did not.
    var status: Int32?
    /// Whether programs with other owners give the process no privileges, from its status in /proc.
    var rights: [String] = []
    /// How many filters of system calls hold it and the processes that it has started.
    var filters: [String] = []
  }

  /// A request that is answered whatever is in the folder.
  private func request(to process: Process) -> [UInt8] {
    let photo = folder.write(image("card.jpg"), to: "card.jpg")
    let here = Array(folder.path.utf8)
    return switch process {
    case .listing: LibraryProtocol.Request.list(ListingRequest(roots: [here])).encoded()
    case .completing: LibraryProtocol.Request.complete(path: here).encoded(token: 1)
    case .describing:
      LibraryProtocol.Request.describe(PhotoBatch(root: 0, path: photo)).encoded(token: 1)
    case .moving:
      FileProtocol.Request(
        folders: [here],
        .rename([Renaming(Photo.ID(0), to: Array("new".utf8))]).located { _ in
          here + "/none".utf8
        }
      ).encoded(token: 1)
    case .indexing:
      LibraryProtocol.Request.record(
        PhotoBatch(root: 0, folder: here + "/".utf8, names: [], facts: InfoBlock()),
        indexFolder: here + "/index".utf8
      ).encoded(token: 1)
    case .rating: AnnotationProtocol.Request(path: photo).encoded(token: 1)
    case .decoding: DecodeProtocol.Request.photo(path: photo, .describe).encoded(token: 1)
    }
  }

  /// Starts a process by a command, sends it a request, and ends it after the answer; with a second
  /// request, waits for its end.
  private func outcome(
    of process: Process, then second: Process? = nil, _ mode: SandboxMode,
    through command: [String] = []
  ) throws -> Outcome {
    let executable = try process.executable(mode)
    var ends: [Int32] = [-1, -1]
    try #require(
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    let output = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(output) }
    let started = try ChildProcess.start(
      command + executable.arguments,
      .descriptors(input: ends[1], output: output, error: output))
    close(ends[1])
    let request = request(to: process) + (second.map { self.request(to: $0) } ?? [])
    _ = send(ends[0], request, request.count, Int32(MSG_NOSIGNAL))
    var outcome = Outcome()
    var (answer, piece) = (0, [UInt8](repeating: 0, count: 4096))
    // Every process greets first.
    let greeting = Hello.current.encoded().count
    while answer <= greeting || second != nil, case let count = read(ends[0], &piece, piece.count),
      count > 0
    {
      answer += count
    }
    outcome.isAnswered = answer > greeting && second == nil
    if outcome.isAnswered {
      outcome.rights = Self.family(of: started).compactMap { Self.status("NoNewPrivs", of: $0) }
      outcome.filters = Self.family(of: started).compactMap {
        Self.status("Seccomp_filters", of: $0)
      }
      kill(started, SIGKILL)
    }
    close(ends[0])
    var status: Int32 = 0
    waitpid(started, &status, 0)
    if !outcome.isAnswered { outcome.status = status }
    return outcome
  }

  /// A process and those that it has started.
  private static func family(of process: pid_t) -> [pid_t] {
    let text = contents("/proc/\(process)/task/\(process)/children")
    let children = text.split(separator: " ").compactMap { pid_t($0) }
    return [process] + children.flatMap { family(of: $0) }
  }

  private static func status(_ field: String, of process: pid_t) -> String? {
    contents("/proc/\(process)/status").split(separator: "\n").first {
      $0.hasPrefix("\(field):")
    }.flatMap { $0.split(separator: "\t").last.map(String.init) }
  }

  private static func contents(_ path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  @Test(arguments: Process.allCases)
  func `without a sandbox no process is confined`(process: Process) throws {
    let outcome = try outcome(of: process, .off)

    #expect(outcome.isAnswered, "\(outcome)")
    let own = (
      Self.status("NoNewPrivs", of: getpid()), Self.status("Seccomp_filters", of: getpid())
    )
    #expect(!outcome.rights.isEmpty && outcome.rights.allSatisfy { $0 == own.0 }, "\(outcome)")
    #expect(outcome.filters.allSatisfy { $0 == own.1 }, "\(outcome)")
  }

  @Test(arguments: Process.allCases, [SandboxMode.auto, .require])
  func `a sandbox confines every process`(process: Process, mode: SandboxMode) throws {
    let outcome = try outcome(of: process, mode)
    guard ConfinementLayer.missing(in: ConfinementInquiry(try .find()).layers()).isEmpty else {
      return withKnownIssue("this system has no sandbox") {
        #expect(outcome.filters.last != "0")
      }
    }
    #expect(outcome.isAnswered, "\(outcome)")
    #expect(!outcome.rights.isEmpty && outcome.rights.allSatisfy { $0 == "1" }, "\(outcome)")
    // Each has a filter of its own: a decoder is started before its opener has one.
    let own = Self.status("Seccomp_filters", of: getpid()).flatMap { Int($0) } ?? 0
    let filters = outcome.filters.map { Int($0).map { $0 - own } }
    #expect(filters.allSatisfy { $0 == 1 }, "\(outcome)")
  }

  @Test(arguments: [(Process.listing, Process.indexing), (.indexing, .listing)])
  func `the first request to a process of the library says what it may do`(
    first: Process, second: Process
  ) throws {
    let outcome = try outcome(of: first, then: second, .auto)

    #expect(outcome.status == 1 << 8, "\(outcome)")
  }

  @Test(arguments: Process.allCases, ["landlock", "seccomp"])
  func `a process that lacks a layer works only if none is required`(
    process: Process, missing: String
  ) throws {
    let programs = String(try WorkerExecutable.program().path.dropLast("photogrid".count))
    let command = [programs + "without-call", missing]

    let auto = try outcome(of: process, .auto, through: command)
    let required = try outcome(of: process, .require, through: command)

    #expect(auto.isAnswered, "\(auto)")
    #expect(!required.isAnswered, "\(required)")
    #expect(required.status == 1 << 8, "\(required)")
  }
}
