import CLinux
import Foundation
import Geometry
import Glibc
import TestSupport
import Testing

@testable import WorkerRuntime

/// Files that take the place of others.
@Suite struct LockedFileTests {
  private let folder = TemporaryFolder()
  /// Small enough that a test which must wait in vain does not last.
  private let patience = 0.02

  private func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: "\(folder.path)/\(name)").map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  private func status(_ name: String) throws -> stat {
    var status = stat()
    try #require(lstat("\(folder.path)/\(name)", &status) == 0)
    return status
  }

  private func fault(_ body: () throws -> Void) -> ReplacementFault? {
    do {
      try body()
      return nil
    } catch {
      return error as? ReplacementFault
    }
  }

  @Test func `old parts and new ones make the new file, which can be replaced again`() throws {
    let path = folder.write(Array("0123456789".utf8), to: "a")
    var file = try LockedFile(path)
    #expect(try file.read(atMost: 10) == Array("0123456789".utf8))
    #expect(fault { _ = try LockedFile(path, patience: patience).read(atMost: 9) } == .busy)
    try file.replace(by: [.kept(0..<4), .new(Array("new".utf8)), .kept(8..<10)], .photo)
    #expect(text("a") == "0123new89" && file.count == 9)
    // Whoever waits for the old file finds the new one, which is still locked.
    #expect(fault { _ = try LockedFile(path, patience: patience) } == .busy)
    try file.replace(by: [.kept(4..<7), .new(Array("er".utf8))], .photo)
    #expect(text("a") == "newer" && names == ["a"])
  }

  @Test func `a file that is too large is not read`() throws {
    let file = try LockedFile(folder.write([1, 2, 3], to: "a"))
    #expect(fault { _ = try file.read(atMost: 2) } == .large)
  }

  @Test func `a file that does not exist is created, by one session at a time`() throws {
    var file = try LockedFile(folder.path("a"))
    #expect(file.status == nil && file.count == 0)
    #expect(fault { _ = try LockedFile(folder.path("a"), patience: patience) } == .busy)
    try file.replace(by: Array("new".utf8), .text(mode: 0o640))
    #expect(text("a") == "new" && names == ["a"])
    #expect(try status("a").st_mode & 0o7777 == 0o640)
    try file.remove()
    #expect(names == [])
  }

  @Test(arguments: [false, true])
  func `what a program without locks has written meanwhile stays`(exists: Bool) throws {
    if exists { folder.write(Array("old".utf8), to: "a") }
    var file = try LockedFile(folder.path("a"))
    folder.write(Array("theirs".utf8), to: "a")
    #expect(fault { try file.replace(by: Array("ours".utf8), .text(mode: 0o600)) } == .changed)
    #expect(fault { try file.remove() } == .changed)
    #expect(text("a") == "theirs" && names == ["a"])
  }

  @Test func `a change that leaves size and time is noticed`() throws {
    let path = folder.write(Array("old".utf8), to: "a")
    var file = try LockedFile(path)
    let before = try status("a")
    folder.write(Array("new".utf8), to: "a")
    utimensat(AT_FDCWD, "\(folder.path)/a", [before.st_atim, before.st_mtim], 0)
    #expect(fault { try file.replace(by: Array("ours".utf8), .photo) } == .changed)
    #expect(text("a") == "new")
  }

  @Test func `a file that has become a link or a folder is left alone`() throws {
    let path = folder.write(Array("old".utf8), to: "a")
    for makeOther in [
      { (path: String) in symlink("b", path) }, { (path: String) in mkdir(path, 0o755) },
    ] {
      rename("\(folder.path)/b", "\(folder.path)/a")
      var file = try LockedFile(path)
      rename("\(folder.path)/a", "\(folder.path)/b")
      try #require(makeOther("\(folder.path)/a") == 0)
      #expect(fault { try file.replace(by: Array("ours".utf8), .photo) } == .changed)
      #expect(text("b") == "old" && names == ["a", "b"])
      unlink("\(folder.path)/a")
      rmdir("\(folder.path)/a")
    }
  }

  @Test func `folders, pipes and missing folders are refused`() {
    mkdir("\(folder.path)/folder", 0o755)
    mkfifo("\(folder.path)/pipe", 0o600)
    #expect(fault { _ = try LockedFile(folder.path("folder")) } == .irregular)
    #expect(fault { _ = try LockedFile(folder.path("pipe")) } == .irregular)
    #expect(fault { _ = try LockedFile(folder.path("none/a")) } == .system(ENOENT))
    symlink("loop", "\(folder.path)/loop")
    #expect(fault { _ = try LockedFile(folder.path("loop")) } == .system(ELOOP))
  }

  @Test func `the target of a link is written, also one that does not exist yet`() throws {
    mkdir("\(folder.path)/there", 0o755)
    symlink("there/a", "\(folder.path)/first")
    symlink("\(folder.path)/first", "\(folder.path)/second")
    for text in ["new", "newer"] {
      var file = try LockedFile(folder.path("second"))
      try file.replace(by: Array(text.utf8), .text(mode: 0o600))
      #expect(self.text("there/a") == text)
    }
    for name in ["first", "second"] { #expect(try status(name).st_mode & S_IFMT == S_IFLNK) }
  }

  @Test func `attributes, permissions and times stay`() throws {
    let path = folder.write(Array("old".utf8), to: "a", mode: 0o604)
    let name = "\(folder.path)/a"
    #expect(setxattr(name, "user.xdg.tags", "rome", 4, 0) == 0)
    let time = timespec(tv_sec: 1_000_000_000, tv_nsec: 123_456_789)
    utimensat(AT_FDCWD, name, [time, time], 0)
    var file = try LockedFile(path)
    try file.replace(by: Array("new".utf8), .photo)
    var value = [UInt8](repeating: 0, count: 10)
    #expect(getxattr(name, "user.xdg.tags", &value, 10) == 4)
    let after = try status("a")
    #expect(after.st_mode & 0o7777 == 0o604)
    #expect(after.st_mtim.tv_sec == time.tv_sec && after.st_mtim.tv_nsec == time.tv_nsec)
    // Other programs see by the time that a text has changed.
    try file.replace(by: Array("newer".utf8), .text(mode: 0o600))
    #expect(try status("a").st_mode & 0o7777 == 0o604)
    #expect(try status("a").st_mtim.tv_sec > time.tv_sec)
  }

  /// An access control list: the owner, one user, the group, the most of these, and others.
  private static func list(mask: UInt8) -> [UInt8] {
    func entry(_ tag: UInt8, _ permissions: UInt8, _ id: UInt32 = .max) -> [UInt8] {
      [tag, 0, permissions, 0] + (0..<4).map { UInt8(truncatingIfNeeded: id >> (8 * $0)) }
    }
    return [2, 0, 0, 0] + entry(1, 6) + entry(2, 4, 1234) + entry(4, 0) + entry(16, mask)
      + entry(32, 0)
  }

  @Test func `the access control list stays, and none is inherited`() throws {
    let path = folder.write(Array("old".utf8), to: "a", mode: 0o600)
    let (list, name) = (Self.list(mask: 4), "system.posix_acl_access")
    // Not every disk has such lists.
    guard setxattr("\(folder.path)/a", name, list, list.count, 0) == 0 else { return }
    #expect(try status("a").st_mode & 0o777 == 0o640, "the permissions that the list allows")
    var file = try LockedFile(path)
    try file.replace(by: Array("new".utf8), .photo)
    var found = [UInt8](repeating: 0, count: 100)
    let count = getxattr("\(folder.path)/a", name, &found, found.count)
    #expect(count == list.count && Array(found.prefix(list.count)) == list)
    #expect(try status("a").st_mode & 0o777 == 0o640)

    #expect(setxattr(folder.path, "system.posix_acl_default", list, list.count, 0) == 0)
    folder.write(Array("old".utf8), to: "b", mode: 0o640)
    removexattr("\(folder.path)/b", name)
    chmod("\(folder.path)/b", 0o640)
    var other = try LockedFile(folder.path("b"))
    try other.replace(by: Array("new".utf8), .photo)
    #expect(getxattr("\(folder.path)/b", name, nil, 0) < 0)
    #expect(try status("b").st_mode & 0o777 == 0o640)
  }

  @Test func `a file that is not as it should be does not take the place`() throws {
    var file = try LockedFile(folder.write(Array("old".utf8), to: "a"))
    #expect(
      fault { try file.replace(by: [.new(Array("new".utf8))], .photo) { _ in false } }
        == .unverified)
    #expect(text("a") == "old" && names == ["a"])
    // And neither does a part of one that has become shorter.
    truncate("\(folder.path)/a", 1)
    #expect(fault { try file.replace(by: [.kept(0..<3)], .photo) } == .changed)
    #expect(text("a") == "o" && names == ["a"])
  }

  @Test func `a file with several names is not separated from them`() throws {
    let path = folder.write(Array("old".utf8), to: "a")
    #expect(link("\(folder.path)/a", "\(folder.path)/b") == 0)
    for kind in [LockedFile.Kind.photo, .text(mode: 0o600)] {
      var file = try LockedFile(path)
      #expect(fault { try file.replace(by: [.new([1])], kind) } == .shared)
    }
    #expect(text("b") == "old" && names == ["a", "b"])
    #expect(try status("a").st_nlink == 2)
  }

  @Test func `many threads that add a line each lose none`() async throws {
    for name in ["new", "old"] {
      if name == "old" { folder.write([], to: name) }
      let path = folder.path(name)
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          group.addTask {
            for turn in 0..<25 {
              do {
                var file = try LockedFile(path, patience: 60)
                let bytes = try file.read(atMost: 1 << 20)
                let line = Array("\(number) \(turn)\n".utf8)
                try file.replace(by: bytes + line, .text(mode: 0o600))
              } catch {
                Issue.record(error)
              }
            }
          }
        }
      }
      let lines = Set((text(name) ?? "").split(separator: "\n"))
      #expect(lines.count == 200)
      #expect(!names.contains { $0.hasPrefix(".") })
    }
  }

  // MARK: - Temporary files

  @Test func `a named temporary file replaces and creates as one without a name`() throws {
    let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY)
    defer { close(descriptor) }
    let target = Array("a".utf8).terminated
    for (isFree, word) in [(true, "new"), (false, "newer")] {
      var file = try TemporaryFile(in: descriptor, isNamed: true)
      #expect(names.contains { $0.hasPrefix(".photogrid-new-") })
      write(file.descriptor, word, word.utf8.count)
      // It is not taken for a remain.
      TemporaryFile.removeRemains(in: Array(folder.path.utf8))
      try file.take(target, isFree: isFree)
      #expect(text("a") == word && names == ["a"])
      let wasFree = fault {
        var other = try TemporaryFile(in: descriptor, isNamed: true)
        try other.take(target, isFree: true)
      }
      #expect(wasFree == .changed && text("a") == word && names == ["a"])
    }
  }

  @Test func `what a killed process left is removed, and nothing else`() throws {
    let remain = ".photogrid-new-0123456789abcdef"
    let kept = [
      ".photogrid-0123456789abcdef", ".photogrid-new-0123456789abcdef.jpg",
      ".photogrid-new-0123456789abcdeg", ".photogrid-new-0123456789abcde", "a",
    ]
    for name in [remain] + kept { folder.write([1], to: name) }
    let user = open("\(folder.path)/\(remain)", O_RDONLY)
    #expect(flock(user, LOCK_EX) == 0)
    TemporaryFile.removeRemains(in: Array(folder.path.utf8))
    #expect(names == ([remain] + kept).sorted(), "a process still uses it")
    close(user)
    TemporaryFile.removeRemains(in: Array(folder.path.utf8))
    #expect(names == kept.sorted())
  }
}
