import FileWorker
import Foundation
import Photos
import TestSupport
import Testing

/// Files that are trashed and restored, in folders of this disk.
@Suite struct TrashTests {
  @Test func `a file goes into the home trash with an info file, and is restored unchanged`() throws
  {
    let disk = try Disk()
    let path = disk.write("one", to: disk.path("a b%.jpg"))

    let before = Date()
    let file = try disk.homeTrash.add(path)
    #expect(
      file
        == FileStep(
          trash: Array(disk.home.utf8), name: Array("a b%.jpg".utf8), originalPath: path))
    #expect(disk.read(path) == nil)
    #expect(disk.read(Array("\(disk.home)/files/a b%.jpg".utf8)) == "one")
    for folder in ["", "/files", "/info"] { #expect(disk.mode(disk.home + folder) == 0o700) }
    let note = try #require(disk.read(Array("\(disk.home)/info/a b%.jpg.trashinfo".utf8)))
    let lines = note.split(separator: "\n")
    #expect(lines[0] == "[Trash Info]")
    #expect(lines[1] == "Path=\(disk.photos)/a%20b%25.jpg")
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.dateFormat = "'DeletionDate='yyyy-MM-dd'T'HH:mm:ss"
    let date = try #require(format.date(from: String(lines[2])), "\(lines[2])")
    #expect(abs(date.timeIntervalSince(before)) < 60, "in local time")

    try disk.homeTrash.restore(file, to: path)
    #expect(disk.read(path) == "one")
    #expect(disk.names("\(disk.home)/files") == [] && disk.names("\(disk.home)/info") == [])
  }

  @Test(arguments: [
    Array("new\nline.jpg".utf8), Array("esc\u{1B}]52;c;x\u{07}.jpg".utf8), [0xFF, 0xFE, 0x2E],
    Array("日本 é.jpg".utf8), Array(".hidden".utf8), Array("-rf".utf8), Array("no extension".utf8),
    Array(repeating: UInt8(ascii: "x"), count: 255),
    Array(String(repeating: "日", count: 83).utf8) + Array(".jpeg".utf8),
    Array("a.".utf8) + Array(repeating: UInt8(ascii: "y"), count: 253),
  ])
  func `names are preserved byte by byte`(name: [UInt8]) throws {
    let disk = try Disk()
    for (trash, prefix) in [(disk.homeTrash, "\(disk.photos)/"), (disk.diskTrash(), "photos/")] {
      let path = disk.write("it", to: disk.path(name))
      let file = try trash.add(path)
      let entry = file.target.lastPathComponent
      #expect(entry.count <= 245, "with .trashinfo no longer than names may be")
      #expect(name.count > 245 || entry == name)
      #expect(
        String(validating: name, as: UTF8.self) == nil
          || String(validating: entry, as: UTF8.self) != nil)
      let folder = String(decoding: try #require(file.trash), as: UTF8.self)
      let note = try #require(
        disk.read(Array("\(folder)/info/".utf8) + entry + Array(".trashinfo".utf8)))
      let line = try #require(note.split(separator: "\n").first { $0.hasPrefix("Path=") })
      #expect(Self.decoded(line.dropFirst(5)) == Array(prefix.utf8) + name)
      try trash.restore(file, to: path)
      #expect(disk.read(path) == "it")
      unlink(path.map { CChar(bitPattern: $0) } + [0])
    }
  }

  private static func decoded(_ text: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      bytes.append(UInt8(String(Substring(rest.prefix(2))), radix: 16) ?? 0)
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  @Test func `files of the same name get numbers, also beside files without info files`() throws {
    let disk = try Disk()
    var files: [FileStep] = []
    for number in 0..<3 {
      files.append(try disk.homeTrash.add(disk.write("\(number)", to: disk.path("a.jpg"))))
    }
    #expect(
      files.map { String(decoding: $0.target.lastPathComponent, as: UTF8.self) }
        == ["a.jpg", "a_1.jpg", "a_2.jpg"])
    disk.write("another's", to: Array("\(disk.home)/files/b.jpg".utf8))
    let b = try disk.homeTrash.add(disk.write("b", to: disk.path("b.jpg")))
    #expect(String(decoding: b.target.lastPathComponent, as: UTF8.self) == "b_1.jpg")
    #expect(disk.read(Array("\(disk.home)/files/b.jpg".utf8)) == "another's")
    #expect(!disk.names("\(disk.home)/info").contains("b.jpg.trashinfo"))

    try disk.homeTrash.restore(files[1], to: disk.path("a.jpg"))
    #expect(disk.read(disk.path("a.jpg")) == "1")
    #expect(throws: FileFault.system(EEXIST)) {
      try disk.homeTrash.restore(files[2], to: disk.path("a.jpg"))
    }
    #expect(disk.read(disk.path("a.jpg")) == "1", "nothing is overwritten")
    #expect(disk.read(Array("\(disk.home)/files/a_2.jpg".utf8)) == "2")
  }

  @Test func `many files of the same name can be trashed`() throws {
    let disk = try Disk()
    for number in 0..<120 {
      _ = try disk.homeTrash.add(disk.write("\(number)", to: disk.path("a.jpg")))
    }
    #expect(disk.names("\(disk.home)/files").count == 120)
    #expect(disk.names("\(disk.home)/info").count == 120)
  }

  // MARK: - Missing and special files

  @Test func `missing files and folders are not trashed, and a link itself is trashed`() throws {
    let disk = try Disk()
    #expect(throws: FileFault.system(ENOENT)) { try disk.homeTrash.add(disk.path("x.jpg")) }
    #expect(throws: FileFault.isFolder) { try disk.homeTrash.add(Array(disk.photos.utf8)) }

    disk.write("x", to: disk.path("x.jpg"))
    symlink("x.jpg", "\(disk.photos)/link.jpg")
    let file = try disk.homeTrash.add(disk.path("link.jpg"))
    #expect(disk.read(disk.path("x.jpg")) == "x", "the link went, not what it leads to")
    try disk.homeTrash.restore(file, to: disk.path("link.jpg"))
    #expect(disk.read(disk.path("link.jpg")) == "x")
  }

  @Test func `a file in the trash is not trashed again, and one deleted from the trash is lost`()
    throws
  {
    let disk = try Disk()
    let file = try disk.homeTrash.add(disk.write("x", to: disk.path("x.jpg")))
    let entry = Array("\(disk.home)/files/x.jpg".utf8)
    #expect(throws: FileFault.isTrashed) { try disk.homeTrash.add(entry) }
    unlink(entry.map { CChar(bitPattern: $0) } + [0])
    #expect(throws: FileFault.lost) { try disk.homeTrash.restore(file, to: disk.path("x.jpg")) }
  }

  @Test func `if its folder is missing, a file stays in the trash`() throws {
    let disk = try Disk()
    let file = try disk.homeTrash.add(disk.write("x", to: disk.path("x.jpg")))
    rmdir(disk.photos)
    #expect(throws: FileFault.system(ENOENT)) {
      try disk.homeTrash.restore(file, to: disk.path("x.jpg"))
    }
    #expect(disk.names("\(disk.home)/files") == ["x.jpg"])
    #expect(disk.names("\(disk.home)/info") == ["x.jpg.trashinfo"])
    mkdir(disk.photos, 0o755)
    try disk.homeTrash.restore(file, to: disk.path("x.jpg"))
    #expect(disk.read(disk.path("x.jpg")) == "x")
  }

  // MARK: - Moving

  @Test(arguments: FileMove.Method.renaming)
  func `no method of moving a file overwrites another one`(way: FileMove.Method) throws {
    let disk = try Disk()
    let (a, b) = (disk.write("a", to: disk.path("a")), disk.write("b", to: disk.path("b")))
    #expect(throws: FileFault.system(EEXIST)) {
      try FileMove.move(FileMove.Location(a), to: FileMove.Location(b), methods: [way])
    }
    symlink("nowhere", "\(disk.photos)/dangling")
    #expect(throws: FileFault.system(EEXIST)) {
      try FileMove.move(
        FileMove.Location(a), to: FileMove.Location(disk.path("dangling")), methods: [way])
    }
    #expect(throws: FileFault.system(ENOENT)) {
      let missing = FileMove.Location(disk.path("missing"))
      try FileMove.move(missing, to: FileMove.Location(disk.path("c")), methods: [way])
    }
    #expect(disk.read(disk.path("c")) == nil, "no empty file is left")
    try FileMove.move(FileMove.Location(a), to: FileMove.Location(disk.path("c")), methods: [way])
    #expect(disk.read(a) == nil && disk.read(b) == "b" && disk.read(disk.path("c")) == "a")
    #expect(disk.names(disk.photos) == ["b", "c", "dangling"])
  }

  // MARK: - Random steps

  @Test(arguments: seeds(1...30))
  func `through random steps every file keeps its bytes, in its folder or in the trash`(seed: Int)
    throws
  {
    var random = SeededGenerator(seed: UInt64(seed))
    let disk = try Disk()
    var here: [String: String] = [:]
    var trashed: [(file: FileStep, name: String, bytes: String)] = []
    for number in 0..<8 {
      here["\(number).jpg"] = "bytes of \(number)"
      disk.write("bytes of \(number)", to: disk.path("\(number).jpg"))
    }
    let trash = seed % 2 == 0 ? disk.homeTrash : disk.diskTrash()
    for _ in 0..<60 {
      let name = "\(Int.random(in: 0..<10, using: &random)).jpg"
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1:
        guard let bytes = here.removeValue(forKey: name) else {
          #expect(throws: FileFault.system(ENOENT)) { try trash.add(disk.path(name)) }
          continue
        }
        trashed.append((try trash.add(disk.path(name)), name, bytes))
      case 2:
        guard let last = trashed.popLast() else { continue }
        if here[last.name] != nil {
          #expect(throws: FileFault.system(EEXIST)) {
            try trash.restore(last.file, to: disk.path(last.name))
          }
          trashed.append(last)
        } else {
          try trash.restore(last.file, to: disk.path(last.name))
          here[last.name] = last.bytes
        }
      default:
        let other = "\(Int.random(in: 0..<10, using: &random)).jpg"
        let (old, new) = (FileMove.Location(disk.path(name)), FileMove.Location(disk.path(other)))
        if let bytes = here[name], here[other] == nil {
          try FileMove.move(old, to: new)
          here[name] = nil
          here[other] = bytes
        } else if name != other {
          #expect(throws: FileFault.self) { try FileMove.move(old, to: new) }
        }
      }
      #expect(disk.names(disk.photos) == here.keys.sorted())
    }
    for (name, bytes) in here { #expect(disk.read(disk.path(name)) == bytes) }
    for one in trashed {
      let entry = one.file.target
      #expect(disk.read(entry) == one.bytes)
    }
  }
}
