extension Command {
  /// The command's name in a configuration, such as `page-forward`.
  package var name: String {
    switch self {
    case .app(let command): command.name
    case .navigation(let command): command.name
    case .grid(let command): command.name
    case .viewer(let command): command.name
    case .album(let command): command.name
    case .files(let command): command.name
    case .culling(let command): command.name
    case .comparison(let command): command.name
    }
  }

  /// Creates the command with the given name; nil if no key can be bound to it.
  package init?(named name: String) {
    guard let command = KeyMap.commands.first(where: { $0.name == name }) else { return nil }
    self = command
  }
}

extension Command.AppCommand {
  fileprivate var name: String {
    switch self {
    case .toggleHelp: "help"
    case .toggleBar: "bar"
    case .toggleSlowMotion: "slow-motion"
    case .toggleInformation: "information"
    case .startSlideshow: "slideshow"
    case .togglePlaying: "play"
    case .stepFrame: "step-frame"
    case .redraw: "redraw"
    case .reload: "reload"
    case .suspend: "suspend"
    case .interrupt: "interrupt"
    case .quit: "quit"
    case .quitAndPrint: "quit-and-print"
    case .choose: "choose"
    }
  }
}

extension Command.Navigation {
  fileprivate var name: String {
    switch self {
    case .left: "left"
    case .right: "right"
    case .up: "up"
    case .down: "down"
    case .open: "open"
    case .next: "next"
    case .previous: "previous"
    case .first: "first"
    case .last: "last"
    case .pageForward: "page-forward"
    case .pageBack: "page-back"
    case .halfPageForward: "half-page-forward"
    case .halfPageBack: "half-page-back"
    case .forwardTen: "ten-forward"
    case .backTen: "ten-back"
    case .stepOut: "step-out"
    }
  }
}

extension Command.GridCommand {
  fileprivate var name: String {
    switch self {
    case .goUp: "up-a-folder"
    case .toggleLabels: "labels"
    case .nextLayout: "next-layout"
    case .previousLayout: "previous-layout"
    case .largerTiles: "larger-tiles"
    case .smallerTiles: "smaller-tiles"
    case .zoomOut: "months"
    case .resetTiles: "reset-tiles"
    case .nextSection: "next-section"
    case .previousSection: "previous-section"
    case .toggleCrop: "crop"
    }
  }
}

extension Command.ViewerCommand {
  fileprivate var name: String {
    switch self {
    case .zoom(let zoom): zoom.name
    case .edge(.left): "edge-left"
    case .edge(.right): "edge-right"
    case .edge(.up): "edge-up"
    case .edge(.down): "edge-down"
    case .turn(.quarterTurn): "turn-right"
    case .turn(.quarterTurnBack): "turn-left"
    case .turn(.mirrored): "mirror"
    case .turn(let orientation): orientation == .flipped ? "flip" : "turn-\(orientation.number)"
    }
  }
}

extension Command.Zoom {
  fileprivate var name: String {
    switch self {
    case .larger: "zoom-in"
    case .smaller: "zoom-out"
    case .fit: "zoom-fit"
    case .actualSize: "zoom-actual-size"
    case .toggleActualSize: "zoom-toggle"
    case .width: "zoom-width"
    case .fill: "zoom-fill"
    }
  }
}

extension Command.FileCommand {
  fileprivate var name: String {
    switch self {
    case .trash: "trash"
    case .undo: "undo"
    case .rename: "rename"
    case .move: "move"
    case .copy: "copy"
    case .turn: "write-turn"
    case .copyPath: "copy-path"
    case .open: "open-with"
    }
  }
}

extension Command.CullingCommand {
  fileprivate var name: String {
    switch self {
    case .rate(.stars(Rating.rejected)): "reject"
    case .rate(.stars(let stars)): "rate-\(stars)"
    case .rate(.label(let label)): "label-\(label?.rawValue ?? "none")"
    case .toggleMode: "cull"
    }
  }
}

extension Command.ComparisonCommand {
  fileprivate var name: String {
    switch self {
    case .start: "compare"
    case .focusNext: "focus-next"
    case .focusPrevious: "focus-previous"
    case .focus(.left): "focus-left"
    case .focus(.right): "focus-right"
    case .focus(.up): "focus-up"
    case .focus(.down): "focus-down"
    case .remove: "take-out"
    case .pin: "pin"
    case .zoomAlone: "zoom-toggle-alone"
    case .panAlone(.left): "move-left-alone"
    case .panAlone(.right): "move-right-alone"
    case .panAlone(.up): "move-up-alone"
    case .panAlone(.down): "move-down-alone"
    }
  }
}

extension Command.AlbumCommand {
  fileprivate var name: String {
    switch self {
    case .find: "find"
    case .findNext: "find-next"
    case .findPrevious: "find-previous"
    case .filter: "filter"
    case .sort(let order): "sort-\(order.keyName)\(order.isReversed ? "-reversed" : "")"
    case .shuffle: "shuffle"
    case .group(let grouping): "group-\(grouping.rawValue)"
    case .markSection: "mark-section"
    case .goToDate: "go-to-date"
    case .mark: "mark"
    case .markOn: "mark-and-next"
    case .range: "mark-range"
    case .markAll: "mark-all"
    case .invertMarks: "invert-marks"
    case .unmarkAll: "unmark-all"
    case .showMarked: "show-marked"
    case .toggleStacks: "stacks"
    case .foldStack: "fold-stack"
    case .stackFace: "stack-face"
    case .shell: "shell"
    }
  }
}
