import CTerminalRestore
import Glibc

/// A copy of a descriptor that is not one of the three standard ones, even if those are closed, and
/// that other programs do not inherit; -1 if there is none.
func duplicate(_ descriptor: Int32) -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }

/// The descriptor, or where it is one of the three standard ones, a copy in its stead.
func raised(_ descriptor: Int32) -> Int32 {
  guard (0...2).contains(descriptor) else { return descriptor }
  defer { close(descriptor) }
  return duplicate(descriptor)
}

/// An empty file in memory that nobody else can open, or -1.
func openMemoryFile(_ name: String) -> Int32 {
  raised(terminal_restore_memory_file(name))
}
