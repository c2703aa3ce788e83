import CLinux
import Glibc

/// Tries a system call whose arguments the kernel rejects if the filter lets the call pass.
///
/// The filter's error is EPERM; with any other error the call has passed.
func attempt(_ name: String, call number: Int32, _ first: Int = -1, _ second: Int = 0) {
  let result = kernel_call(Int(number), first, second, 0)
  attempt(name, result < 0 && errno != EPERM ? 0 : result)
}

/// Tries to change what Landlock does not cover of a file: by its name, and after opening it.
func attemptMetadata(of path: String) {
  let attribute = "user.photogrid"
  let (user, group) = (getuid(), getgid())
  let time = timespec(tv_sec: 1, tv_nsec: 0)
  attempt("chmod", Int(chmod(path, 0o600)))
  attempt("fchmodat", Int(fchmodat(AT_FDCWD, path, 0o600, 0)))
  attempt("chown", Int(chown(path, user, group)))
  attempt("lchown", Int(lchown(path, user, group)))
  attempt("fchownat", Int(fchownat(AT_FDCWD, path, user, group, 0)))
  attempt("utimensat", Int(utimensat(AT_FDCWD, path, [time, time], 0)))
  attempt("setxattr", Int(setxattr(path, attribute, "1", 1, 0)))
  attempt("removexattr", Int(removexattr(path, attribute)))
  attempt("lsetxattr", Int(lsetxattr(path, attribute, "1", 1, 0)))
  attempt("lremovexattr", Int(lremovexattr(path, attribute)))
  #if arch(x86_64)
    attempt("utime", call: Int32(SYS_utime))
    attempt("utimes", call: Int32(SYS_utimes))
    attempt("futimesat", call: Int32(SYS_futimesat))
  #endif
  // fchmodat2, setxattrat, removexattrat and file_setattr, which older systems lack.
  for number: Int32 in [452, 463, 466, 469] { attempt("call \(number)", call: number) }
  attempt("empty while opening", Int(open(path, O_RDONLY | O_TRUNC)))
  let file = open(path, O_RDONLY)
  attempt("fchmod", Int(fchmod(file, 0o600)))
  attempt("fchown", Int(fchown(file, user, group)))
  attempt("futimens", Int(futimens(file, [time, time])))
  attempt("fsetxattr", Int(fsetxattr(file, attribute, "1", 1, 0)))
  attempt("fremovexattr", Int(fremovexattr(file, attribute)))
}

/// Tries to send a signal to a process by all means but `kill`.
func attemptSignals(to process: pid_t) {
  attempt("tkill", kernel_call(Int(SYS_tkill), Int(process), 0, 0))
  attempt("tgkill", kernel_call(Int(SYS_tgkill), Int(process), Int(process), 0))
  attempt("rt_sigqueueinfo", call: Int32(SYS_rt_sigqueueinfo), Int(process))
  attempt("rt_tgsigqueueinfo", call: Int32(SYS_rt_tgsigqueueinfo), Int(process), Int(process))
  attempt("pidfd_send_signal", call: Int32(SYS_pidfd_send_signal))
  // The kernel sends the owner of a pipe a signal when there is something to read.
  var ends: [Int32] = [-1, -1]
  pipe(&ends)
  attempt("signal by a pipe", Int(fcntl(ends[0], F_SETOWN, process)))
}

func attemptProgram() {
  let process = process_fork()
  if process == 0 {
    execve("/bin/true", [strdup("true"), nil], [nil])
    _exit(errno & 0xff)
  }
  var status: Int32 = 0
  if process > 0 { waitpid(process, &status, 0) }
  errno = process < 0 ? errno : status >> 8
  attempt("start a program", process > 0 && status == 0 ? 0 : -1)
}

/// Tries to have memory that is writable and executable, at once or one after the other.
func attemptExecutableMemory(_ file: Int32) {
  let all = PROT_READ | PROT_WRITE | PROT_EXEC
  let memory = mmap(nil, 4096, all, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
  attempt("map executable memory", memory == MAP_FAILED ? -1 : 0)
  let data = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
  attempt("make memory executable", Int(mprotect(data, 4096, PROT_READ | PROT_EXEC)))
  let mapped = mmap(nil, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE, file, 0)
  attempt("map a writable file as executable", mapped == MAP_FAILED ? -1 : 0)
}

/// Prints the outcome of an attempt: "done", or `errno` if the result is below 0.
func attempt(_ name: String, _ result: Int) {
  let failure = errno
  print("try", name, result < 0 ? "\(failure)" : "done")
}

/// Tries to raise each resource limit that is set.
func raiseLimits() {
  let limits: [(name: String, resource: __rlimit_resource_t)] = [
    ("memory", __rlimit_resource_t(RLIMIT_AS.rawValue)),
    ("processor time", __rlimit_resource_t(RLIMIT_CPU.rawValue)),
    ("core", __rlimit_resource_t(RLIMIT_CORE.rawValue)),
    ("file size", __rlimit_resource_t(RLIMIT_FSIZE.rawValue)),
    ("descriptors", __rlimit_resource_t(RLIMIT_NOFILE.rawValue)),
    ("threads", __rlimit_resource_t(__RLIMIT_NPROC.rawValue)),
  ]
  for (name, resource) in limits {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_max != rlim_t.max else { continue }
    limit.rlim_max += 1
    limit.rlim_cur = limit.rlim_max
    attempt("raise \(name)", Int(setrlimit(resource, &limit)))
  }
}

private func pausingThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  while true { pause() }
}

/// Tries to have a thousand threads at a time.
func startThousandThreads() {
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  // A thousand larger ones would be too much memory.
  pthread_attr_setstacksize(&attributes, 64 << 10)
  for _ in 0..<1000 {
    var thread = pthread_t()
    errno = pthread_create(&thread, &attributes, pausingThread, nil)
    if errno != 0 { return attempt("a thousand threads", -1) }
  }
  attempt("a thousand threads", 0)
}

/// Exits, and leaves a process behind that would print that it has outlived this one.
func leaveProcessBehind() -> Never {
  let parent = getpid()
  if process_fork() == 0 {
    while getppid() == parent { usleep(1000) }
    attempt("outlive the worker", 0)
    fflush(nil)
  }
  _exit(0)
}
