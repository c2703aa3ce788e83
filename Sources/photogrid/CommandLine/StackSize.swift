import Glibc

/// How much stack the program has, which a limit of the shell's may make too small for it.
enum StackSize {
  /// What the program needs, in bytes.
  private static let needed: rlim_t = 1 << 20

  /// Raises the limit as far as the system allows.
  ///
  /// - Returns: What is wrong if that does not suffice.
  static func ensure() -> String? {
    var limits = rlimit()
    let stack = __rlimit_resource_t(RLIMIT_STACK.rawValue)
    guard getrlimit(stack, &limits) == 0, limits.rlim_cur < needed else { return nil }
    limits.rlim_cur = min(needed, limits.rlim_max)
    if limits.rlim_cur == needed, setrlimit(stack, &limits) == 0 { return nil }
    return "the stack is limited to \(limits.rlim_max >> 10) kB, and \(needed >> 10) are needed; "
      + "see ulimit -s"
  }
}
