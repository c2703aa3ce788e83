import Foundation
import PhotoLibrary
import Photos
import PseudoTerminal
import TestSupport
import Testing
import WorkerProtocol

/// Two disks with photos whose bytes say which they are, so that every one can be found again.
struct CountedDisks {
  let folder = TemporaryFolder()
  /// How many photos there are; every third has a sidecar.
  static let count = 24

  /// The names of the disks: one with the user's home, and another one.
  static let names = ["a", "b"]
  static let photoFolders = ["a/photos", "a/photos/trip", "b/photos"]

  init() {
    for number in 0..<Self.count {
      let place = Self.photoFolders[number % Self.photoFolders.count]
      let name = "store-\(place)/\(Self.name(number))"
      folder.write(Self.photo(number, orientation: 1), to: Array(name.utf8))
      if number % 3 == 0 { folder.write(Self.sidecar(number), to: Array("\(name).xmp".utf8)) }
    }
    for path in ["store-a/gone", "store-b/gone"] { mkdir("\(folder.path)/\(path)", 0o755) }
  }

  private static func name(_ number: Int) -> String {
    switch number % 8 {
    case 1: "white space \(number).jpg"
    case 2: "été-\(number).jpg"
    case 3: "new\nline\(number).jpg"
    case 4: String(repeating: "long", count: 55) + "\(number).jpg"
    default: "IMG_\(number).jpg"
    }
  }

  // MARK: - Bytes

  private static let orientationPlace: Int = {
    let (first, second) = (TurnablePhoto.jpeg(1), TurnablePhoto.jpeg(6))
    return first.indices.first { first[$0] != second[$0] } ?? 0
  }()

  private static func photo(_ number: Int, orientation: UInt8) -> [UInt8] {
    // Some are copied in several pieces.
    let length = number % 5 == 0 ? 300_000 : 100 + number * 37
    return TurnablePhoto.jpeg(orientation)
      + (0..<length).map { UInt8(truncatingIfNeeded: $0 &* (number + 3)) }
      + Array("#\(number)".utf8)
  }

  private static func sidecar(_ number: Int) -> [UInt8] {
    Array(
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
       xmlns:my="http://example.com/my/" my:note="sidecar #\(number)."/></rdf:RDF></x:xmpmeta>
      <?xpacket end="w"?>
      """.utf8)
  }

  /// The number of a whole photo; nil if it is none.
  private static func number(ofPhoto bytes: [UInt8]) -> Int? {
    guard bytes.count > orientationPlace, let mark = bytes.lastIndex(of: UInt8(ascii: "#")),
      let number = Int(String(decoding: bytes[(mark + 1)...], as: UTF8.self)),
      (0..<count).contains(number)
    else { return nil }
    return photo(number, orientation: bytes[orientationPlace]) == bytes ? number : nil
  }

  /// The number of a sidecar, which may have been rated since; nil if it is not whole, or was made since.
  private static func number(ofSidecar bytes: [UInt8]) -> Int? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.contains("<?xpacket end="), let mark = text.range(of: "sidecar #") else {
      return nil
    }
    return Int(text[mark.upperBound...].prefix { $0 != "." })
  }

  // MARK: - Counting

  /// What is on the disks.
  struct Census {
    /// Where each photo is, by its number: the paths below the folder.
    var photos: [Int: [String]] = [:]
    var sidecars: [Int: [String]] = [:]
    /// Files at ordinary names that are no whole photo.
    var torn: [String] = []
    /// Files at temporary names.
    var temporary: [String] = []
    /// Files in a trash without an info file that says where they were.
    var homeless: [String] = []

    /// What is wrong; empty if every byte is where it should be.
    var losses: [String] {
      let lost = (0..<count).filter { !isKept(photos[$0]) }.map {
        "photo \($0): \(photos[$0] ?? [])"
      }
      let lostSidecars = stride(from: 0, to: count, by: 3).filter { !isKept(sidecars[$0]) }.map {
        "sidecar \($0): \(sidecars[$0] ?? [])"
      }
      return lost + lostSidecars + torn.map { "torn: \($0)" } + homeless.map { "homeless: \($0)" }
    }

    private func isKept(_ paths: [String]?) -> Bool {
      paths?.contains { !CountedDisks.isTemporary($0) } ?? false
    }
  }

  private static func isTemporary(_ path: String) -> Bool {
    path.split(separator: "/").last?.hasPrefix(".photogrid-") ?? false
  }

  /// Reads all files.
  var census: Census {
    var census = Census()
    for disk in Self.names {
      let store = "\(folder.path)/store-\(disk)"
      for name in FileManager.default.subpaths(atPath: store) ?? [] {
        let path = "\(store)/\(name)"
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
          !name.hasPrefix("home/state"), !name.hasSuffix(".trashinfo")
        else { continue }
        let bytes = contents(of: path)
        let place = "\(disk)/\(name)"
        if let number = Self.number(ofPhoto: bytes) {
          census.photos[number, default: []].append(place)
        } else if let number = Self.number(ofSidecar: bytes) {
          census.sidecars[number, default: []].append(place)
        } else if Self.isTemporary(name) {
          census.temporary.append(place)
        } else if !name.contains(".xmp") {
          census.torn.append("\(place): \(bytes.count) bytes")
        }
        guard let files = path.range(of: "/files/"), name.contains("Trash") else { continue }
        let info = path[..<files.lowerBound] + "/info/" + path[files.upperBound...] + ".trashinfo"
        let text = FileManager.default.contents(atPath: String(info)) ?? Data()
        if !String(decoding: text, as: UTF8.self).contains("Path=") {
          census.homeless.append(place)
        }
      }
    }
    return census
  }

  /// The photos in the folders of photos: their paths as programs see them.
  var photos: [[UInt8]] {
    Self.names.flatMap { disk in
      (FileManager.default.subpaths(atPath: "\(folder.path)/store-\(disk)/photos") ?? []).filter {
        $0.hasSuffix(".jpg") && !Self.isTemporary($0)
      }.sorted().map { folder.path("\(disk)/photos/\($0)") }
    }
  }
}

/// A photogrid that changes files: the clients of a session, with their processes on the disks.
final class CountedSession {
  private let files: FileOperationClient
  private let ratings: AnnotationClient
  private let paths: Paths
  private let folder: TemporaryFolder
  /// The changes that undo what was done, oldest first.
  private var undo: [PathTask] = []
  /// What happened, by kind.
  private(set) var outcomes: [String: Int] = [:]

  private final class Paths { var all: [[UInt8]] = [] }

  init(_ number: Int, _ disks: FaultyDisks, _ folder: TemporaryFolder) {
    func executable(_ program: String, _ argument: String) -> WorkerExecutable {
      let words = disks.running([WorkerExecutable.beside(program), argument])
      return WorkerExecutable(path: words[0], arguments: Array(words.dropFirst()))
    }
    let paths = Paths()
    self.folder = folder
    self.paths = paths
    let name = "\(1_000_000 + number)"
    files = FileOperationClient(
      executable: executable("photogrid", "--file-worker"),
      journal: folder.path("a/home/state/undo/\(name)"))
    ratings = AnnotationClient(
      process: executable("photogrid-worker", "--ratings"), isEmbedded: false
    ) { paths.all[$0.index] }
  }

  /// The number of operations without an outcome.
  var openCount: Int { files.openCount + (ratings.isIdle ? 0 : 1) }

  /// Requests a random operation on some of the photos.
  func requestAny(of photos: [[UInt8]], _ random: inout SeededGenerator) {
    guard let photo = photos.randomElement(using: &random) else { return }
    var chosen = [photo]
    if Bool.random(using: &random), let other = photos.randomElement(using: &random), other != photo
    {
      chosen.append(other)
    }
    let place = CountedDisks.photoFolders.randomElement(using: &random) ?? ""
    let isNew = Int.random(in: 0..<4, using: &random) == 0
    let folder = FileDestination(
      folder: folder.path(isNew ? "\(place)/new" : place), isCreated: true)
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: request(.trash(chosen, home: self.folder.path("a/home/Trash")))
    case 2, 3: request(.move(chosen, into: folder))
    case 4: request(.copy(chosen, into: folder))
    case 5, 6:
      // Two photos of a folder exchange their names, or one gets another.
      let names =
        chosen.count == 2 && FileStep(from: chosen[0], to: chosen[1]).isInOneFolder
        ? [chosen[1], chosen[0]]
        : [chosen[0].dropLast(4) + "-\(UInt8.random(in: 0...9, using: &random)).jpg".utf8]
      let files = zip(chosen, names).map { FileStep(from: $0, to: $1) }
      guard files.allSatisfy({ $0.target.count < 300 }) else {
        return request(.trash(chosen, home: []))
      }
      request(.rename(files, isUndo: false))
    case 7: request(.turn([photo], by: .quarterTurn))
    case 8: rate(photo, .stars(Int.random(in: 0...5, using: &random)))
    case 9:
      if let edit = KeywordEdit(adding: ["w\(UInt8.random(in: 0...5, using: &random))"]) {
        rate(photo, .keywords(edit))
      }
    default: if let change = undo.popLast() { request(change) } else { undoRecorded() }
    }
  }

  /// Undoes the last operation of a session that has ended, whose cut-short operations are settled first.
  func undoRecorded() { request(.undoRecorded()) }

  private func request(_ change: PathTask) {
    files.request([change], at: now())
  }

  private func rate(_ path: [UInt8], _ edit: AnnotationEdit) {
    paths.all.append(path)
    ratings.write([AnnotationTask(Photo.ID(paths.all.count - 1), edit)], at: now())
  }

  /// Receives outcomes.
  func service() {
    for result in files.service(at: now()) {
      switch (result.kind, result.outcome) {
      case (.trash, .done(let trashed)?) where !result.isUndo: undo.append(.restore(trashed))
      case (.rename, .done(let moved)?), (.move, .done(let moved)?):
        guard moved.contains(where: { $0.source != $0.target }) else { break }
        undo.append(.rename(moved.map(\.reversed), isUndo: true))
      default: break
      }
      outcomes[Self.kind(result), default: 0] += 1
    }
    for report in ratings.service(at: now()) {
      for result in report.results {
        outcomes[result.failure == nil ? "rated" : "not rated", default: 0] += 1
      }
    }
  }

  private static func kind(_ result: FileOperation) -> String {
    switch result.outcome {
    case .refused(let reason): "refused: \(reason)"
    case .undone(let undo): undo.count > 0 ? "undone" : "nothing undone"
    case .unknown: "unknown"
    case .done where result.kind == .trash && !result.isUndo: "trashed"
    case .done where [.rename, .move].contains(result.kind): "moved"
    default: "done"
    }
  }

  /// Services until nothing is open, or a condition holds, or half a minute is over.
  func wait(until isDone: () -> Bool = { false }) {
    let end = now().advanced(bySeconds: 30)
    while openCount > 0, !isDone(), now() < end {
      service()
      usleep(300)
    }
  }

  func shutDown() {
    files.shutDown()
    ratings.shutDown { now() }
  }
}
