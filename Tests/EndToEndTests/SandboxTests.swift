import Glibc
import PhotoLibrary
import Testing

/// The sandbox for users: its report, and `--sandbox require`.
@Suite struct SandboxTests {
  private static let processes = [
    "decoding", "opening", "videos", "rating", "reading", "moving",
    "indexing",
  ]

  /// The program on a system without a layer.
  private func run(without layer: String, _ arguments: String...) -> ProgramRun {
    let tool = String(PhotoGrid.path.dropLast("photogrid".count)) + "without-call"
    return ProgramRun.of(
      [tool, layer, PhotoGrid.path, "--no-config"] + arguments, environment: PhotoGrid.environment)
  }

  @Test func `the doctor reports every layer of every process`() {
    let report = ProgramRun.of([PhotoGrid.path, "--no-config", "--doctor"])
    for process in Self.processes {
      for layer in ["rights", "files", "sockets", "processes", "calls"] {
        #expect(report.outputText.contains("sandbox       \(process), \(layer): "), "\(report)")
      }
    }
  }

  @Test(arguments: ["files\toff\tthis kernel does not support Landlock\n", ""])
  func `with --sandbox require nothing is decoded without a sandbox`(layers: String) throws {
    let folder = try PhotoFolder(count: 1)
    let programs = try PhotoFolder()
    let copy = ProgramRun.of(["cp", PhotoGrid.path, programs["photogrid"]])
    #expect(copy.status == 0, "\(copy)")
    let script = "#!/bin/sh\nprintf 'rights\\ton\\tnone\\n\(layers.escaped)'\n"
    try programs.add(Array(script.utf8), as: "photogrid-worker")
    chmod(programs["photogrid-worker"], 0o755)

    let run = ProgramRun.of([
      programs["photogrid"], "--no-config", "--sandbox", "require", "--print", folder.path,
    ])

    #expect(run.status == 1, "\(run)")
    let names = "files (decoding, opening, videos, rating): "
    #expect(run.errorText.contains("photogrid: --sandbox require: \(names)"), "\(run)")
  }

  @Test(arguments: [("landlock", "files"), ("seccomp", "calls")])
  func `a layer that the system lacks is reported for each process, and may be required`(
    call: String, layer: String
  ) throws {
    let folder = try PhotoFolder(count: 1)

    let report = run(without: call, "--doctor")
    let auto = run(without: call, "--print", folder.path)
    let required = run(without: call, "--sandbox", "require", "--print", folder.path)

    for process in Self.processes {
      #expect(report.outputText.contains("sandbox       \(process), \(layer): OFF: "), "\(report)")
    }
    #expect(auto.status == 0 && !auto.output.isEmpty && auto.errors.isEmpty, "\(auto)")
    #expect(required.status == 1 && required.output.isEmpty, "\(required)")
    let names = Self.processes.joined(separator: ", ")
    #expect(
      required.errorText.hasPrefix("photogrid: --sandbox require: \(layer) (\(names)): "),
      "\(required)")
  }

  @Test func `without a sandbox photos are shown, and the doctor says so`() throws {
    let folder = try PhotoFolder(count: 1)

    let printed = folder.run("--sandbox", "off", "--print", folder.path)
    let report = folder.run("--sandbox", "off", "--doctor")

    #expect(printed.status == 0 && !printed.output.isEmpty && printed.errors.isEmpty, "\(printed)")
    #expect(report.outputText.contains("sandbox       off because of --sandbox off"), "\(report)")
    #expect(!report.outputText.contains("sandbox       decoding"), "\(report)")
  }
}

extension String {
  /// As `printf` in a shell parses it.
  fileprivate var escaped: String {
    split(separator: "\t", omittingEmptySubsequences: false).joined(separator: "\\t")
      .split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\\n")
  }
}

/// A shell that leaves the program little of the system's resources.
@Suite struct ShellLimitTests {
  @Test(arguments: ["-n 32", "-v 307200"])
  func `with few descriptors and little memory photos are printed`(limit: String) throws {
    let folder = try PhotoFolder(count: 3)
    let run = ProgramRun.of(
      ["sh", "-c", "ulimit \(limit); exec \"$0\" --no-config --print \"$1\""]
        + [PhotoGrid.path, folder.path], environment: PhotoGrid.environment)

    #expect(run.status == 0 && !run.output.isEmpty && run.errors.isEmpty, "\(run)")
  }

  @Test(arguments: ["-s 256", "-n 12"])
  func `too small a stack limit gives an error message, not a crash`(limit: String) throws {
    let folder = try PhotoFolder(count: 1)
    let run = ProgramRun.of(
      ["sh", "-c", "ulimit \(limit); exec \"$0\" --no-config --print \"$1\""]
        + [PhotoGrid.path, folder.path], environment: PhotoGrid.environment)

    #expect((0...3).contains(run.status), "\(run)")
    if run.status != 0 { #expect(run.errorText.contains("ulimit -s"), "\(run)") }
  }
}
