/// One of the independent things that keep a process from doing harm, and whether this system has it.
package struct ConfinementLayer: Equatable, Sendable {
  /// Which layer it is.
  package enum Name: String, CaseIterable, Sendable {
    case rights, memory, network, capabilities, files, sockets, processes, calls
  }

  package let name: Name
  package let isOn: Bool
  /// What it keeps the process from, or why it is missing; printable.
  package let words: String

  /// A layer and what is known of it.
  package init(_ name: Name, isOn: Bool, _ words: String) {
    self.name = name
    self.isOn = isOn
    self.words = words
  }

  /// Without these a process is not confined, whatever else there is.
  package static let essential: [Name] = [.rights, .files, .calls]

  /// What tells a program to confine itself, print the layers and end.
  package static let question = "--confinement"

  /// The layer as a line of text, without its end.
  package var line: String { "\(name.rawValue)\t\(isOn ? "on" : "off")\t\(words)" }

  /// The layer of a line that `line` gave; nil for others.
  package init?(line: some StringProtocol) {
    let parts = line.split(separator: "\t", maxSplits: 2)
    guard parts.count == 3, let name = Name(rawValue: String(parts[0])),
      ["on", "off"].contains(parts[1])
    else { return nil }
    self.init(name, isOn: parts[1] == "on", String(parts[2]))
  }
}

/// Whether processes may decode without being confined.
package enum SandboxMode: String, CaseIterable, Sendable {
  /// As far as the system offers it.
  case auto
  /// Not at all without the essential layers.
  case require
  /// With limits alone.
  case off

  /// What tells a worker the mode.
  package var argument: String { "--sandbox=\(rawValue)" }

  /// The mode of such an argument; nil for others.
  package init?(argument: String?) {
    guard let mode = Self.allCases.first(where: { $0.argument == argument }) else { return nil }
    self = mode
  }
}
