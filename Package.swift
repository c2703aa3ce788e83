// swift-tools-version: 6.2

import PackageDescription

// The one rule of the graph: everything may import PhotoGridCore, and PhotoLibrary,
// SceneRendering and TerminalIO never import each other.
let package = Package(
  name: "photogrid",
  products: [
    .executable(name: "photogrid", targets: ["photogrid"]),
    .executable(name: "photogrid-worker", targets: ["photogrid-worker"]),
  ],
  targets: [
    // System libraries, each reached through a module map.
    .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
    .systemLibrary(name: "CTurboJPEG", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(name: "CVips", pkgConfig: "glib-2.0", providers: [.apt(["libvips-dev"])]),
    .systemLibrary(name: "CWebPDemux", providers: [.apt(["libwebp-dev"])]),
    .systemLibrary(name: "CLittleCMS", providers: [.apt(["liblcms2-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CExempi", providers: [.apt(["libexempi-dev"])]),
    // Parts of the C library that Glibc's own module does not show.
    .systemLibrary(name: "CLinux"),
    // Signal handlers that must not allocate.
    .target(name: "CTerminalRestore"),
    // The program's arguments, which Swift reads from /proc alone.
    .target(name: "CArguments"),
    // Tables and structures of the kernel's, by which a process gives up rights.
    .target(name: "CConfinement"),
    // libjpeg's errors, which leave functions by longjmp.
    .target(name: "CJPEGRegion", linkerSettings: [.linkedLibrary("jpeg")]),
    // The same for libpng's errors.
    .target(name: "CPNG", linkerSettings: [.linkedLibrary("png")]),

    .target(name: "PhotoGridCore", dependencies: ["CLinux"]),
    .target(name: "WorkerProtocol", dependencies: ["PhotoGridCore"]),
    .target(name: "ImageFormats", dependencies: ["PhotoGridCore", "CZlib"]),
    .target(
      name: "WorkerRuntime",
      dependencies: ["WorkerProtocol", "ImageFormats", "CArguments", "CLinux", "CConfinement"]),
    // Tries what a confined process must not do.
    .executableTarget(name: "confinement-check", dependencies: ["WorkerRuntime", "CLinux"]),
    .target(
      name: "FactIndex",
      dependencies: ["PhotoGridCore", "WorkerProtocol", "WorkerRuntime", "CSQLite", "CLinux"]),
    .target(
      name: "FolderWorker",
      dependencies: [
        "PhotoGridCore", "WorkerProtocol", "WorkerRuntime", "FactIndex", "ImageFormats", "CLinux",
      ]),
    .target(
      name: "FileWorker",
      dependencies: [
        "PhotoGridCore", "WorkerProtocol", "WorkerRuntime", "ImageFormats", "CLinux",
      ]),
    .target(
      name: "RatingWorker",
      dependencies: [
        "PhotoGridCore", "WorkerProtocol", "WorkerRuntime", "ImageFormats", "CExempi", "CLinux",
      ]),
    .target(name: "PhotoLibrary", dependencies: ["PhotoGridCore", "WorkerProtocol", "CLinux"]),
    .target(name: "SceneRendering", dependencies: ["PhotoGridCore", "CZlib"]),
    .target(
      name: "TerminalIO",
      dependencies: ["PhotoGridCore", "CNcurses", "CLinux", "CTerminalRestore"]),
    .executableTarget(
      name: "photogrid",
      dependencies: [
        "PhotoGridCore", "WorkerProtocol", "PhotoLibrary", "FactIndex", "FolderWorker",
        "FileWorker", "WorkerRuntime", "SceneRendering", "TerminalIO", "CLinux",
      ]),
    .executableTarget(
      name: "photogrid-worker",
      dependencies: [
        "PhotoGridCore", "WorkerProtocol", "WorkerRuntime", "ImageFormats", "RatingWorker",
        "CLinux", "CTurboJPEG", "CJPEGRegion", "CVips", "CWebPDemux", "CLittleCMS", "CPNG", "CZlib",
      ]),

    // Measures the product: built beside it, installed never, so not among its sources.
    .executableTarget(
      name: "photogrid-bench",
      dependencies: [
        "CLinux", "CTurboJPEG", "FactIndex", "PhotoGridCore", "PhotoLibrary", "PseudoTerminal",
        "SceneRendering", "WorkerProtocol", "WorkerRuntime",
      ],
      path: "Sources/Tools/photogrid-bench"),

    // A terminal that runs programs for tests and benchmarks: it belongs to the tests.
    .target(
      name: "PseudoTerminal", dependencies: ["CLinux", "PhotoGridCore", "WorkerProtocol"],
      path: "Tests/TerminalHarness"),
    // Kills a program at a chosen call of the kernel.
    .executableTarget(name: "kill-at-call", path: "Tests/KillAtCall"),
    // Runs a program as on a system without a layer of the sandbox.
    .executableTarget(name: "without-call", path: "Tests/WithoutCall"),
    // Runs a program for which a folder is on a disk that does not respond.
    .executableTarget(name: "hanging-folder", path: "Tests/HangingFolder"),
    // Runs a program for which folders are on disks that fail on command, or lose their power.
    .executableTarget(name: "faulty-disk", path: "Tests/FaultyDisk"),
    .target(
      name: "TestSupport",
      dependencies: ["PhotoGridCore", "PhotoLibrary", "CLinux", "CTurboJPEG", "CZlib"],
      path: "Tests/TestSupport",
      exclude: ["Fixtures/Images"]),
    .testTarget(
      name: "PhotoGridCoreTests", dependencies: ["PhotoGridCore", "TestSupport"],
      exclude: ["Traces/recorded.txt"]),
    .testTarget(
      name: "FolderWorkerTests",
      dependencies: [
        "PhotoGridCore", "FolderWorker", "ImageFormats", "PhotoLibrary", "WorkerProtocol",
        "TestSupport", "photogrid",
      ]),
    .testTarget(
      name: "FactIndexTests",
      dependencies: [
        "PhotoGridCore", "FactIndex", "FolderWorker", "PhotoLibrary", "WorkerProtocol",
        "WorkerRuntime", "TestSupport", "CSQLite", "kill-at-call", "photogrid", "without-call",
      ]),
    .testTarget(
      name: "FileWorkerTests",
      dependencies: [
        "PhotoGridCore", "FileWorker", "ImageFormats", "PhotoLibrary", "PseudoTerminal",
        "WorkerProtocol", "TestSupport", "faulty-disk", "kill-at-call", "photogrid",
        "photogrid-worker",
      ]),
    .testTarget(
      name: "RatingWorkerTests",
      dependencies: [
        "CLinux", "FileWorker", "ImageFormats", "PhotoGridCore", "PhotoLibrary", "PseudoTerminal",
        "RatingWorker", "WorkerProtocol", "WorkerRuntime", "TestSupport", "faulty-disk",
        "kill-at-call", "photogrid", "photogrid-worker", "without-call",
      ]),
    .testTarget(
      name: "ImageFormatsTests",
      dependencies: ["PhotoGridCore", "ImageFormats", "WorkerProtocol", "TestSupport"]),
    .testTarget(
      name: "WorkerProtocolTests",
      dependencies: ["PhotoGridCore", "WorkerProtocol", "TestSupport"]),
    .testTarget(
      name: "WorkerRuntimeTests",
      dependencies: [
        "CLinux", "ImageFormats", "PhotoGridCore", "PhotoLibrary", "PseudoTerminal", "TestSupport",
        "WorkerProtocol", "WorkerRuntime", "confinement-check", "photogrid", "photogrid-worker",
        "without-call",
      ]),
    .testTarget(
      name: "PhotoLibraryTests",
      dependencies: [
        "PhotoGridCore", "PhotoLibrary", "WorkerProtocol", "ImageFormats", "TestSupport",
        "photogrid", "photogrid-worker",
      ]),
    .testTarget(
      name: "photogrid-workerTests",
      dependencies: [
        "ImageFormats", "PhotoGridCore", "PhotoLibrary", "WorkerProtocol", "TestSupport",
        "photogrid-worker",
      ]),
    .testTarget(
      name: "SceneRenderingTests",
      dependencies: [
        "PhotoGridCore", "PseudoTerminal", "SceneRendering", "TestSupport", "CZlib",
      ]),
    .testTarget(
      name: "TerminalIOTests",
      dependencies: [
        "PhotoGridCore", "CTerminalRestore", "PseudoTerminal", "TerminalIO", "TestSupport",
      ]),
    .testTarget(
      name: "photogridTests",
      dependencies: [
        "PhotoGridCore", "PseudoTerminal", "SceneRendering", "TerminalIO", "TestSupport",
        "photogrid",
      ], exclude: ["texts.txt"]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "FactIndex", "PhotoGridCore", "PseudoTerminal", "TestSupport", "WorkerProtocol",
        "faulty-disk", "hanging-folder", "kill-at-call", "photogrid", "photogrid-worker",
        "without-call",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// Packages bring no more of Swift's runtime than the programs need. Without the first two,
// `contains` of a text would call the library of regular expressions, and a global variable of a
// `main.swift` would belong to an actor. Functions in sections of their own are left out by the
// linker where nothing calls them. Names of properties and cases are left out of releases: only
// `Mirror` and descriptions of values read them, as traces do in tests.
let shipped: Set = [
  "PhotoGridCore", "WorkerProtocol", "ImageFormats", "WorkerRuntime", "FactIndex", "FolderWorker",
  "FileWorker", "RatingWorker", "PhotoLibrary", "SceneRendering", "TerminalIO", "photogrid",
  "photogrid-worker",
]
// These wait for files and people more than they compute.
let small: Set = [
  "FileWorker", "RatingWorker", "photogrid", "PhotoLibrary", "TerminalIO", "WorkerRuntime",
  "FolderWorker", "WorkerProtocol", "photogrid-worker", "ImageFormats", "FactIndex",
]
for target in package.targets where shipped.contains(target.name) {
  target.swiftSettings = [
    .unsafeFlags([
      "-Xfrontend", "-disable-implicit-string-processing-module-import",
      "-Xfrontend", "-disable-implicit-concurrency-module-import",
    ]),
    .unsafeFlags(
      ["-Xfrontend", "-function-sections", "-Xfrontend", "-disable-reflection-metadata"]
        + (small.contains(target.name) ? ["-Osize"] : []),
      .when(configuration: .release)),
  ]
}

// `Tests/run` sets this, to test optimized programs. Tests that compute pictures are optimized too; for
// the others it would only double the time to compile them.
if Context.environment["PHOTOGRID_OPTIMIZED"] != nil {
  let others: Set = [
    "photogrid-bench", "EndToEndTests", "FactIndexTests", "FileWorkerTests", "FolderWorkerTests",
    "PhotoGridCoreTests", "RatingWorkerTests", "TerminalIOTests", "WorkerRuntimeTests",
    "photogridTests",
  ]
  for target in package.targets
  where [.regular, .executable, .test].contains(target.type) && !others.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-O"])]
  }
}

// PHOTOGRID_TESTS='PhotoGridCoreTests TerminalIOTests' builds the tests of these modules alone.
if let chosen = Context.environment["PHOTOGRID_TESTS"] {
  let names = chosen.split(separator: " ").map(String.init)
  package.targets.removeAll { target in
    (target.type == .test || target.name == "photogrid-bench") && !names.contains(target.name)
  }
}
