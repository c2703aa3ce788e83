import CLinux
import Glibc

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
