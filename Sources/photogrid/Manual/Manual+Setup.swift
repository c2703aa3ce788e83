/// The chapters about scripts, settings and files.
extension Manual {
  static let scripts = Chapter(
    "SCRIPTING",
    .paragraph(
      """
      If standard output is not a terminal and `-o` is not given, the grid is written as text, as \
      with `--print`.
      """),
    code(
      """
      photogrid -o ~/Pictures | xargs -d '\\n' cp -t best/    # marked photos
      cp "$(photogrid --choose ~/Pictures)" .          # the one you pick with Enter
      photogrid --rate 4 a.jpg b.jpg                   # 4 stars, stored in sidecars
      photogrid --filter 'rating:>=4' --all ~/Pictures # names of the best photos
      photogrid --print -g 100x30 ~/Pictures           # the grid as text
      photogrid --print --json ~/Pictures | jq .path   # metadata and layout
      photogrid --update-cache -r ~/Pictures           # thumbnails and metadata
      """),
    .paragraph(
      """
      With `--json`, each photo is a JSON object on its own line, with its `path` as text. If a \
      name is not valid UTF-8, `path_bytes` contains its bytes in base64: `jq -r '.path_bytes // \
      empty' | base64 -d` prints the path that opens the file. `pair` is the path of the raw file \
      paired with the photo; `film` is the path of a live photo's video, or `true` if the video is \
      inside the photo's own file. `duration` is the length of a video in seconds, `bytes` the size \
      of the file, and `modified` the time of its last change, in UTC. With `-0`, names end with a NUL byte, in the input and in the \
      output.
      """))

  static let configuration = Chapter(
    "CONFIGURATION",
    .paragraph(
      """
      Set options and keys in the file `~/.config/photogrid/config`. The line `option = value` \
      sets a long option; leave off the dashes. Options that take no value on the command line \
      take `on` or `off` here (or `yes`, `no`, `true`, `false`, `1`, `0`). Lines that begin with \
      `#` are comments. If a line has an error, photogrid reports it and still applies the rest.
      """),
    code(
      """
      # ~/.config/photogrid/config
      layout = mosaic
      labels = on
      ratings = embedded
      hints = off
      key e = open
      key grid Ctrl-t = labels
      """),
    .heading("Keys"),
    .paragraph(
      """
      The line `key KEYS = ACTION` binds a key, or a sequence of two, in every view that has the \
      action; `key grid`, `key detail` and `key compare` bind it only in the grid, an open photo \
      or a comparison. The action `none` unbinds a key. `photogrid --list-keys` prints the current \
      keys in the same format. The actions are:
      """),
    .table(actions),
    .heading("Options in the configuration"),
    .table(
      OptionEntry.all.filter(\.isLasting).map { entry in
        Row(terms: [entry.name.rawValue], value: entry.value ?? "on|off", text: entry.help)
      }))

  static let environment = Chapter(
    "ENVIRONMENT",
    table(
      (
        "PHOTOGRID_OPTION",
        "any long option, in capitals with _ in place of -, as in PHOTOGRID_SYMBOLS=octant; "
          + "options without a value: 1 is on, 0 is off, as in PHOTOGRID_LABELS=0"
      ), ("NO_COLOR", "if set, pictures have no color"),
      ("XDG_CONFIG_HOME", "used instead of ~/.config"),
      ("XDG_CACHE_HOME", "used instead of ~/.cache"),
      ("XDG_DATA_HOME", "used instead of ~/.local/share for the trash"),
      ("XDG_STATE_HOME", "used instead of ~/.local/state")))

  static let fileNames = Chapter(
    "FILES",
    table(
      ("~/.config/photogrid/config", "the configuration"),
      ("~/.cache/thumbnails", "thumbnails, shared with file managers (freedesktop.org)"),
      (
        "~/.cache/photogrid/index.sqlite",
        "photo metadata: dates, sizes, cameras, ratings and hashes; it can be deleted at any "
          + "time"
      ),
      ("~/.local/share/Trash", "the trash, shared with file managers"),
      ("~/.local/state/photogrid/undo", "undo history, kept across restarts"),
      ("~/.local/state/photogrid/folders", "the folders that photos were moved or copied to"),
      (
        "~/.local/state/photogrid/terminals",
        "the cell sizes reported by terminals, used to draw the first frame next time"
      )),
    .paragraph(
      """
      With `--private`, no thumbnails or metadata are stored. Thumbnails that no program has used \
      for half a year are removed when new ones are stored.
      """))

  static let trouble = Chapter(
    "TROUBLE",
    .paragraph(
      """
      `photogrid --doctor` shows how pictures are drawn in this terminal and why, what would \
      improve them, and whether the sandbox is complete. The kitty, sixel and iTerm2 protocols \
      are detected by querying the terminal; `--protocol`, `--symbols` and `--colors` override \
      that. In tmux, real pixels need `tmux set -g allow-passthrough on`; in xterm, \
      `xterm -ti vt340`. On a slow connection, pictures are coarse while they move and sharpen \
      once they stop.
      """),
    .paragraph(
      """
      Decoders run in a sandbox. They receive files that are already open; they cannot open files \
      themselves (except the system's libraries and fonts), write anything, use the network, start \
      processes or reach other processes. With `--sandbox require`, photogrid refuses to start if \
      a layer of the sandbox is missing.
      """))
}
