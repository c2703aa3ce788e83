import FileWorker
import Foundation
import Geometry
import Testing

/// Trashes of separate disks, shared ones and those of one user.
extension TrashTests {
  @Test func `a separate disk gets a trash of the user, with relative paths`() throws {
    let disk = try Disk()
    let file = try disk.diskTrash().add(disk.write("x", to: disk.path("x.jpg")))
    let trash = "\(disk.top)/.Trash-\(getuid())"
    #expect(file.trash == Array(trash.utf8))
    #expect(disk.mode(trash) == 0o700)
    let note = disk.read(Array("\(trash)/info/x.jpg.trashinfo".utf8)) ?? ""
    #expect(note.contains("\nPath=photos/x.jpg\n"))
  }

  @Test func `the shared trash of a disk is used if its sticky bit is set`() throws {
    let disk = try Disk()
    let shared = "\(disk.top)/.Trash"
    mkdir(shared, 0o755)
    chmod(shared, 0o1777)
    let file = try disk.diskTrash().add(disk.write("x", to: disk.path("x.jpg")))
    #expect(file.trash == Array("\(shared)/\(getuid())".utf8))

    chmod(shared, 0o777)
    let unsafe = try disk.diskTrash().add(disk.write("y", to: disk.path("y.jpg")))
    #expect(unsafe.trash == Array("\(disk.top)/.Trash-\(getuid())".utf8), "not sticky")
  }

  @Test func `a trash that is a link or belongs to another user is not used`() throws {
    let disk = try Disk()
    let elsewhere = "\(disk.top)/elsewhere"
    mkdir(elsewhere, 0o700)
    chmod(elsewhere, 0o1777)
    symlink(elsewhere, "\(disk.top)/.Trash")
    let path = disk.write("x", to: disk.path("x.jpg"))
    let own = "\(disk.top)/.Trash-\(getuid())"
    symlink(elsewhere, own)

    let fault = FileFault.noTrash(folder: Array(own.utf8), .system(ELOOP))
    #expect(throws: fault) { try disk.diskTrash().add(path) }
    #expect(fault.message == "the trash is a symbolic link (\(own))")
    unlink(own)
    mkdir(own, 0o700)
    symlink(elsewhere, "\(own)/files")
    #expect(throws: FileFault.self) { try disk.diskTrash().add(path) }
    unlink("\(own)/files")

    let other = "\(disk.top)/.Trash-\(getuid() + 1)"
    mkdir(other, 0o777)
    #expect(throws: FileFault.noTrash(folder: Array(other.utf8), .notOwn)) {
      try disk.diskTrash(user: getuid() + 1).add(path)
    }
    #expect(disk.read(path) == "x" && disk.names(elsewhere) == [])
  }

  @Test func `a trash that is a file is not used, and a home trash that is a link is used`() throws
  {
    let disk = try Disk()
    let path = disk.write("x", to: disk.path("x.jpg"))
    disk.write("", to: Array("\(disk.top)/.Trash-\(getuid())".utf8))
    #expect(throws: FileFault.self) { try disk.diskTrash().add(path) }
    #expect(disk.read(path) == "x")

    mkdir("\(disk.top)/home", 0o700)
    mkdir("\(disk.top)/real", 0o700)
    symlink("\(disk.top)/real", disk.home)
    _ = try disk.homeTrash.add(path)
    #expect(disk.names("\(disk.top)/real/files") == ["x.jpg"], "one's own home is trusted")
  }
}
