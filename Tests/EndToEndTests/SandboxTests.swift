import Glibc
import PhotoLibrary
import Testing

/// The sandbox for users: its report, and `--sandbox require`.
@Suite struct SandboxTests {
  @Test func `the doctor reports every layer of every process`() {
    let report = ProgramRun.of([PhotoGrid.path, "--no-config", "--doctor"])
    for process in ["decoding", "rating", "listing", "moving", "indexing"] {
      for layer in ["rights", "files", "sockets", "processes", "calls"] {
        #expect(report.outputText.contains("sandbox       \(process), \(layer): "), "\(report)")
      }
    }
  }

  @Test(arguments: ["files\toff\tthis Linux has no Landlock\n", ""])
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
    #expect(run.errorText.contains("--sandbox require: files: "), "\(run)")
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
