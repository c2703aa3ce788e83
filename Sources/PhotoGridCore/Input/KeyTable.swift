import Geometry
import Photos

/// The table of all commands with their keys, from which everything that lists them is made.
///
/// The key map, the help, the manual, `--list-keys` and the palette are made from it, so that a key
/// cannot be missing in one of them. Keys that only one screen obeys stand with that screen.
package enum KeyTable {
  package static let topics = [look, find, arrange, choose, rate, files, play, more, terms]

  /// The entries of all lines whose keys work in a view, in the order of the help.
  static func entries(in view: KeyMap.View) -> [CommandEntry] {
    let lines = topics.flatMap(\.sections).flatMap(\.lines)
    return lines.filter { $0.views.contains(view) }.flatMap(\.entries)
  }

  /// The commands of one task: a page of the help.
  package struct Topic: Sendable {
    /// The task, as the title of a page: "Look".
    package let title: String
    package let sections: [Section]
  }

  /// Lines under a heading, such as the keys of one view.
  package struct Section: Sendable {
    /// Empty if the title of the topic says it already.
    package let heading: String
    package let lines: [Line]
  }

  /// A line of the table: the keys of commands that belong together, and what they do.
  package struct Line: Sendable {
    package let text: String
    /// The views in which the keys work.
    package let views: [KeyMap.View]
    /// The commands; empty for a gesture of the mouse, and for a term of a filter.
    package let entries: [CommandEntry]
    /// The filter term, the gesture of the mouse, or the key without a command that the line is about;
    /// nil for a line of commands.
    package let gesture: String?
  }
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

// MARK: - Writing the table

extension KeyTable {
  static func section(_ heading: String, _ lines: Line...) -> Section {
    Section(heading: heading, lines: lines)
  }

  static func line(
    _ command: Command, _ keys: [String], _ title: String, _ views: [KeyMap.View],
    as synonyms: String = ""
  ) -> Line {
    group(title, views, entry(command, keys, title, as: synonyms))
  }

  static func group(
    _ text: String, _ views: [KeyMap.View], _ entries: CommandEntry...
  ) -> Line {
    Line(text: text, views: views, entries: entries, gesture: nil)
  }

  static func entry(
    _ command: Command, _ keys: [String], _ title: String, as synonyms: String = ""
  ) -> CommandEntry {
    CommandEntry(command: command, keys: keys, title: title, synonyms: synonyms)
  }

  static func mouse(
    _ gesture: String, _ text: String, _ views: [KeyMap.View] = KeyMap.View.allCases
  ) -> Line {
    Line(text: text, views: views, entries: [], gesture: gesture)
  }

  static let grid: [KeyMap.View] = [.grid]
  static let viewer: [KeyMap.View] = [.viewer]
  static let comparison: [KeyMap.View] = [.comparison]
  static let photo: [KeyMap.View] = [.viewer, .comparison]
  static let single: [KeyMap.View] = [.grid, .viewer]
  static let every = KeyMap.View.allCases
}

extension KeyTable {
  private static let look = Topic(
    title: "Look",
    sections: [
      inGrid,
      inPhoto,
      section(
        "In the grid and in a photo",
        group(
          "First or last photo; 20G goes to the 20th", single,
          entry(
            .navigation(.first), ["gg", "Home"], "Go to the first photo", as: "start begin top"),
          entry(.navigation(.last), ["G", "End"], "Go to the last photo", as: "bottom number")),
        group(
          "Page forward or back", single,
          entry(.navigation(.pageForward), ["Ctrl-f", "PgDn"], "Page forward", as: "scroll down"),
          entry(.navigation(.pageBack), ["Ctrl-b", "PgUp"], "Page back", as: "scroll up")),
        group(
          "Go forward or back half a page", single,
          entry(.navigation(.halfPageForward), ["Ctrl-d"], "Go forward half a page"),
          entry(.navigation(.halfPageBack), ["Ctrl-u"], "Go back half a page")),
        group(
          "Go forward or back 10 photos", single,
          entry(.navigation(.tenForward), ["]"], "Go forward 10 photos"),
          entry(.navigation(.tenBack), ["["], "Go back 10 photos")),
        group(
          "Rotate right or left; W saves it", every,
          entry(.viewer(.turn(.quarterTurn)), [">"], "Rotate right", as: "turn clockwise"),
          entry(
            .viewer(.turn(.quarterTurnBack)), ["<"], "Rotate left", as: "turn counterclockwise")),
        group(
          "Flip horizontally or vertically", every,
          entry(.viewer(.turn(.mirrored)), ["|"], "Flip horizontally", as: "mirror"),
          entry(.viewer(.turn(.flipped)), ["_"], "Flip vertically", as: "mirror upside down")),
        line(
          .navigation(.stepOut), ["Esc"], "Close, or go back a step", every,
          as: "cancel leave exit clear show all"),
        line(
          .app(.toggleInformation), ["i"], "Photo info and histogram", every,
          as: "about details properties metadata exif information camera")),
      section(
        "With the mouse",
        mouse("Click", "Open or close a photo"),
        mouse("Wheel", "Scroll the grid; zoom an open photo"),
        mouse("Drag down", "Close the photo", viewer),
        mouse("Drag sideways", "Go to the next or previous photo", viewer),
        mouse("Drag", "Pan when zoomed in", photo),
        mouse("Double-click", "Show the whole photo", viewer),
        mouse("Ctrl-wheel", "Make the tiles larger or smaller", grid)),
    ])

  private static let find = Topic(
    title: "Find",
    sections: [
      section(
        "",
        line(.album(.find), ["/"], "Find photos", grid, as: "search name look for"),
        group(
          "Go to the next or previous match", grid,
          entry(.album(.findNext), ["n"], "Go to the next match", as: "find search"),
          entry(.album(.findPrevious), ["N"], "Go to the previous match", as: "find search")),
        line(
          .album(.filter), ["f"], "Show only matching photos", grid,
          as: "filter search type camera date rated limit"),
        line(
          .album(.filterStars), [";;"], "Filter by stars", grid,
          as: "filter rating rated"),
        line(
          .album(.showMarked), ["F"], "Show only marked photos", grid, as: "filter selected"),
        line(
          .album(.goToDate), ["gt"], "Go to a date", grid, as: "jump time day month year calendar")),
      section(
        "Folders",
        line(
          .app(.openFolder), ["gc"], "Go to a folder by path", every,
          as: "cd change directory open recent zoxide jump"),
        group(
          "Show bookmarks, or bookmark this folder", every,
          entry(.app(.showBookmarks), ["gb"], "Show bookmarks", as: "places"),
          entry(
            .app(.toggleBookmark), ["gB"], "Bookmark this folder", as: "places remember"))),
    ])

  private static let arrange = Topic(
    title: "Arrange",
    sections: [
      tiles,
      section(
        "Groups",
        group(
          "Group by day, month, or year", grid,
          entry(.album(.group(.day)), ["gd"], "Group by day", as: "sections date"),
          entry(.album(.group(.month)), ["gm"], "Group by month", as: "sections date"),
          entry(.album(.group(.year)), ["gy"], "Group by year", as: "sections date")),
        group(
          "Group by folder or rating", grid,
          entry(.album(.group(.folder)), ["gf"], "Group by folder", as: "sections directory"),
          entry(.album(.group(.rating)), ["g*"], "Group by rating", as: "sections stars")),
        line(
          .album(.group(.similar)), ["ga"], "Group by similarity", grid,
          as: "sections near duplicates alike copies"),
        line(
          .album(.group(.none)), ["gn"], "Turn off grouping", grid, as: "ungroup sections off none"),
        line(
          .album(.toggleStacks), ["zs"], "Fold bursts into stacks", grid,
          as: "series continuous shots group sequence stack"),
        group(
          "Fold the stack again, or make this photo its cover", grid,
          entry(.album(.foldStack), ["zc"], "Fold this stack again", as: "burst close collapse"),
          entry(
            .album(.stackFace), ["zt"], "Make this the cover of its stack",
            as: "burst face top"))),
      section(
        "Order",
        line(.album(.sort(SortOrder(by: .name))), [",n"], "Sort by name", every, as: "order"),
        line(
          .album(.sort(SortOrder(by: .taken))), [",d"], "Sort by date taken", every,
          as: "order time"),
        line(
          .album(.sort(SortOrder(by: .modified))), [",m"], "Sort by date modified", every,
          as: "order mtime changed time"),
        line(.album(.sort(SortOrder(by: .size))), [",s"], "Sort by file size", every, as: "order"),
        line(
          .album(.sort(SortOrder(by: .length))), [",l"], "Sort videos by length", every,
          as: "order duration films movies"),
        line(
          .album(.sort(SortOrder(by: .rating))), [",*"], "Sort by rating", every,
          as: "order stars best first"),
        line(
          .album(.sort(SortOrder(by: .similar))), [], "Put near duplicates together", every,
          as: "sort similar alike same copies show duplicates"),
        line(
          .album(.sort(SortOrder(by: .similar, isReversed: true))), [],
          "Put near duplicates at the end", every, as: "sort similar alike reversed copies"),
        line(
          .album(.shuffle), [",r", ",R"], "Shuffle", every, as: "sort random order"),
        group(
          "The same, in reverse order", every,
          entry(
            .album(.sort(SortOrder(by: .name, isReversed: true))), [",N"],
            "Sort by name, reversed", as: "order descending"),
          entry(
            .album(.sort(SortOrder(by: .taken, isReversed: true))), [",D"],
            "Sort by date taken, newest first", as: "order time reversed descending latest"),
          entry(
            .album(.sort(SortOrder(by: .modified, isReversed: true))), [",M"],
            "Sort by date modified, newest first", as: "order mtime changed time reversed latest"),
          entry(
            .album(.sort(SortOrder(by: .size, isReversed: true))), [",S"],
            "Sort by file size, largest first", as: "order reversed descending biggest"),
          entry(
            .album(.sort(SortOrder(by: .length, isReversed: true))), [",L"],
            "Sort videos by length, longest first", as: "order duration films reversed descending"),
          entry(
            .album(.sort(SortOrder(by: .rating, isReversed: true))), [",-"],
            "Sort by rating, lowest first", as: "order stars reversed"))),
    ])

  private static let choose = Topic(
    title: "Choose",
    sections: [
      section(
        "Mark photos",
        line(
          .album(.markOn), ["Space"], "Mark and move on", grid, as: "select next check"),
        line(.album(.mark), ["m"], "Mark or unmark", every, as: "select check tag pick"),
        line(
          .album(.range), ["v"], "Mark a range; v or m ends it", grid, as: "select several span"),
        group(
          "Mark all, unmark all, or invert the marks", grid,
          entry(.album(.markAll), ["Ctrl-a"], "Mark all photos", as: "select everything"),
          entry(.album(.unmarkAll), ["U"], "Unmark all photos", as: "deselect none clear"),
          entry(
            .album(.invertMarks), ["Ctrl-r"], "Invert the marks", as: "select others opposite")),
        group(
          "Mark the section; for duplicates, all but the best", grid,
          entry(
            .album(.markSection), ["gs"], "Mark the section",
            as: "select group day month keep best largest near duplicates")),
        line(
          .app(.choose), [], "Choose photos (with --choose)", every, as: "pick select accept"),
        mouse("Ctrl-click", "Mark or unmark", grid),
        mouse("Alt-click", "Mark up to here", grid),
        mouse("Right-drag", "Mark as you drag", grid)),
      compare,
      inComparison,
    ])

  static let rate = Topic(
    title: "Rate",
    sections: [
      section(
        "",
        group(
          "1 to 5 stars", every,
          entry(.culling(.rate(.stars(1))), [";1"], "Rate 1 star", as: "rating"),
          entry(.culling(.rate(.stars(2))), [";2"], "Rate 2 stars", as: "rating"),
          entry(.culling(.rate(.stars(3))), [";3"], "Rate 3 stars", as: "rating"),
          entry(.culling(.rate(.stars(4))), [";4"], "Rate 4 stars", as: "rating"),
          entry(
            .culling(.rate(.stars(5))), [";5"], "Rate 5 stars",
            as: "rating favorite favourite best love like")),
        line(
          .culling(.rate(.stars(0))), [";0"], "Remove the rating", every,
          as: "rate 0 stars clear unrated"),
        line(
          .culling(.rate(.stars(Rating.rejected))), [";x"], "Reject", every,
          as: "rate rating bad hide discard cull"),
        group(
          "Label red, yellow, green, blue, or purple", every,
          entry(.culling(.rate(.label(.red))), [";r"], "Label red", as: "colour color tag"),
          entry(.culling(.rate(.label(.yellow))), [";y"], "Label yellow", as: "colour color tag"),
          entry(.culling(.rate(.label(.green))), [";g"], "Label green", as: "colour color tag"),
          entry(.culling(.rate(.label(.blue))), [";b"], "Label blue", as: "colour color tag"),
          entry(.culling(.rate(.label(.purple))), [";p"], "Label purple", as: "colour color tag")),
        line(
          .culling(.rate(.label(nil))), [";n"], "Remove the label", every,
          as: "colour color none clear untag")),
      section(
        "Words",
        line(
          .culling(.keywords), ["gk", "Ctrl-k"], "Edit keywords", every,
          as: "tag tags subject words add remove"),
        group(
          "Edit the caption or the title", every,
          entry(
            .culling(.text(.caption)), ["gC"], "Edit the caption",
            as: "description text words write annotate comment"),
          entry(
            .culling(.text(.title)), ["gT"], "Edit the title",
            as: "headline name text words write"))),
      section(
        "One key per photo",
        line(
          .culling(.toggleMode), ["C"], "Culling mode", every,
          as: "cull rate quickly select sort out review"),
        mouse("0 to 5", "Rate and move on, in culling mode"),
        mouse("x", "Reject and move on"),
        mouse("6 to 9", "Label red, yellow, green, or blue, and move on"),
        mouse("Space", "Skip the photo")),
    ])

  private static let files = Topic(
    title: "Files",
    sections: [
      section(
        "",
        group(
          "Move to trash; 5d moves five", every,
          entry(
            .files(.trash), ["d", "Delete"], "Move to trash",
            as: "delete remove bin erase throw away")),
        line(
          .files(.undo), ["u"], "Undo the last change", every,
          as: "restore bring back revert untrash undelete"),
        line(
          .files(.redo), ["Ctrl-y"], "Redo the last change", every, as: "again repeat"),
        line(.files(.rename), ["r", "F2"], "Rename", every, as: "name pattern title"),
        line(.files(.move), ["M"], "Move to a folder", every, as: "directory file sort away"),
        line(.files(.copy), ["yc"], "Copy to a folder", every, as: "duplicate directory export"),
        line(
          .files(.turn), ["W"], "Save the rotation", every,
          as: "save turn orientation exif lossless rotate into"),
        line(
          .files(.open), ["o"], "Open with another program", every,
          as: "external application edit editor launch"),
        line(
          .files(.copyPath), ["yy"], "Copy the path", every, as: "clipboard yank name location"),
        line(
          .files(.copyPicture), ["yi"], "Copy the picture", every,
          as: "clipboard yank image paste wl-copy xclip"),
        line(
          .album(.shell), ["!"], "Run a shell command", every,
          as: "execute script program pipe terminal"),
        line(
          .app(.reload), ["R", "F5"], "Reload the folder", every, as: "refresh list again rescan"))
    ])

  private static let play = Topic(
    title: "Play",
    sections: [
      section(
        "",
        line(
          .app(.startSlideshow), ["s"], "Start a slideshow; 3s shows each photo for 3 s", every,
          as: "play presentation automatic slide show"),
        mouse("Space", "Pause or resume the slideshow", viewer),
        line(
          .app(.togglePlaying), ["a"], "Play or pause the animation or video", every,
          as: "gif film movie stop animate live"),
        line(
          .app(.stepFrame), ["."], "Step to the next frame", every,
          as: "animation gif video single"),
        line(
          .app(.stepFrameBack), [], "Step to the previous frame", every,
          as: "animation gif video single back"),
        mouse(",", "Step to the previous frame of a video", viewer),
        mouse("h l, Left Right", "Skip back or forward 5 s in a playing video", viewer),
        mouse("Drag the line at the bottom", "Go to another point in a video", viewer),
        group(
          "Change the speed of a video; elsewhere, slow motion", every,
          entry(
            .app(.changeSpeed), ["A"], "Change the speed of the video",
            as: "film animation faster fast slower slow")),
        group(
          "All motion, slow motion, fades only, or none", every,
          entry(
            .app(.toggleSlowMotion), [], "Motion: slow",
            as: "play slowly animations speed slow down settings"),
          entry(
            .app(.fullMotion), [], "Motion: full", as: "animations zoom on normal speed settings"),
          entry(
            .app(.reducedMotion), [], "Motion: reduced",
            as: "animations fades calm accessibility less settings"),
          entry(.app(.noMotion), [], "Motion: none", as: "animations off disable settings")))
    ])

  private static let more = Topic(
    title: "More",
    sections: [
      section(
        "",
        line(
          .app(.showPalette), [":", "Ctrl-p"], "Find a command by name", every,
          as: "palette commands actions search menu"),
        line(.app(.toggleHelp), ["?", "F1"], "Show this help", every, as: "keys manual shortcuts"),
        line(
          .app(.toggleBar), ["b"], "Show or hide the bar", every,
          as: "status line hide toggle settings"),
        line(.app(.redraw), ["Ctrl-l"], "Redraw the screen", every, as: "refresh repaint clear"),
        line(
          .app(.suspend), ["Ctrl-z"], "Suspend photogrid; fg resumes it", every,
          as: "background stop job shell"),
        line(.app(.quit), ["q"], "Quit", every, as: "exit close leave end"),
        line(
          .app(.quitAndPrint), ["Q"], "Quit and print the photo's path", every,
          as: "exit output path"),
        group(
          "Quit; in the grid, copy the path, and quit if pressed again", every,
          entry(
            .app(.interrupt), ["Ctrl-c"], "Quit immediately (in the grid, press twice)",
            as: "exit interrupt abort")))
    ])

  private static let terms = Topic(
    title: "Terms",
    sections: [
      Section(
        heading: "After f or /; Tab completes them",
        lines: FilterTerm.all.map {
          Line(text: $0.meaning, views: every, entries: [], gesture: $0.examples[0])
        })
    ])
}
