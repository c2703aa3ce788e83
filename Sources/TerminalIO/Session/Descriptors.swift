import CTerminalRestore
import Glibc

/// Duplicates a descriptor to a number above the three standard ones, with close-on-exec set.
///
/// - Returns: The new descriptor; -1 if there is none left.
func duplicate(_ descriptor: Int32) -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }

/// Moves a descriptor above the three standard ones, if it is one of them.
///
/// `open` returns such a number if the program was started with a standard descriptor closed.
///
/// - Returns: The new descriptor, or the same one if it was not moved; -1 if there is none left.
func movedAboveStandard(_ descriptor: Int32) -> Int32 {
  guard (0...2).contains(descriptor) else { return descriptor }
  defer { close(descriptor) }
  return duplicate(descriptor)
}

/// Creates an empty file in memory, which has no path (`memfd_create`).
///
/// - Returns: Its descriptor; -1 if it could not be created.
func openMemoryFile(_ name: String) -> Int32 {
  movedAboveStandard(terminal_restore_memory_file(name))
}
