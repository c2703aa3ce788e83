/// A page of the help: the commands of one task, with their keys.
///
/// The table `all` is the only list of commands: the key map, the help, the manual, `--list-keys`
/// and the palette are made from it, so that a key cannot be missing in one of them.
package struct HelpTopic: Sendable {
  /// The task, as the title of a page: "Look".
  package let title: String
  package let sections: [Section]

  /// Lines under a heading, such as the keys of one view.
  package struct Section: Sendable {
    /// Empty if the title of the topic says it already.
    package let heading: String
    package let lines: [HelpLine]
  }
}

/// A line of the help: the keys of commands that belong together, and what they do.
package struct HelpLine: Sendable {
  package let text: String
  /// The views in which the keys work.
  package let views: [KeyMap.View]
  /// The commands; empty for a gesture of the mouse.
  package let entries: [CommandEntry]
  /// What the user does with the mouse, instead of a key.
  package let gesture: String?
}

/// A command in the table: its default keys, and the words by which people look for it.
package struct CommandEntry: Sendable {
  package let command: Command
  /// The default keys, as the help writes them: "h", "gg", "Ctrl-f", "Enter" or "F1".
  package let keys: [String]
  /// What the command does, in the imperative: "Move to trash".
  package let title: String
  /// Other words for it, for the palette and the search in the help.
  package let synonyms: String
}

extension HelpTopic {
  /// The entries of all lines whose keys work in a view, in the order of the help.
  static func entries(in view: KeyMap.View) -> [CommandEntry] {
    all.flatMap(\.sections).flatMap(\.lines).filter { $0.views.contains(view) }.flatMap(\.entries)
  }
}
