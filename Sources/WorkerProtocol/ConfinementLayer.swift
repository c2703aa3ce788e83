/// One of the independent layers of a sandbox, and whether this system has it.
package struct ConfinementLayer: Equatable, Sendable {
  /// Which layer it is.
  package enum Name: String, CaseIterable, Sendable {
    case rights, memory, threads, network, isolation, root, capabilities, files, sockets, processes,
      calls
  }

  package let name: Name
  package let isOn: Bool
  /// What the layer denies the process, or why it is missing; printable.
  package let message: String

  /// A layer that is on, or missing.
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

  /// The argument by which a worker confines itself, prints the layers and exits.
  package static let argument = "--confinement"

  /// The layer as a line of text, without its end.
  package var line: String { "\(name.rawValue)\t\(isOn ? "on" : "off")\t\(message)" }

  /// The layer in a line of the form of `line`; nil for other text.
  package init?(line: some StringProtocol) {
    let parts = line.split(separator: "\t", maxSplits: 2)
    guard parts.count == 3, let name = Name(rawValue: String(parts[0])),
      ["on", "off"].contains(parts[1])
    else { return nil }
    self.init(name, isOn: parts[1] == "on", String(parts[2]))
  }
}

/// Whether the processes that the program starts may work without being confined.
package enum SandboxMode: String, CaseIterable, Sendable {
  /// Confined as far as the system allows.
  case auto
  /// Refuses to work with a process that lacks an essential layer.
  case require
  /// Limited in memory and time, and not confined otherwise.
  case off

  /// The mode as an argument of a worker.
  package var argument: String { "--sandbox=\(rawValue)" }

  /// The mode of such an argument; nil for others.
  package init?(argument: String?) {
    guard let mode = Self.allCases.first(where: { $0.argument == argument }) else { return nil }
    self = mode
  }
}
