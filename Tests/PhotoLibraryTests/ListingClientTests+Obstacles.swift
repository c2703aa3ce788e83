import Geometry
import Glibc
import TestSupport
import Testing
import WorkerProtocol

/// Obstacles in folders: pipes and devices, circles of links, long paths, missing permissions.
extension ListingClientTests {
  @Test
  func `a named pipe or device has a tile if its name is that of an image, and is never opened`()
    throws
  {
    mkdir(cString(folder.path("folder.jpg")[...]), 0o755)
    mkfifo(cString(folder.path("pipe.jpg")[...]), 0o644)
    mkfifo(cString(folder.path("pipe")[...]), 0o644)
    symlink("pipe", "\(folder.path)/to-pipe")
    symlink("nowhere", "\(folder.path)/dangling.jpg")
    symlink("nowhere", "\(folder.path)/dangling")
    symlink("/dev/zero", "\(folder.path)/zero.jpg")
    symlink("/dev/zero", "\(folder.path)/zero")
    makeSocket("socket.jpg")

    let listing = try list(ListingRequest(roots: [root]))

    #expect(names(listing) == ["dangling.jpg", "pipe.jpg", "socket.jpg", "zero.jpg"])
    #expect(listing.summary?.skipped == 4)
  }

  @Test func `links that form a circle are followed once`() throws {
    folder.write(to: "a/1.jpg")
    symlink(".", "\(folder.path)/self")
    symlink("..", "\(folder.path)/a/up")
    symlink("a", "\(folder.path)/again.jpg")
    symlink("turn", "\(folder.path)/round")
    symlink("round", "\(folder.path)/turn")

    let listing = try list(ListingRequest(roots: [root], isRecursive: true))

    // A link with the name of an image counts without being read; others are read.
    #expect(names(listing) == ["again.jpg", "a/1.jpg"])
    #expect(listing.summary?.skipped == 2)
    #expect(listing.summary?.unreadableFolders == 0)
  }

  @Test func `folders deeper than the longest path are counted, not followed`() throws {
    var path = root
    let name = [UInt8](repeating: 0x64, count: 200)
    // Created step by step, since no call accepts the whole path.
    var here = open(cString(path[...]), O_RDONLY | O_DIRECTORY)
    for _ in 0..<25 {
      mkdirat(here, cString(name[...]), 0o755)
      let next = openat(here, cString(name[...]), O_RDONLY | O_DIRECTORY)
      close(here)
      here = next
      path += [0x2f] + name
    }
    close(here)
    defer { removeDeep(name) }

    let listing = try list(ListingRequest(roots: [root], isRecursive: true))

    #expect(listing.paths.isEmpty)
    #expect(listing.summary?.unreadableFolders == 1)
  }

  @Test func `folders without permission are counted`() throws {
    folder.write(to: "a/1.jpg")
    folder.write(to: "b/2.jpg")
    chmod("\(folder.path)/a", 0)
    defer { chmod("\(folder.path)/a", 0o755) }

    let listing = try list(
      ListingRequest(roots: [root, folder.path("a")], isRecursive: true),
      worker: .program().heldToPermissions)

    #expect(names(listing) == ["b/2.jpg"])
    #expect(listing.summary?.unreadableFolders == 1)
    #expect(listing.summary?.problems == [.init(path: folder.path("a"), reason: .noPermission)])
  }

  private func makeSocket(_ name: String) {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: folder.path(name).prefix($0.count - 1))
    }
    _ = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    close(descriptor)
  }

  /// Removes a chain of folders of one name from its end, through their descriptors.
  private func removeDeep(_ name: [UInt8]) {
    var chain = [open(cString(root[...]), O_RDONLY | O_DIRECTORY)]
    while let last = chain.last {
      let next = openat(last, cString(name[...]), O_RDONLY | O_DIRECTORY)
      guard next >= 0 else { break }
      chain.append(next)
    }
    while let last = chain.popLast() {
      if let parent = chain.last { unlinkat(parent, cString(name[...]), AT_REMOVEDIR) }
      close(last)
    }
  }
}
