import CLinux
import Glibc
import WorkerProtocol
import WorkerRuntime

// usage: confinement-check KIND FOLDER [CALL|threads|child]
//
// KIND is decodes, films, opens, lists, reads ratings ("views"), rates, indexes or moves; "none" confines
// nothing, to show that each attempt succeeds then.
//
// Confines itself as a process of that kind does and prints the layers. Then it tries everything
// that such a process must not do, and prints each outcome: "done", or the errno of the refusal. A
// process that writes can write below FOLDER.
//
// With CALL, it only makes that system call, which must kill the process; with "threads", it starts
// a thousand threads; with "child", it leaves a process behind.

let arguments = CommandLine.arguments.dropFirst()
guard let role = arguments.first, let folder = arguments.dropFirst().first else { exit(2) }
// The process that this one is split off from, as a decoder is.
var parent = getppid()

var confinement = Confinement()
// As a decoder has the film that it is handed.
let film = open(folder + "-outside/film", O_RDONLY)
let purpose: Confinement.Purpose?
switch role {
case "decodes", "films":
  purpose = role == "films" ? .filming(film) : .decoding
  confinement.isolate(processes: true)
  parent = getpid()
  let process = process_fork()
  guard process == 0 else {
    var status: Int32 = 0
    waitpid(process, &status, 0)
    if status & 0x7f != 0 { raise(status & 0x7f) }
    _exit(status >> 8 & 0xff)
  }
  confinement.limitDecoder()
  if arguments.last == "child" {
    printLayers(of: confinement)
    leaveProcessBehind()
  }
case "opens":
  purpose = .opening(writesBelow: Array(folder.utf8))
  confinement.limitOpener()
case "lists":
  purpose = .library(recordsIn: nil)
  confinement.limitResources()
case "rates":
  purpose = .annotating(in: [Array(folder.utf8)])
  confinement.limitAnnotator()
case "views":
  purpose = .annotating(in: [])
  confinement.limitAnnotator()
case "none": purpose = nil
case "indexes": purpose = .library(recordsIn: Array(folder.utf8))
default: purpose = .moving(between: [Array(folder.utf8)])
}
if let purpose { confinement.finish(purpose) }
printLayers(of: confinement)

if arguments.last == "threads" {
  startThousandThreads()
  fflush(nil)
  _exit(0)
}
if let call = arguments.dropFirst(2).first {
  let calls: [String: Int] = [
    "keyctl": Int(SYS_keyctl), "reboot": Int(SYS_reboot), "init_module": Int(SYS_init_module),
    "perf_event_open": Int(SYS_perf_event_open),
  ]
  guard let number = calls[call] else { exit(2) }
  _ = kernel_call(number, 0, 0, 0)
  exit(0)
}

func printLayers(of confinement: Confinement) {
  for layer in confinement.layers { print("layer", layer.name.rawValue, layer.isOn ? "on" : "off") }
  fflush(nil)
}

/// The body of a thread that ends immediately; a closure in this file would belong to the main
/// actor.
nonisolated func idleThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  nil
}

/// Tries all that a confined process must not do, prints each outcome, and exits.
@MainActor func tryEverything() -> Never {
  let here = folder + "/inside"
  let outside = folder + "-outside"
  attempt("read", Int(open("/etc/passwd", O_RDONLY)))
  attempt("read a library's settings", Int(open("/etc/ld.so.cache", O_RDONLY)))
  attempt("read the settings of fonts", Int(open("/etc/fonts", O_RDONLY | O_DIRECTORY)))
  attempt("list", Int(open("/home", O_RDONLY | O_DIRECTORY)))
  attempt("read by another root", Int(open("/proc/\(parent)/root/etc/passwd", O_RDONLY)))
  attempt("read by a parent folder", Int(open("../../../../etc/passwd", O_RDONLY)))
  attempt("read outside", Int(open(outside + "/file", O_RDONLY)))
  attempt("read the film", Int(open("/proc/self/fd/\(film)", O_RDONLY)))
  attempt("create", Int(open(outside + "/new", O_WRONLY | O_CREAT, 0o600)))
  attempt("overwrite", Int(open(outside + "/file", O_WRONLY | O_TRUNC)))
  attempt("append", Int(open(outside + "/file", O_RDWR | O_APPEND)))
  attempt("truncate", Int(truncate(outside + "/file", 0)))
  attempt("unlink", Int(unlink(outside + "/unlinked")))
  attempt("rename", Int(rename(outside + "/renamed", outside + "/other")))
  attempt("link", Int(link(outside + "/file", outside + "/link")))
  attempt("symlink", Int(symlink("/etc/passwd", outside + "/symlink")))
  attempt("mkdir", Int(mkdir(outside + "/folder", 0o700)))
  attempt("mkfifo", Int(mkfifo(outside + "/pipe", 0o600)))
  attempt("create inside", Int(open(here, O_WRONLY | O_CREAT | O_EXCL, 0o600)))
  attempt("rename inside", Int(rename(here, here + "-renamed")))
  attempt("move out", Int(rename(here + "-renamed", outside + "/moved")))
  attempt("unlink inside", Int(unlink(here + "-renamed")))
  attemptMetadata(of: outside + "/metadata")
  attempt("socket", Int(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)))
  attempt("unix socket", Int(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)))
  attempt("connect", call: Int32(SYS_connect))
  attempt("bind", call: Int32(SYS_bind))
  // PTRACE_ATTACH to no process: a process that it reached would be stopped.
  attempt("ptrace", call: Int32(SYS_ptrace), 16, -1)
  attempt("process_vm_readv", call: Int32(SYS_process_vm_readv), Int(parent))
  attempt("process_vm_writev", call: Int32(SYS_process_vm_writev), Int(parent))
  attempt("execve", call: Int32(SYS_execve), 0)
  attemptProgram()
  attempt("kill parent", Int(kill(parent, 0)))
  attempt("kill all", Int(kill(-1, 0)))
  attemptSignals(to: parent)
  attemptExecutableMemory(film)
  attempt("bpf", call: Int32(SYS_bpf))
  attempt("mount", call: Int32(SYS_mount), 0)
  let child = kernel_call(Int(SYS_clone), Int(SIGCHLD), 0, 0)
  if child == 0 { _exit(0) }
  attempt("fork", child)
  attempt("prlimit of parent", call: Int32(SYS_prlimit64), Int(parent))
  attempt("memory of parent", Int(open("/proc/\(parent)/mem", O_RDONLY)))
  // After the others, since a process in a new namespace reaches nothing outside of it.
  attempt("unshare", call: Int32(SYS_unshare), 0x1000_0000)
  var thread = pthread_t()
  raiseLimits()
  attempt("thread", pthread_create(&thread, nil, idleThread, nil) == 0 ? 0 : -1)
  fflush(nil)
  _exit(0)
}

tryEverything()
