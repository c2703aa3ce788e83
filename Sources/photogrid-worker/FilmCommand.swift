import CLinux
import Glibc
import ImageFormats
import Photos
import WorkerProtocol
import WorkerRuntime

/// A running `ffmpeg`, whose output is read, and which ends with the last reference.
final class FilmCommand {
  private let process: TiedProcess
  private let output: Int32
  private let processorSeconds: Int
  private var hasEnded = false
  /// The most time for a command, in seconds; it is started again if the film goes on.
  static let maxTime = 3600.0
  /// The size of the pipe, in bytes: the command writes the next frame while the program shows this one.
  private static let pipeByteCount: Int32 = 1 << 20
  /// `F_SETPIPE_SZ`.
  private static let setPipeSize: Int32 = 1031
  /// Whether the command has closed its output, as it does when it ends.
  private var hasClosedOutput = false

  /// How long a killed command is waited for, in seconds; only a dead disk holds it for longer, or other
  /// programs if it was already ending.
  private var maxWait: Double { hasClosedOutput ? 5 : 0.5 }

  /// Starts a command that reads an open file.
  ///
  /// - Parameters:
  ///   - path: The path of the command.
  ///   - arguments: The arguments, of which the first is the name.
  ///   - file: The descriptor of the file, which becomes the standard input.
  ///   - processorSeconds: The most processor time that it may take, in seconds.
  /// - Throws: `unreadable` with the `errno` if the system has no descriptor or process left.
  init(
    _ path: String, _ arguments: [String], reading file: Int32,
    processorSeconds: Int = Int(maxTime)
  ) throws(FailureReason) {
    self.processorSeconds = processorSeconds
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .unreadable(errno) }
    _ = fcntl(ends[1], Self.setPipeSize, Self.pipeByteCount)
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    // Memory is allocated before the process is forked.
    let words = arguments.map { strdup($0) } + [nil]
    let surroundings = [strdup("LC_ALL=C"), nil]
    defer {
      for word in words + surroundings { free(word) }
      for end in [ends[1], nothing] where end >= 0 { close(end) }
    }
    let writing = ends[1]
    let started = TiedProcess {
      setpgid(0, 0)
      // What it has to say is not asked for: it cannot write to the third one.
      guard dup2(file, 0) == 0, dup2(writing, 1) == 1, dup2(nothing, 2) == 2 else { _exit(126) }
      _ = process_close_descriptors()
      alarm(UInt32(Self.maxTime))
      signal(SIGPIPE, SIG_DFL)
      ProcessLimits.limitCommand(seconds: processorSeconds)
      if process_is_filtered() == 1 { Confinement.confineCommand() }
      execve(path, words, surroundings)
      _exit(127)
    }
    guard let started else {
      let failure = errno
      close(ends[0])
      throw .unreadable(failure)
    }
    (process, output) = (started, ends[0])
  }

  deinit { end() }

  /// Kills the command, whatever it is doing.
  ///
  /// - Returns: Whether it had ended already because its processor time was used up.
  @discardableResult
  func end() -> Bool {
    guard !hasEnded else { return false }
    hasEnded = true
    close(output)
    // Where it is not confined, it can start others, and is killed with them.
    kill(-process.number, SIGKILL)
    process.kill()
    var status: Int32 = 0
    var usage = rusage()
    let deadline = monotonic_nanoseconds() + Int64(maxWait * 1e9)
    var ended: pid_t = 0
    while ended == 0 || ended < 0 && errno == EINTR {
      ended = wait4(process.number, &status, WNOHANG, &usage)
      // If a dead disk holds it, the starter reaps it in the end.
      guard ended == 0, monotonic_nanoseconds() < deadline else { break }
      usleep(200)
    }
    guard ended == process.number else { return false }
    let time = [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
    }
    // The kernel's limit counts in ticks, these times do not.
    return status & 0x7F == SIGKILL && time > 0.9 * Double(processorSeconds)
  }

  /// Reads the next bytes of the output, until a time on the monotonic clock in nanoseconds; nil if
  /// there are not as many.
  func read(_ count: Int, by deadline: Int64) throws(FailureReason) -> [UInt8]? {
    // The system fills new memory page by page as it is written: the first write is the reading.
    var failure: FailureReason?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let left = (deadline - monotonic_nanoseconds()) / 1_000_000
        guard left > 0 else {
          failure = .unreadable(ETIMEDOUT)
          return
        }
        var polled = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, 1, Int32(left)) > 0 else { continue }
        let got = Glibc.read(output, buffer.baseAddress?.advanced(by: filled), count - filled)
        if got < 0, errno == EINTR { continue }
        guard got > 0 else {
          hasClosedOutput = true
          return
        }
        filled += got
      }
    }
    if let failure { throw failure }
    return bytes.count == count ? bytes : nil
  }
}

extension FilmFacts {
  /// The filters of `ffmpeg` that scale the pictures of the film to a size, by one of its ways of scaling,
  /// and convert them to RGBA.
  ///
  /// The command turns the pictures upright before. With a high dynamic range they are scaled in linear
  /// light, in which 203 cd/m² are white (ITU-R BT.2408), and what is brighter is compressed.
  func filters(_ size: (width: Int, height: Int), scaling: String) -> String {
    guard let transfer else {
      return "scale=\(size.width):\(size.height):flags=\(scaling),format=rgba"
    }
    let name =
      switch transfer {
      case .perceptual: "smpte2084"
      case .hybrid: "arib-std-b67"
      }
    let input = "tin=\(name):pin=bt2020:min=bt2020nc"
    return "zscale=w=\(size.width):h=\(size.height):\(input):t=linear:npl=203,format=gbrpf32le,"
      + "zscale=p=bt709,tonemap=mobius:desat=0,zscale=t=bt709:m=bt709:r=tv,format=rgba"
  }
}
