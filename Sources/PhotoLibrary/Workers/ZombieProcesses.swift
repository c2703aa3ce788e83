import Glibc

/// Killed processes that the kernel has not released yet.
struct ZombieProcesses {
  private var processes: [pid_t] = []

  /// Whether all killed processes have been reaped.
  var isEmpty: Bool { processes.isEmpty }

  /// The number of processes that have not ended yet, for example in a read from a dead disk.
  var count: Int { processes.count }

  /// Adds a process that was just killed.
  mutating func add(_ process: pid_t) {
    processes.append(process)
    reap()
  }

  /// Reaps the processes that are dead, without waiting for the others.
  mutating func reap() {
    processes.removeAll { waitpid($0, nil, WNOHANG) != 0 }
  }
}
