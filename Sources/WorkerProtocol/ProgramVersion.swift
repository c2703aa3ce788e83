/// Which program and which wire format these sources are.
package enum ProgramVersion {
  /// The version that `--version` prints; both executables of one build have the same.
  package static let current = "0.1.0"

  /// The number of the wire format, raised with every change of a message's bytes.
  package static let wireFormat: UInt16 = 6
}
