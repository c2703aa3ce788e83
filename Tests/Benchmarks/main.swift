import Foundation

/// What can be measured: the name and the arguments on the command line, what is printed, and how.
private let benchmarks:
  [(name: String, usage: String, summary: String, run: (Arguments) throws -> Void)] = [
    // The whole program.
    ("start", "[FOLDER...] [--beside PROGRAM]", "first frame, beside other builds'", measureStart),
    ("settle", "FOLDER", "until all tiles show their photo, beside timg's", measureSettling),
    ("thumbnails", "[FOLDER]", "the same without and with a cache, and CPU", measureThumbnails),
    ("folder", "FOLDER [COUNT]", "100,000 names, beside ls", measureFolder),
    ("library", "JPEG [COUNT...] [keywords]", "100,000 and 1,000,000 by date", measureLibrary),
    ("sort", "FOLDER", "10,000 JPEGs sorted by date taken, and keys meanwhile", measureSorting),
    ("transition", "FOLDER", "frames of the zoom, and their intervals", measureTransitions),
    ("input", "", "a megabyte of pasted text, mouse motion and response", measureInput),
    ("links", "FOLDER [MEGABYTES...]", "from key to visible change over slow lines", measureLinks),
    ("zoom", "FOLDER", "until a JPEG of 100 megapixels is sharp at 100 %", measureZoom),
    ("sharp-step", "JPEG", "until the next of 60 megapixels is sharp", measureSharpSteps),
    ("culling", "JPEG", "until ratings are seen and on disk, and sharp-step", measureCulling),
    ("embedded-rating", "JPEG [MEGABYTES]", "beside cp and sync", measureEmbeddedRating),
    ("films", "[COUNT]", "pictures of films, beside ffmpegthumbnailer's", measureFilms),
    ("play", "[FILM] [half-blocks] [kitty]", "until a film moves, CPU, jumps", measurePlaying),
    ("memory", "FOLDER", "memory with 1,000 photos, and idle activity", measureMemory),
    ("resident", "FOLDER [OPTION...]", "memory while a folder is browsed", measureResident),
    ("peers", "[FOLDER]", "beside the other programs that are installed", comparePeers),
    ("hidden", "[SECONDS]", "films and slides in a window that nobody sees", measureHidden),
    ("killed", "[TIMES]", "until the terminal is restored after kill -9", measureKilled),
    // Its parts.
    ("frames", "[--short] [--wedges] [--colors DEPTH]", "CPU and bytes of frames", measureFrames),
    ("scrub", "", "frames of a drag of the scrubber over 100,000 photos", measureScrubbing),
    ("pan", "", "frames of a moved photo", measurePanning),
    ("kitty", "[FOLDER]", "frames by kitty's protocol, a first screen's bytes", measureKitty),
    ("sixel", "FOLDER...", "a still as sixels, beside img2sixel's", measureSixels),
    (
      "fidelity",
      "[FOLDER...] [--only PART] [--photos COUNT] [--columns COUNT] [--symbols SET] [--colors DEPTH]",
      "how true cells, tiles, panes and sixel are, beside others'", measureFidelity
    ),
    ("filter", "[no-keywords]", "each key typed into a filter", measureFiltering),
    ("palette", "", "each key typed into the palette", measurePalette),
    ("layout", "", "100,000 photos laid out, and the visible ones found", measureLayouts),
    ("similar", "", "near duplicates, pairs and stacks of 100,000 photos", measureSimilar),
    ("index", "[COUNT]", "what the index knows of 100,000 photos", measureIndex),
    ("sandbox", "[FOLDER]", "a worker's start to its first response", measureSandbox),
    ("corpus", "FOLDER... [--each] [--peers]", "files shown, and what each costs", measureCorpus),
    // What goes wrong.
    ("dead-disk", "FOLDER [KEYS]", "keys, and quitting, on a disk that fails", measureDeadDisks),
    ("shared", "FOLDER [TIMES]", "until another's change is shown", measureSharedFolder),
    ("liars", "FOLDER [KEYS] [WORDS]", "while helper processes lie", measureLiars),
    ("soak", "FOLDER [SECONDS] [SEED] [OPTION...]", "random events, memory", soak),
    ("hostile-terminal", "FOLDER [SECONDS] [SEED]", "random responses", soakHostileTerminals),
  ]

private let words = Array(CommandLine.arguments.dropFirst())
if let benchmark = benchmarks.first(where: { $0.name == words.first }) {
  do {
    try benchmark.run(try Arguments(Array(words.dropFirst()), usage: benchmark.usage))
  } catch {
    FileHandle.standardError.write(Data("photogrid-bench: \(benchmark.name): \(error)\n".utf8))
    exit(1)
  }
} else {
  print("usage: photogrid-bench BENCHMARK [ARGUMENTS]")
  for (name, usage, summary, _) in benchmarks {
    print("  \(name)\(usage.isEmpty ? "" : " " + usage): \(summary)")
  }
  exit(words.isEmpty ? 0 : 2)
}
