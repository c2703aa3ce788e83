import Glibc

/// The limit of the stack's size, which the shell may have set below what the program needs.
enum StackSize {
  /// The stack that the program needs, in bytes.
  private static let needed: rlim_t = 1 << 20

  /// Raises the limit as far as the system allows.
  ///
  /// - Returns: A message for the user if the limit is still too low; nil otherwise.
  static func ensure() -> String? {
    var limits = rlimit()
    let stack = __rlimit_resource_t(RLIMIT_STACK.rawValue)
    guard getrlimit(stack, &limits) == 0, limits.rlim_cur < needed else { return nil }
    limits.rlim_cur = min(needed, limits.rlim_max)
    if limits.rlim_cur == needed, setrlimit(stack, &limits) == 0 { return nil }
    return "the stack is limited to \(limits.rlim_max >> 10) kB, but \(needed >> 10) are needed; "
      + "see ulimit -s"
  }
}
