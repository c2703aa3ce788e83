/// The versions of the program and of its wire format.
package enum ProgramVersion {
  /// The version that `--version` prints; both executables of a build have the same.
  package static let current = "0.1.0"

  /// The number of the wire format; every change to the bytes of a message increments it.
  package static let wireFormat: UInt16 = 9
}
