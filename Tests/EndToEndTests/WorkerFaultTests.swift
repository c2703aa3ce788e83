import Foundation
import Geometry
import PseudoTerminal
import TestSupport
import Testing
import WorkerProtocol

/// Workers that die, are missing, or are other programs.
@Suite(.waiting) struct WorkerFaultTests {
  @Test func `a worker killed while decoding costs one tile, with a message`() throws {
    let folder = try PhotoFolder(count: 5)
    // Takes seconds to decode, and is the last one.
    try folder.add(TestPhoto.black(width: 12_000, height: 12_000), as: "zz large.png")
    let window = try folder.open("--motion", "none")
    try window.wait(for: "all tiles but the large one's") { screen in
      (0..<5).allSatisfy { screen.isFilled(.tile($0), with: TestPhoto.palette[$0]) }
        && screen.bar.contains("loading 1 ")
    }
    let workers = Processes.children(of: window.terminal.process)
    // The processor time that their start has taken.
    let before = Processes.processorSeconds(ofFamiliesOf: workers)
    let isAtWork = Polling.until {
      zip(Processes.processorSeconds(ofFamiliesOf: workers), before).contains { $0 > $1 + 0.1 }
    }
    #expect(isAtWork, "no worker decodes\(window.picture)")

    // The idle worker too, which is replaced without a message.
    for worker in workers { kill(worker, SIGKILL) }

    try window.wait(for: "a tile that says so") {
      $0.words(in: .tile(5)) == "the decoder stopped" && !$0.bar.contains("loading")
    }
    for index in 0..<5 {
      #expect(window.screen.isFilled(.tile(index), with: TestPhoto.palette[index]))
    }
    // The rest continues: other photos are decoded by a new worker.
    window.type("\r")
    try window.wait(for: "the first photo on the whole screen") {
      $0.box(of: TestPhoto.red) == ZoomTests.wholeScreen
    }
    try window.quit()
  }

  @Test func `without its worker the program prints an error and leaves the screen alone`() throws {
    let folder = try PhotoFolder(count: 2)
    let program = try copyOfProgram(in: folder)

    let window = try Window([program, folder.path], folder: folder)
    #expect(try window.waitForEnd() == 1)
    #expect(window.screen.shows("photogrid: photogrid-worker is missing"), "\(window.picture)")
    #expect(!window.output().contains(0x1B), "\(window.picture)")

    let run = ProgramRun.of([program, "--print", folder.path], environment: PhotoGrid.environment)
    #expect(run.status == 1 && run.output.isEmpty, "\(run)")
    #expect(run.errorText.contains("photogrid-worker is missing"), "\(run)")
    #expect(run.errors.count { $0 == 0x0A } == 1, "\(run)")
  }

  /// Shell scripts instead of the worker; they talk to the program on descriptor 0.
  static let impostors = [
    "exit 0", "exit 1", "kill -SEGV $$", "echo garbage >&0", "head -c 100000 /dev/zero >&0",
    "printf '\\377\\377\\377\\177\\020' >&0; sleep 60",
  ]

  @Test(arguments: impostors)
  func `an executable that is not a worker gives an error message`(script: String) throws {
    let words = "photogrid: photogrid-worker keeps failing to start"
    let folder = try PhotoFolder(count: 2)
    let program = try copyOfProgram(in: folder)
    try addWorker(script, to: folder)

    let window = try Window([program, folder.path], folder: folder)
    #expect(try window.waitForEnd() == 1)
    #expect(window.screen.shows(words), "\(window.picture)")
    window.expectRestored()

    let run = ProgramRun.of([program, "--print", folder.path], environment: PhotoGrid.environment)
    #expect(run.status == 1 && run.output.isEmpty, "\(run)")
    #expect(run.errorText.hasPrefix(words), "\(run)")
  }

  @Test func `a worker of another version gives an error message`() throws {
    let folder = try PhotoFolder(count: 2)
    let program = try copyOfProgram(in: folder)
    let worker = URL(fileURLWithPath: PhotoGrid.path).deletingLastPathComponent()
      .appendingPathComponent("photogrid-worker")
    // The real one's greeting, with the last byte of its version changed.
    let greeting = try greeting(of: worker.path)
    var other = greeting
    other[other.count - 1] = UInt8(ascii: "9")
    try folder.add(other, as: "bin/greeting")
    try addWorker("cat '\(folder["bin/greeting"])' >&0; sleep 60", to: folder)

    let run = ProgramRun.of([program, "--print", folder.path], environment: PhotoGrid.environment)

    #expect(run.status == 1 && run.output.isEmpty, "\(run)")
    #expect(run.errorText.contains("photogrid-worker is version"), "\(run)")

    let window = try Window([program, folder.path], folder: folder)
    #expect(try window.waitForEnd() == 1)
    #expect(window.screen.shows("photogrid-worker is version"), "\(window.picture)")
    window.expectRestored()
  }

  @Test(arguments: HostileReply.ofDecoders)
  func `a worker that lies costs its photos, and neither memory nor time`(lie: HostileReply) throws
  {
    let folder = try PhotoFolder(count: 3)
    let program = try copyOfProgram(in: folder)
    try folder.add(
      try greeting(of: URL(fileURLWithPath: PhotoGrid.path).path + "-worker"), as: "bin/greeting")
    try folder.add(lie.bytes(), as: "bin/lie")
    try addWorker(
      """
      cat '\(folder["bin/greeting"])' >&0
      while cat '\(folder["bin/lie"])' >&0; do :; done
      """, to: folder)
    let window = try Window(
      [program, "--memory", "32", "--motion", "none", folder.path], folder: folder)

    // The first tile is that of the folder of programs.
    for tile in 1...3 {
      try window.wait(for: "a message in tile \(tile)") {
        $0.words(in: .tile(tile, of: 4)) == "the decoder sent an invalid response"
      }
    }
    window.type("\r")
    try window.wait(for: "the message on the whole screen") {
      $0.shows("the decoder sent an invalid response")
    }
    let peak = try #require(Processes.peakKilobytes(of: window.terminal.process))
    #expect(peak < (32 + 30) * 1000, "\(peak) kB")
    try window.quit()
  }

  @Test func `a silent worker does not delay quitting`() throws {
    let folder = try PhotoFolder(count: 2)
    let program = try copyOfProgram(in: folder)
    try addWorker("exec sleep 60", to: folder)
    let window = try Window([program, folder.path], folder: folder)

    try window.wait(for: "two empty tiles") { $0.bar.contains("loading 2") }
    window.type("jjG\r")
    let workers = Processes.children(of: window.terminal.process)
    try window.quit()
    #expect(Polling.until { workers.allSatisfy { !Processes.isRunning($0) } })
  }

  /// The program in a folder without its worker.
  private func copyOfProgram(in folder: PhotoFolder) throws -> String {
    try folder.addFolder("bin")
    return try folder.addCopy(of: PhotoGrid.path, as: "bin/photogrid")
  }

  /// A shell script instead of the worker.
  private func addWorker(_ script: String, to folder: PhotoFolder) throws {
    try folder.add(Array("#!/bin/sh\n\(script)\n".utf8), as: "script")
    chmod(folder["script"], 0o755)
    _ = try folder.addCopy(of: folder["script"], as: "bin/photogrid-worker")
  }

  /// The greeting of a worker.
  private func greeting(of worker: String) throws -> [UInt8] {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { ends.forEach { close($0) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 0)
    var argv = [strdup(worker), nil]
    defer { argv.forEach { free($0) } }
    var process: pid_t = 0
    try #require(posix_spawn(&process, worker, &actions, nil, &argv, environ) == 0)
    defer { _ = Processes.wait(for: process, seconds: 0) }
    var greeting: [UInt8] = []
    _ = Polling.until {
      var buffer = [UInt8](repeating: 0, count: 256)
      let count = recv(ends[0], &buffer, buffer.count, Int32(MSG_DONTWAIT))
      greeting += buffer.prefix(max(count, 0))
      return greeting.count > 4 && greeting.count >= 4 + Int(greeting[0])
    }
    return greeting
  }
}
