import Foundation

let benchmarks: [(name: String, usage: String, run: ([String]) throws -> Void)] = [
  (
    "frames",
    "[--size COLUMNSxROWS] [--colors DEPTH] [--short] [--wedges]: time and bytes of frames: the zoom, changes of layout",
    FrameBenchmark.run
  ),
  (
    "input",
    "(no arguments): time to read a megabyte of pasted text, mouse motion and reply, beside a bare reader",
    InputBenchmark.run
  ),
  (
    "kitty",
    "[FOLDER]: time and bytes of frames by kitty's protocol; bytes of a first screen beside timg's",
    KittyBenchmark.run
  ),
  (
    "fidelity",
    "[FOLDER...] [--sheets FOLDER]: how true cell art, tiles and sixels are, beside others'",
    FidelityBenchmark.run
  ),
  (
    "layout", "(no arguments): time to lay out 100,000 photos and to find the visible ones",
    LayoutBenchmark.run
  ),
  (
    "scrub", "(no arguments): frames of a drag of the scrubber over 100,000 photos",
    ScrubBenchmark.run
  ),
  (
    "filter", "[no-keywords]: time of each key typed into a filter of 100,000 names",
    FilterBenchmark.run
  ),
  ("palette", "(no arguments): time of each key typed into the palette", PaletteBenchmark.run),
  (
    "culling",
    "JPEG: time until a rating is seen and on disk, for a thousand, and until 60 megapixels are sharp",
    CullingBenchmark.run
  ),
  (
    "embedded-rating",
    "JPEG [MEGABYTES]: time of a rating in a large photo, beside that of cp and sync",
    EmbeddedRatingBenchmark.run
  ),
  (
    "similar", "(no arguments): time to find near duplicates, pairs and stacks of 100,000 photos",
    SimilarBenchmark.run
  ),
  (
    "sort",
    "FOLDER: time to sort 10,000 JPEGs by date taken in the whole program, and how it answers",
    SortBenchmark.run
  ),
  (
    "sixel", "FOLDER...: a still that fills the screen as sixels, beside img2sixel's",
    SixelBenchmark.run
  ),
  (
    "sandbox", "[FOLDER]: time from a worker's start to its first answer, confined and not",
    SandboxBenchmark.run
  ),
  (
    "liars", "FOLDER [KEYS [WORDS]]: keys and memory of the program while its helper processes lie",
    HostileReplyBenchmark.run
  ),
  (
    "corpus",
    "[--each] [--peers] FOLDER...: files shown, and what each costs, beside vips, chafa, timg",
    CorpusBenchmark.run
  ),
  (
    "resident", "FOLDER [OPTION...]: memory of program and workers while a folder is browsed",
    ResidentBenchmark.run
  ),
  (
    "soak",
    "FOLDER [SECONDS [SEED [OPTION...]]]: random keys, mouse, sizes and changes of a folder",
    SoakBenchmark.run
  ),
  (
    "hostile-terminal",
    "FOLDER [SECONDS [SEED]]: random responses and sizes of the terminal; whether screens are torn, memory",
    HostileTerminalBenchmark.run
  ),
  (
    "dead-disk",
    "FOLDER [KEYS]: keys, and the time to quit, in a folder on a disk that hangs, is slow, or is gone",
    DeadDiskBenchmark.run
  ),
  (
    "shared",
    "FOLDER [TIMES]: time until the program shows what another one changed in its folder",
    SharedFolderBenchmark.run
  ),
  (
    "start",
    "[FOLDER...] [--beside PROGRAM]: time to the first frame of the whole program, and of others",
    StartBenchmark.run
  ),
  (
    "settle", "FOLDER: time until all tiles show their photo, beside timg's",
    SettleBenchmark.run
  ),
  (
    "thumbnails",
    "[FOLDER]: time until all tiles show something, without and with a cache, and CPU, beside timg's",
    ThumbnailBenchmark.run
  ),
  (
    "transition", "FOLDER: frames of the zoom in the whole program, and their intervals",
    TransitionBenchmark.run
  ),
  ("pan", "(no arguments): time and bytes of the frames of a moved photo", PanBenchmark.run),
  (
    "zoom", "FOLDER: time until a JPEG of 100 megapixels made of its photos is sharp at 100 %",
    ZoomBenchmark.run
  ),
  (
    "films", "[COUNT]: time to make the pictures of films of six kinds, beside ffmpegthumbnailer's",
    FilmBenchmark.run
  ),
  (
    "play",
    "[half-blocks] [kitty] [FILM]: time until a film moves; frames, CPU beside timg's, time of a jump",
    PlayBenchmark.run
  ),
  (
    "folder", "FOLDER [COUNT]: first screen, G and memory with 100,000 names, beside ls",
    FolderBenchmark.run
  ),
  (
    "library",
    "JPEG [COUNT...] [keywords]: first and second start by date with 100,000 and 1,000,000 photos, beside ls",
    LibraryBenchmark.run
  ),
  (
    "index", "[COUNT]: time to record and to read what the index knows of 100,000 photos",
    IndexBenchmark.run
  ),
  (
    "links", "FOLDER [MB...]: time from key to visible change over lines of so many MB a second",
    LinkBenchmark.run
  ),
  (
    "peers", "[FOLDER]: photogrid beside the other programs that are installed, as a table",
    PeerBenchmark.run
  ),
  ("memory", "FOLDER: memory with 1,000 photos, and what is done when idle", MemoryBenchmark.run),
]

let arguments = Array(CommandLine.arguments.dropFirst())
if let name = arguments.first, let benchmark = benchmarks.first(where: { $0.name == name }) {
  do {
    try benchmark.run(Array(arguments.dropFirst()))
  } catch {
    FileHandle.standardError.write(Data("photogrid-bench: \(name): \(error)\n".utf8))
    exit(1)
  }
} else {
  print("usage: photogrid-bench BENCHMARK [ARGUMENTS]")
  for benchmark in benchmarks { print("  \(benchmark.name) \(benchmark.usage)") }
  exit(arguments.isEmpty ? 0 : 2)
}
