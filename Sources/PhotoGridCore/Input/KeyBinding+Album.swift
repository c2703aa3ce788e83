extension KeyBinding {
  /// The keys for commands on many photos, in every view.
  package static let album: [KeyBinding] =
    [
      KeyBinding(keys: ["m"], command: .album(.mark), help: "mark, unmark"),
      KeyBinding(keys: ["!"], command: .album(.shell), help: "command (o opens, yy path)"),
      KeyBinding(
        keys: [",n"], command: .album(.sort(SortOrder(by: .name))),
        help: "sort (,d ,m ,s ,a ,r ,N)"),
    ] + sorting + files

  /// The keys for commands on many photos that only the grid has.
  package static let gridAlbum: [KeyBinding] =
    [
      KeyBinding(keys: ["/"], command: .album(.find), help: "find (n next, N previous)"),
      KeyBinding(keys: ["n"], command: .album(.findNext), help: nil),
      KeyBinding(keys: ["N"], command: .album(.findPrevious), help: nil),
      KeyBinding(keys: ["f"], command: .album(.filter), help: "filter (F marked only)"),
      KeyBinding(keys: ["F"], command: .album(.showMarked), help: nil),
      KeyBinding(keys: ["Space"], command: .album(.markOn), help: "mark, next (v range)"),
      KeyBinding(keys: ["v"], command: .album(.range), help: nil),
      KeyBinding(keys: ["Ctrl-a"], command: .album(.markAll), help: "all (U none; = compare)"),
      KeyBinding(keys: ["U"], command: .album(.unmarkAll), help: nil),
      KeyBinding(keys: ["Ctrl-r"], command: .album(.invertMarks), help: nil),
      KeyBinding(
        keys: ["gd"], command: .album(.group(.day)), help: "sections (gm gy gf g* } {)"),
      KeyBinding(keys: ["gm"], command: .album(.group(.month)), help: nil),
      KeyBinding(keys: ["gy"], command: .album(.group(.year)), help: nil),
      KeyBinding(keys: ["gf"], command: .album(.group(.folder)), help: nil),
      KeyBinding(keys: ["g*"], command: .album(.group(.rating)), help: nil),
      KeyBinding(keys: ["gn"], command: .album(.group(.none)), help: nil),
      KeyBinding(keys: ["zs"], command: .album(.toggleStacks), help: nil),
      KeyBinding(keys: ["zc"], command: .album(.foldStack), help: nil),
      KeyBinding(keys: ["zt"], command: .album(.stackFace), help: nil),
      KeyBinding(keys: ["gs"], command: .album(.markSection), help: "mark section (gt gn)"),
      KeyBinding(keys: ["gt"], command: .album(.goToDate), help: nil),
    ]

  /// The keys that sort, other than by name: a letter for each order, its capital for the reverse.
  private static var sorting: [KeyBinding] {
    let orders: [(String, SortOrder.Key)] = [
      ("n", .name), ("d", .taken), ("m", .modified), ("s", .size), ("a", .similar),
    ]
    let reversed = orders.map { letter, key in
      KeyBinding(
        keys: [",\(letter.uppercased())"],
        command: .album(.sort(SortOrder(by: key, isReversed: true))), help: nil)
    }
    let others = orders.dropFirst().map { letter, key in
      KeyBinding(keys: [",\(letter)"], command: .album(.sort(SortOrder(by: key))), help: nil)
    }
    let ratings = [(",*", false), (",-", true)].map { key, isReversed in
      KeyBinding(
        keys: [key],
        command: .album(.sort(SortOrder(by: .rating, isReversed: isReversed))), help: nil)
    }
    return others + ratings + reversed
      + [KeyBinding(keys: [",r", ",R"], command: .album(.shuffle), help: nil)]
  }
}
