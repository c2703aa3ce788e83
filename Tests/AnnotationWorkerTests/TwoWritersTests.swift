import Foundation
import Geometry
import Glibc
import ImageFormats
import Photos
import TestSupport
import Testing

@testable import AnnotationWorker

/// Two sessions rate and rotate the same photo while their processes are killed at random moments;
/// afterwards the photo is whole, and has all that was reported.
///
/// `PHOTOGRID_ROUNDS=1000` sets the number of rounds; more than 100 have photos of 1 to 300 MB.
@Suite struct TwoWritersTests {
  private static let roundCount =
    ProcessInfo.processInfo.environment["PHOTOGRID_ROUNDS"].flatMap { Int($0) } ?? 12

  private struct Round {
    /// What the sessions do; a rotated photo has the place for its orientation in itself or not.
    enum Kind: CaseIterable {
      case embedded, sidecar, embeddedAndTurn, sidecarAndTurn, embeddedAndTurnInExif,
        sidecarAndTurnInPhoto, turns, turnsInSidecar

      var isEmbedded: Bool {
        [.embedded, .embeddedAndTurn, .embeddedAndTurnInExif].contains(self)
      }

      /// Whether each session rotates.
      var turns: [Bool] {
        switch self {
        case .embedded, .sidecar: [false, false]
        case .turns, .turnsInSidecar: [true, true]
        default: [false, true]
        }
      }

      var photo: String {
        [.sidecarAndTurn, .turnsInSidecar].contains(self) ? "a.gif" : "a.jpg"
      }
    }

    var kind: Kind
    var photo: [UInt8]
    /// The changes of each session.
    var changes: [[WriterSession.Change]]
    /// The pauses before the kills, in microseconds.
    var pauses: [UInt32]

    var name: String { kind.photo }

    init(_ number: Int, _ random: inout SeededGenerator) {
      let kind = Kind.allCases[number % Kind.allCases.count]
      self.kind = kind
      let sizes = roundCount > 100 ? 1e6...300e6 : 1e5...4e6
      // As many between 1 and 2 MB as between 100 and 200 MB.
      let size = exp(
        Double.random(in: log(sizes.lowerBound)...log(sizes.upperBound), using: &random))
      var start = RatedFolder.picture(kind.photo == "a.gif" ? "card.gif" : "card.jpg")
      if kind == .embeddedAndTurnInExif { start = start.insertingExif(thumbnail: []) }
      photo = start + Self.tail(max(Int(size) - start.count, 0), &random)
      let count = size > 50e6 ? 3 : 8
      changes = (0..<2).map { session in
        (0..<count).map { turn in
          if kind.turns[session] { return .turn }
          if (number / 8 + turn) % 3 == 0 {
            return .rating(session == 0 ? .stars(turn % 6) : .label(turn % 2 == 0 ? .red : .green))
          }
          return .rating(
            KeywordEdit(adding: ["word \(session) \(turn)"]).map { .keywords($0) } ?? .stars(1))
        }
      }
      let longest = UInt32(150_000 + size / 200)
      pauses = (0..<3).map { _ in UInt32.random(in: 0...longest, using: &random) }
    }

    /// Bytes of which no two pieces are alike.
    private static func tail(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
      let piece = (0..<4096).map { _ in UInt64.random(in: .min ... .max, using: &random) }
      return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        let bytes = UnsafeMutableRawBufferPointer(buffer)
        for (number, start) in stride(from: 0, to: count, by: piece.count * 8).enumerated() {
          piece.withUnsafeBytes { piece in
            bytes[start..<min(start + piece.count, count)]
              .copyBytes(from: piece.prefix(count - start))
          }
          if start + 8 <= count {
            bytes.storeBytes(of: UInt64(number), toByteOffset: start, as: UInt64.self)
          }
        }
        filled = count
      }
    }
  }

  @Test func `two writers and kills at random moments damage nothing and lose nothing`()
    async throws
  {
    var random = SeededGenerator(seed: 48)
    var (kills, outcomes, byteCount) = (0, [WriterSession.Outcome](), 0)
    for number in 0..<Self.roundCount {
      let round = Round(number, &random)
      let folder = RatedFolder()
      try Data(round.photo).write(
        to: URL(fileURLWithPath: "\(folder.folder.path)/\(round.name)"))
      let (results, count) = await run(round, folder)
      kills += count
      outcomes += results.joined()
      byteCount += round.photo.count
      try check(folder, round, results, "round \(number), \(round.kind), \(results)")
    }
    print("\(Self.roundCount) rounds of \(byteCount >> 20) MB, \(kills) kills")
    for (outcome, all) in Dictionary(grouping: outcomes, by: { "\($0)" }) {
      print("\(outcome): \(all.count)")
    }
  }

  /// Runs both sessions, and returns their outcomes and the number of processes that were killed.
  private func run(
    _ round: Round, _ folder: RatedFolder
  ) async -> ([[WriterSession.Outcome]], Int) {
    let sessions = (0..<2).map {
      WriterSession(
        number: $0, folder: folder, photo: round.name, isEmbedded: round.kind.isEmbedded)
    }
    return await withTaskGroup(of: (Int, [WriterSession.Outcome]).self) { group in
      for session in sessions {
        group.addTask { (session.number, session.make(round.changes[session.number])) }
      }
      let killer = Task.detached {
        var kills = 0
        for (number, pause) in round.pauses.enumerated() {
          usleep(pause)
          if sessions[number % 2].kill() { kills += 1 }
        }
        return kills
      }
      var results: [[WriterSession.Outcome]] = [[], []]
      for await (session, found) in group { results[session] = found }
      return (results, await killer.value)
    }
  }

  // MARK: - Checking

  private func check(
    _ folder: RatedFolder, _ round: Round, _ results: [[WriterSession.Outcome]], _ name: Comment
  ) throws {
    try #require(results.map(\.count) == round.changes.map(\.count), name)
    let path = folder.path(round.name)
    try checkPhoto(folder, round, results, name)
    let found = RatedFolder.keywords(of: path)
    let rating = AnnotationFiles.rating(ofPhoto: path)
    for (session, changes) in round.changes.enumerated() {
      var values: [(edit: AnnotationEdit, isWritten: Bool)] = []
      for (change, outcome) in zip(changes, results[session]) {
        guard case .rating(let edit) = change else { continue }
        guard case .keywords(let words) = edit else {
          values.append((edit, outcome == .written))
          continue
        }
        if outcome == .written {
          try #require(found.contains(words.added[0]), "\(name): \(words.added[0])")
        }
      }
      // The last rating that was reported, or one that failed after it.
      guard let last = values.lastIndex(where: \.isWritten) else { continue }
      let allowed = values[last...].map { $0.edit.applied(to: .none) }
      try #require(
        allowed.contains { session == 0 ? $0.stars == rating.stars : $0.label == rating.label },
        "\(name): \(rating)")
    }
    try #require(Set(found).count == found.count, name)
    let process = RatedProcess(in: folder)
    let next = process.rate(round.name, .stars(3), isEmbedded: round.kind.isEmbedded) {
      !folder.names.contains { $0.hasPrefix(".photogrid") }
    }
    try #require(next?.failure == nil, name)
    let files = folder.names.filter {
      !$0.hasPrefix("process") && !$0.hasPrefix("worker-") && $0 != "state"
    }
    let isAlone = round.kind.isEmbedded
    try #require(files == (isAlone ? [round.name] : [round.name, round.name + ".xmp"]), name)
  }

  /// Checks that a photo, or its sidecar, has the reported turns, and that nothing else differs.
  private func checkPhoto(
    _ folder: RatedFolder, _ round: Round, _ results: [[WriterSession.Outcome]], _ name: Comment
  ) throws {
    let turns = zip(round.kind.turns, results).flatMap { turns, results in turns ? results : [] }
    let reported = turns.count { $0 == .written }
    let allowed = reported...(reported + turns.count { $0 == .unknown })
    func orientation(after count: Int) -> Orientation {
      (0..<count).reduce(Orientation.upright) { last, _ in last.followed(by: .quarterTurn) }
    }
    let now = try #require(folder.bytes(round.name), name)
    guard round.name == "a.jpg" else {
      try #require(Self.isEqual(now[...], round.photo[...]), name)
      let sidecar = XMPFacts(folder.bytes("\(round.name).xmp") ?? [], .sidecar).orientation
      try #require(
        allowed.contains { orientation(after: $0) == sidecar ?? .upright },
        "\(name): \(sidecar ?? .upright)")
      return
    }
    try #require(folder.output(of: "exiftool", "-s3", "-Warning", "-Error", "a.jpg") == "", name)
    let segment = Self.packetSegment(in: now)
    try #require(round.kind.isEmbedded || segment.isEmpty, name)
    let isFound = try allowed.contains { count in
      var head = Array(round.photo.prefix(1 << 20))
      let headCount = head.count
      if count > 0 {
        let container = try PhotoContainers.open(ByteSource(head))
        head = try #require(container.patch(orientation(after: count)).applied(to: head))
      }
      let tail = now.count - (round.photo.count - headCount)
      guard tail >= segment.upperBound else { return false }
      return now[..<segment.lowerBound] + now[segment.upperBound..<tail] == head[...]
        && Self.isEqual(now[tail...], round.photo[headCount...])
    }
    try #require(isFound, name)
  }

  /// The first segment with an XMP packet, with its marker and length; empty without one.
  private static func packetSegment(in photo: [UInt8]) -> Range<Int> {
    let mark = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    var offset = 2
    while offset + 4 + mark.count < photo.count, photo[offset] == 0xff, photo[offset + 1] != 0xda {
      let end = offset + 2 + Int(photo[offset + 2]) << 8 + Int(photo[offset + 3])
      let isPacket = photo[offset + 1] == 0xe1 && photo[(offset + 4)...].starts(with: mark)
      if isPacket { return offset..<end }
      offset = end
    }
    return 2..<2
  }

  /// Whether bytes are equal, which are too many to be compared one by one here.
  private static func isEqual(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    one.withUnsafeBytes { one in
      other.withUnsafeBytes { other in
        guard one.count == other.count, let first = one.baseAddress, let second = other.baseAddress
        else { return one.count == other.count }
        return memcmp(first, second, one.count) == 0
      }
    }
  }
}
