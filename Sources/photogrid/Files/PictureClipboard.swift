import CLinux
import Geometry
import Glibc
import TerminalIO

/// Puts pictures on the clipboard: through the terminal where it can take them, which works from
/// another machine too, or else by `wl-copy` or `xclip`.
///
/// No call blocks. A terminal that does not answer is given up for the other program, and a program
/// that hangs is killed.
struct PictureClipboard {
  /// A picture's file, with what the user is told about it.
  struct Picture {
    var file: [UInt8]
    /// The photo's name, printable.
    var name: String

    var type: String { file.starts(with: [0xFF, 0xD8]) ? "image/jpeg" : "image/png" }

    fileprivate var success: String {
      let format = type == "image/jpeg" ? "JPEG" : "PNG"
      return "Picture copied: \(name) (\(format), \(ByteCount.text(file.count)))"
    }
  }

  private enum State {
    case idle
    /// The bytes from this index on are still to be sent.
    case sending(Picture, from: Int)
    /// The terminal has everything, and must answer by this time.
    case waiting(Picture, until: Instant)
    /// A program has the picture.
    case program(Program, Picture, until: Instant)
  }

  private struct Program {
    var process: pid_t
    /// A descriptor that becomes readable when the process ends; -1 if the system has none.
    var descriptor: Int32
  }

  private var state = State.idle
  private let environment: TerminalEnvironment
  private var messages: [String] = []

  /// The time for which the terminal or a program may take to answer, in seconds.
  private static let patience = 5.0
  /// The time between two parts of what is sent to the terminal, in seconds.
  private static let pause = 0.005
  /// The most bytes that are handed to the terminal at once, so that frames and keys come between.
  private static let portion = 16 * ClipboardPacket.maxPieceLength

  /// Creates a clipboard that has no picture yet.
  init(_ environment: TerminalEnvironment) { self.environment = environment }

  /// Copies a picture, in place of one that is being copied; `usesTerminal` is whether the terminal
  /// takes pictures.
  mutating func copy(_ picture: Picture, usesTerminal: Bool, at now: Instant) {
    stop()
    if usesTerminal {
      state = .sending(picture, from: 0)
    } else {
      start(picture, at: now)
    }
  }

  mutating func packets(at now: Instant) -> [ClipboardPacket] {
    guard case .sending(let picture, let start) = state else { return [] }
    var packets: [ClipboardPacket] = start == 0 ? [.start] : []
    let end = min(start + Self.portion, picture.file.count)
    for first in stride(from: start, to: end, by: ClipboardPacket.maxPieceLength) {
      let piece = picture.file[first..<min(first + ClipboardPacket.maxPieceLength, end)]
      packets.append(.data(piece, type: picture.type))
    }
    guard end == picture.file.count else {
      state = .sending(picture, from: end)
      return packets
    }
    state = .waiting(picture, until: now.advanced(bySeconds: Self.patience))
    return packets + [.end]
  }

  /// Handles what the terminal says about the transfer.
  mutating func receive(status: String, at now: Instant) {
    let picture: Picture
    switch state {
    case .sending(let sent, _), .waiting(let sent, _): picture = sent
    case .idle, .program: return
    }
    guard status == "DONE" else { return start(picture, at: now) }
    state = .idle
    messages.append(picture.success)
  }

  // MARK: - Programs

  /// Returns the command that copies standard input; it ends with 127 if no program for that is
  /// installed.
  private var command: String? {
    var lines: [String] = []
    if !environment["WAYLAND_DISPLAY"].isEmpty {
      lines.append("command -v wl-copy >/dev/null && exec wl-copy --type \"$1\"")
    }
    if !environment["DISPLAY"].isEmpty {
      lines.append(
        "command -v xclip >/dev/null && exec xclip -selection clipboard -t \"$1\" -i")
    }
    return lines.isEmpty ? nil : (lines + ["exit 127"]).joined(separator: "; ")
  }

  private mutating func start(_ picture: Picture, at now: Instant) {
    state = .idle
    guard let command else {
      messages.append(
        "Cannot copy pictures: neither the terminal nor a desktop clipboard accepts them")
      return
    }
    let input = Self.file(with: picture.file)
    guard input >= 0 else {
      messages.append("Cannot copy the picture: \(String(cString: strerror(errno)))")
      return
    }
    defer { close(input) }
    let type = Array(picture.type.utf8)
    let start = ShellProcess.start(command, [type], hasOwnSession: true) { files in
      posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO)
      posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
      posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO)
    }
    switch start {
    case .success(let process):
      state = .program(
        Program(process: process, descriptor: process_descriptor(process)), picture,
        until: now.advanced(bySeconds: Self.patience))
    case .failure(let fault):
      messages.append("Cannot copy the picture: \(String(cString: strerror(fault.code)))")
    }
  }

  /// Returns a file in memory with the given bytes, to be read from its start; -1 without memory.
  private static func file(with bytes: [UInt8]) -> Int32 {
    let file = file_in_memory("photogrid-copy")
    guard file >= 0 else { return -1 }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        write(file, bytes.baseAddress?.advanced(by: written), bytes.count - written)
      }
      guard count > 0 else {
        close(file)
        return -1
      }
      written += count
    }
    lseek(file, 0, SEEK_SET)
    return file
  }

  /// Removes the program if it has ended, or has taken too long.
  private mutating func checkProgram(at now: Instant) {
    guard case .program(let program, let picture, let deadline) = state else { return }
    var status: Int32 = 0
    let ended = waitpid(program.process, &status, WNOHANG)
    if ended == 0, now < deadline { return }
    if ended == 0 {
      stop()
      messages.append("The clipboard is not responding; the picture was not copied")
      return
    }
    if program.descriptor >= 0 { close(program.descriptor) }
    state = .idle
    switch status {
    case 0: messages.append(picture.success)
    case 127 << 8:
      messages.append("Install wl-copy (Wayland) or xclip (X11) to copy pictures")
    default: messages.append("The picture was not copied: the clipboard program failed")
    }
  }

  /// Gives up what is under way; a program is killed with all that it has started.
  private mutating func stop() {
    if case .program(let program, _, _) = state {
      kill(-program.process, SIGKILL)
      kill(program.process, SIGKILL)
      waitpid(program.process, nil, 0)
      if program.descriptor >= 0 { close(program.descriptor) }
    }
    state = .idle
  }
}

extension PictureClipboard: PolledService {
  var pollRequests: [pollfd] {
    guard case .program(let program, _, _) = state, program.descriptor >= 0 else { return [] }
    return [pollfd(reading: program.descriptor)]
  }

  func nextDeadline(after now: Instant) -> Instant? {
    guard messages.isEmpty else { return now }
    return switch state {
    case .idle: nil
    case .sending: now.advanced(bySeconds: Self.pause)
    case .waiting(_, let end): end
    case .program(let program, _, let end):
      program.descriptor >= 0 ? end : min(end, now.advanced(bySeconds: 0.1))
    }
  }

  mutating func service(at now: Instant) -> [String] {
    checkProgram(at: now)
    if case .waiting(let picture, let end) = state, end <= now { start(picture, at: now) }
    defer { messages = [] }
    return messages
  }

  /// Kills a program that has not taken the picture yet.
  mutating func shutDown() { stop() }
}
