/// One of the independent layers of a sandbox, and whether this system has it.
package struct ConfinementLayer: Equatable, Sendable {
  /// The name of a layer.
  ///
  /// - `rights`: no rights from programs with other owners (`no_new_privs`)
  /// - `memory`, `threads`: limits of address space, processor time and threads
  /// - `network`, `isolation`: namespaces without a network, or without other processes
  /// - `capabilities`: few or no capabilities
  /// - `files`, `sockets`, `processes`: what Landlock denies
  /// - `calls`: a filter of system calls (seccomp)
  package enum Name: String, CaseIterable, Sendable {
    case rights, memory, threads, network, isolation, capabilities, files, sockets, processes, calls
  }

  package let name: Name
  /// Whether the layer is in effect.
  package let isOn: Bool
  /// What the layer allows or denies, or why it is missing; printable.
  package let message: String

  package init(_ name: Name, isOn: Bool, _ message: String) {
    self.name = name
    self.isOn = isOn
    self.message = message
  }

  /// The layers without which a process counts as not confined.
  private static let essential: [Name] = [.rights, .files, .calls]

  /// Returns the essential layers that a process lacks.
  ///
  /// - Parameter layers: The layers that the process reported.
  /// - Returns: The missing layers, each with the reason.
  package static func missing(in layers: [ConfinementLayer]) -> [ConfinementLayer] {
    essential.compactMap { name in
      let layer =
        layers.first { $0.name == name } ?? ConfinementLayer(name, isOn: false, "not reported")
      return layer.isOn ? nil : layer
    }
  }

  package static let argument = "--confinement"

  /// The layer as a line of text without a newline: name, "on" or "off", and message, with tabs
  /// between.
  package var line: String { "\(name.rawValue)\t\(isOn ? "on" : "off")\t\(message)" }

  /// Parses a line in the format of `line`; nil for other text.
  package init?(line: some StringProtocol) {
    let parts = line.split(separator: "\t", maxSplits: 2)
    guard parts.count == 3, let name = Name(rawValue: String(parts[0])),
      ["on", "off"].contains(parts[1])
    else { return nil }
    self.init(name, isOn: parts[1] == "on", String(parts[2]))
  }
}

/// How the processes that the program starts are confined.
package enum SandboxMode: String, CaseIterable, Sendable {
  /// Processes are confined as far as the system allows.
  case auto
  /// A process that lacks an essential layer exits instead of working.
  case require
  /// Processes are limited in memory and time only.
  case off

  package var argument: String { "--sandbox=\(rawValue)" }

  package init?(argument: String?) {
    guard let mode = Self.allCases.first(where: { $0.argument == argument }) else { return nil }
    self = mode
  }
}
