import CTerminalRestore
import Glibc

/// Duplicates a descriptor to one above the three standard ones, closed in programs started later.
///
/// - Returns: The new descriptor; -1 if there is none left.
func duplicate(_ descriptor: Int32) -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }

/// Moves a descriptor that is one of the three standard ones above them; returns any other as it
/// is.
func movedAboveStandard(_ descriptor: Int32) -> Int32 {
  guard (0...2).contains(descriptor) else { return descriptor }
  defer { close(descriptor) }
  return duplicate(descriptor)
}

/// Creates an empty file in memory that no other process can open.
///
/// - Returns: Its descriptor; -1 if it could not be created.
func openMemoryFile(_ name: String) -> Int32 {
  movedAboveStandard(terminal_restore_memory_file(name))
}
