import Foundation
import Glibc

/// Disks that fail on command, which only programs started by `running(_:)` see.
///
/// Needs `faulty-disk` beside the running program.
/// Each shows the files of a store, a folder that everyone sees: what a test finds there is on the disk.
package final class FaultyDisks {
  /// The folders with the disks' files.
  package let stores: [String]
  /// The folders on which programs see the disks.
  package let folders: [String]
  private let holder = Process()
  private let input = Pipe()
  private let socket: Int32

  /// Why a disk could not be set up.
  package struct Failure: Error, CustomStringConvertible { package let description: String }

  /// Whether this system allows such disks: they need `/dev/fuse`, and the right to mount.
  package static let areUsable: Bool = {
    let folder = "\(NSTemporaryDirectory())/photogrid-disk-\(getpid())"
    mkdir(folder, 0o700)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return (try? FaultyDisks(in: folder)) != nil
  }()

  /// Sets up disks in a folder: the stores are `store-NAME`, the disks `NAME`.
  package init(in folder: String, _ names: [String] = ["disk"]) throws {
    stores = names.map { "\(folder)/store-\($0)" }
    folders = names.map { "\(folder)/\($0)" }
    for path in stores + folders { mkdir(path, 0o755) }
    let path = "\(folder)/control"
    unlink(path)
    holder.executableURL = URL(fileURLWithPath: "/proc/self/exe")
      .resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("faulty-disk")
    holder.arguments = [path] + zip(stores, folders).flatMap { [$0, $1] } + ["--", "cat"]
    // Ends with this process, whatever becomes of it.
    holder.standardInput = input
    holder.standardOutput = FileHandle.nullDevice
    try holder.run()
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let end = Date().addingTimeInterval(30)
    while true {
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      if result == 0 { break }
      guard holder.isRunning, Date() < end else {
        close(socket)
        throw Failure(description: "no disk: \(String(cString: strerror(errno)))")
      }
      usleep(1000)
    }
  }

  deinit { end() }

  /// Unmounts the disks; every program on them should have ended.
  package func end() {
    guard holder.isRunning else { return }
    close(socket)
    kill(holder.processIdentifier, SIGKILL)
    holder.waitUntilExit()
  }

  /// Tells the disks what to do, as `faulty-disk` describes, and returns its answer.
  @discardableResult
  package func obey(_ command: String) -> Int {
    let bytes = Array(command.utf8)
    precondition(send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
    var answer = [UInt8](repeating: 0, count: 600)
    let count = recv(socket, &answer, answer.count, 0)
    let text = String(decoding: answer[..<max(count, 0)], as: UTF8.self)
    guard let number = Int(text) else { preconditionFailure("\(command): \(text)") }
    return number
  }

  /// The command line of a program that sees the disks.
  package func running(_ arguments: [String]) -> [String] {
    ["/usr/bin/nsenter", "--mount", "--target", "\(holder.processIdentifier)", "--"] + arguments
  }

  /// The numbers of all processes that see the disks, but not those that make them.
  package var processes: [pid_t] {
    func space(_ process: pid_t) -> String? {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/ns/mnt")
    }
    guard let own = space(holder.processIdentifier) else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter {
      $0 != holder.processIdentifier && space($0) == own
        && (try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8)) != "faulty-disk\n"
    }
  }
}
