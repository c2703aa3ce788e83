import Foundation
import Geometry
import PhotoLibrary
import PseudoTerminal
import TestSupport
import Testing

/// Two photogrids and a shell change the same photos, are killed, and lose their disks' power; after each
/// restart every photo and sidecar is whole, at a name where people or the trash look for it.
///
/// `PHOTOGRID_OPERATIONS=10000` sets the number of operations.
@Suite(
  .enabled(if: FaultyDisks.areUsable, "no disk can be mounted here: /dev/fuse is missing"))
struct EveryByteTests {
  /// What ends a round of operations.
  private enum End: CaseIterable { case done, workersKilled, programsKilled, powerCut }

  private static let operationCount =
    ProcessInfo.processInfo.environment["PHOTOGRID_OPERATIONS"].flatMap { Int($0) } ?? 200
  private static let roundLength = 20

  @Test func `no byte is lost, whatever is killed`() throws {
    var random = SeededGenerator(seed: 35)
    var disks = CountedDisks()
    #expect(disks.census.losses == [])
    var outcomes: [String: Int] = [:]
    var counts: [String: Int] = [:]
    for round in 0..<(Self.operationCount + Self.roundLength - 1) / Self.roundLength {
      let end = End.allCases[round % End.allCases.count]
      // In time, most photos are in a trash, or taken away.
      if round > 0, round.isMultiple(of: 8) { disks = CountedDisks() }
      let seed = random.next()
      let history = try run(disks, end, round, SeededGenerator(seed: seed))
      let before = disks.census.losses
      for session in history { outcomes.merge(session.outcomes) { $0 + $1 } }
      try settle(disks, round, &random, &outcomes)
      let census = disks.census
      counts["temporary files left", default: 0] += census.temporary.count
      try #require(
        census.losses == [], "round \(round), ended by \(end), seed \(seed); before: \(before)")
    }
    print("\(Self.operationCount) operations: \(outcomes.sorted { $0.key < $1.key }); \(counts)")
  }

  /// Runs two sessions and a shell at once.
  private func run(
    _ counted: CountedDisks, _ end: End, _ round: Int, _ generator: SeededGenerator
  ) throws -> [CountedSession] {
    var random = generator
    let disks = try FaultyDisks(in: counted.folder.path, CountedDisks.names)
    defer { disks.end() }
    let sessions = (1...2).map { CountedSession(round * 3 + $0, disks, counted.folder) }
    let shell = try Self.shell(
      disks, counted.folder, seed: UInt16.random(in: 0 ... .max, using: &random))
    if end == .powerCut {
      disks.obey("stop change \(Int.random(in: 0...120, using: &random)) 1")
    }
    for _ in 0..<Self.roundLength {
      sessions.randomElement(using: &random)?.requestAny(of: counted.photos, &random)
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        for session in sessions { session.service() }
        usleep(300)
      }
      if end == .workersKilled, Int.random(in: 0..<4, using: &random) == 0,
        let process = disks.processes.randomElement(using: &random)
      {
        kill(process, SIGKILL)
      }
    }
    switch end {
    case .done, .workersKilled: for session in sessions { session.wait() }
    case .programsKilled: break
    case .powerCut:
      for session in sessions { session.wait { disks.obey("stopped") == 1 } }
      disks.obey("cut \(UInt16.random(in: 0 ... .max, using: &random))")
    }
    if end != .done { for process in disks.processes { kill(process, SIGKILL) } }
    for session in sessions { session.shutDown() }
    if end != .done { for process in disks.processes { kill(process, SIGKILL) } }
    shell.waitUntilExit()
    while !disks.processes.isEmpty { usleep(1000) }
    return sessions
  }

  /// A shell that renames photos and takes some away, never over others.
  private static func shell(
    _ disks: FaultyDisks, _ folder: TemporaryFolder, seed: UInt16
  ) throws -> Process {
    let script = """
      RANDOM=\(seed); cd '\(folder.path)' || exit
      for number in 1 2 3 4 5 6; do
        for disk in a b; do
          files=("$disk"/photos/*.jpg "$disk"/photos/*/*.jpg)
          file=${files[$((RANDOM % ${#files[@]}))]}
          if [ $((RANDOM % 8)) = 0 ]; then
            mv -n -- "$file" "$disk/gone/\(seed)-$number.jpg"
          else
            mv -n -- "$file" "$disk/photos/shell-\(seed)-$number.jpg"
          fi
        done
        sleep 0.0$((RANDOM % 5))
      done
      """
    let shell = Process()
    let words = disks.running(["bash", "-c", script])
    shell.executableURL = URL(fileURLWithPath: words[0])
    shell.arguments = Array(words.dropFirst())
    shell.standardOutput = FileHandle.nullDevice
    shell.standardError = FileHandle.nullDevice
    try shell.run()
    return shell
  }

  /// Starts another session, as a user does after a crash, which undoes a few operations.
  private func settle(
    _ counted: CountedDisks, _ round: Int, _ random: inout SeededGenerator,
    _ outcomes: inout [String: Int]
  ) throws {
    let disks = try FaultyDisks(in: counted.folder.path, CountedDisks.names)
    defer { disks.end() }
    let session = CountedSession(round * 3 + 3, disks, counted.folder)
    for _ in 0...Int.random(in: 0...4, using: &random) { session.undoRecorded() }
    session.wait()
    #expect(session.openCount == 0, "round \(round)")
    outcomes.merge(session.outcomes) { $0 + $1 }
    session.shutDown()
    while !disks.processes.isEmpty { usleep(1000) }
  }
}
