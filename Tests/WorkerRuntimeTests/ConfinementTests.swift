import Foundation
import PhotoLibrary
import PseudoTerminal
import TestSupport
import Testing
import WorkerProtocol

/// What a worker under a hostile file's control could do, tried by a program that confines itself
/// as the workers do.
struct ConfinementTests {
  private typealias Layer = ConfinementLayer.Name

  private let folder = TemporaryFolder()

  /// What the program printed, and how it ended.
  private struct Outcome {
    var layers: Set<Layer> = []
    /// The attempts, each with "done" or the number of its error.
    var attempts: [String: String] = [:]
    var status: Int32 = 0
  }

  private func outcome(
    of role: String, call: String? = nil, through command: [String] = []
  ) throws -> Outcome {
    var template = Array((folder.path + "/inside.XXXXXX").utf8CString)
    try #require(mkdtemp(&template) != nil)
    let inside = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    mkdir(inside + "-outside", 0o700)
    for name in ["file", "film", "metadata", "renamed", "unlinked"] {
      folder.write([1], to: String(inside.dropFirst(folder.path.count + 1)) + "-outside/" + name)
    }
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    let worker = try WorkerExecutable.find().path
    var program = worker.dropLast("photogrid-worker".count) + "confinement-check"
    if !command.isEmpty {
      // Another user may have no right to enter the folder of the checkout, root's home for example.
      let copy = folder.path + "/confinement-check"
      try FileManager.default.copyItem(atPath: String(program), toPath: copy)
      program = copy[...]
    }
    let process = try ChildProcess.start(
      command + [String(program), role, inside] + [call].compactMap(\.self),
      .descriptors(input: 0, output: ends[1], error: 2))
    close(ends[1])
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while case let count = read(ends[0], &piece, piece.count), count > 0 { text += piece[..<count] }
    var outcome = Outcome()
    waitpid(process, &outcome.status, 0)
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      if words.first == "layer", words.last == "on", let layer = Layer(rawValue: words[1]) {
        outcome.layers.insert(layer)
      } else if words.first == "try" {
        outcome.attempts[words.dropFirst().dropLast().joined(separator: " ")] = words.last
      }
    }
    return outcome
  }

  /// The layers that refuse each attempt; any one of them suffices.
  private static let changes: [(String, [Layer])] =
    ["create", "overwrite", "append", "unlink", "rename", "link", "symlink", "mkdir", "mkfifo"]
    .map { ($0, [.files]) } + [("truncate", [.files]), ("move out", [.files])]
  private static let reaches: [(String, [Layer])] =
    [
      "socket", "unix socket", "connect", "bind", "ptrace", "process_vm_readv",
      "process_vm_writev", "execve", "bpf", "mount", "unshare", "fork", "prlimit of parent",
    ].map { ($0, [.calls]) }
    + [
      ("kill parent", [.calls, .processes]), ("kill all", [.calls, .processes]),
      ("memory of parent", [.files]), ("start a program", [.calls, .files]),
    ] + signals.map { ($0, [.calls]) }
  private static let signals = [
    "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal",
    "signal by a pipe",
  ]
  /// Changes of a file that the process may read at most, by its name and after opening it.
  private static let metadata: [(String, [Layer])] =
    (names + descriptors).map { ($0, [.calls]) }
  private static let names = [
    "chmod", "fchmodat", "chown", "lchown", "fchownat", "utimensat", "setxattr", "removexattr",
    "lsetxattr", "lremovexattr", "call 452", "call 463", "call 466", "call 469",
    "empty while opening",
  ]
  private static let descriptors = ["fchmod", "fchown", "futimens", "fsetxattr", "fremovexattr"]
  private static let memory: [(String, [Layer])] =
    ["map executable memory", "make memory executable", "map a writable file as executable"]
    .map { ($0, [.calls]) }

  private static let raises: [(String, [Layer])] =
    ["memory", "processor time", "core", "file size", "descriptors"]
    .map { ("raise \($0)", [.memory]) }

  private func check(_ role: String, refuses refused: [(String, [Layer])], allows: [String]) throws
  {
    let outcome = try outcome(of: role)
    #expect(outcome.status == 0)
    for (attempt, layers) in refused {
      let result = try #require(outcome.attempts[attempt], "\(attempt) was not tried")
      if layers.contains(where: outcome.layers.contains) {
        #expect(result != "done", "\(role): \(attempt)")
      } else {
        withKnownIssue("this system has no layer \(layers[0].rawValue) against: \(attempt)") {
          #expect(result != "done")
        }
      }
    }
    for attempt in allows { #expect(outcome.attempts[attempt] == "done", "\(role): \(attempt)") }
  }

  @Test func `without a sandbox each attempt that the tables name succeeds`() throws {
    let outcome = try outcome(of: "none")
    #expect(outcome.status == 0)
    let unsupported = ["\(ENOTSUP)", "\(ENODATA)"]
    for (attempt, _) in Self.changes + Self.metadata + Self.reaches + Self.memory {
      let result = try #require(outcome.attempts[attempt], "\(attempt) was not tried")
      // Some file systems have no such attributes.
      if attempt.contains("xattr"), unsupported.contains(result) { continue }
      #expect(result == "done", "\(attempt)")
    }
  }

  @Test func `what decodes opens libraries and fonts, and no other file`() throws {
    try check(
      "decodes",
      refuses: Self.changes + Self.metadata + Self.reaches + Self.raises + Self.memory
        + [("create inside", [.files, .calls]), ("read the film", [.files])] + Self.reading,
      allows: ["read a library's settings", "thread"]
        + (access("/etc/fonts", F_OK) == 0 ? ["read the settings of fonts"] : []))
  }

  @Test func `what decodes films opens the film and libraries, and no other file`() throws {
    try check(
      "films",
      refuses: Self.changes + Self.metadata + Self.reachesBesideStarting + Self.raises
        + [("create inside", [.files]), ("read the settings of fonts", [.files])] + Self.reading,
      allows: ["read the film", "read a library's settings", "fork", "thread"])
  }

  /// What processes that start others must not do: Landlock limits `execve` to one command.
  private static let reachesBesideStarting = reaches.filter {
    !["fork", "execve"].contains($0.0)
  }

  /// Opening what belongs to users, by names.
  private static let reading: [(String, [Layer])] =
    ["read", "list", "read outside", "read by another root", "read by a parent folder"]
    .map { ($0, [.files]) }

  @Test func `the process that opens photos changes files only in the folder of thumbnails`() throws
  {
    try check(
      "opens",
      refuses: Self.changes + Self.metadata + Self.reachesBesideStarting + Self.raises,
      allows: ["read", "create inside", "rename inside", "unlink inside", "fork", "thread"])
  }

  @Test func `the lister changes no file and reaches no other process`() throws {
    try check(
      "lists",
      refuses: Self.changes + Self.metadata + Self.reaches + Self.raises + [
        ("create inside", [.files])
      ],
      allows: ["read", "thread"])
  }

  @Test func `the file worker changes files only in its folders`() throws {
    try check(
      "moves",
      refuses: Self.changes + Self.metadata + Self.reaches + [
        ("read", [.files]), ("list", [.files]),
      ],
      allows: ["create inside", "rename inside", "unlink inside"])
  }

  @Test func `the process that rates changes files only in the folders of rated photos`() throws {
    try check(
      "rates",
      refuses: Self.changes + Self.metadata + Self.reaches + Self.raises
        + [("read", [.files]), ("list", [.files])],
      allows: ["create inside", "rename inside", "unlink inside"])
  }

  @Test func `the process that only reads ratings changes no file`() throws {
    try check(
      "views",
      refuses: Self.changes + Self.metadata + Self.reaches + Self.raises
        + [("create inside", [.files])],
      allows: ["read"])
  }

  @Test func `the process that records facts opens files only in the folder of the index`() throws {
    try check(
      "indexes",
      refuses: Self.changes + Self.metadata + Self.reaches + [
        ("read", [.files]), ("list", [.files]),
      ],
      allows: ["create inside", "rename inside", "unlink inside"])
  }

  /// Root is not held to the limit.
  @Test func `what decodes cannot start threads without end`() throws {
    let user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    chmod(folder.path, 0o755)
    let outcome = try outcome(
      of: "decodes", call: "threads", through: geteuid() == 0 ? user : [])
    guard outcome.layers.contains(.threads) else {
      return withKnownIssue("this system counts no threads of one process") {
        #expect(outcome.attempts["a thousand threads"] == "\(EAGAIN)")
      }
    }
    #expect(outcome.attempts["a thousand threads"] == "\(EAGAIN)")
  }

  @Test func `a process that a decoder leaves behind ends with it`() throws {
    let outcome = try outcome(of: "decodes", call: "child")
    guard outcome.layers.contains(.isolation) else {
      return withKnownIssue("this system has no namespaces of processes") {
        #expect(outcome.attempts["outlive the worker"] == nil)
      }
    }
    #expect(outcome.status == 0 && outcome.attempts["outlive the worker"] == nil)
  }

  @Test(arguments: ["keyctl", "reboot", "init_module", "perf_event_open"])
  func `a system call that no decoder needs ends the process`(call: String) throws {
    let outcome = try outcome(of: "decodes", call: call)
    guard outcome.layers.contains(.calls) else {
      return withKnownIssue("this system filters no calls") { #expect(outcome.status != 0) }
    }
    #expect(outcome.status & 0x7f == SIGSYS)
  }
}
