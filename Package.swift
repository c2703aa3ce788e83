// swift-tools-version: 6.2

import PackageDescription

// The layers: geometry; photos and their facts; what the browser and the terminal exchange; the browser.
// Workers need no more than the first two. PhotoLibrary, SceneRendering and TerminalIO need the first
// three, and never import each other: photogrid alone connects them with the browser.
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

    .target(name: "Geometry", dependencies: ["CLinux"]),
    .target(name: "Photos", dependencies: ["Geometry", "CLinux"]),
    .target(name: "SceneModel", dependencies: ["Geometry", "Photos"]),
    .target(name: "PhotoGridCore", dependencies: ["Geometry", "Photos", "SceneModel", "CLinux"]),
    .target(name: "WorkerProtocol", dependencies: ["Geometry", "Photos"]),
    .target(name: "ImageFormats", dependencies: ["Geometry", "Photos", "CZlib"]),
    .target(
      name: "WorkerRuntime",
      dependencies: [
        "Geometry", "Photos", "CArguments", "CConfinement", "CLinux", "ImageFormats",
        "WorkerProtocol",
      ]),
    // Tries what a confined process must not do.
    .executableTarget(name: "confinement-check", dependencies: ["WorkerRuntime", "CLinux"]),
    .target(
      name: "FactIndex",
      dependencies: ["Geometry", "Photos", "WorkerProtocol", "CSQLite", "CLinux"]),
    .target(
      name: "FolderWorker",
      dependencies: [
        "Geometry", "Photos", "WorkerProtocol", "WorkerRuntime", "FactIndex", "ImageFormats",
        "CLinux",
      ]),
    .target(
      name: "FileWorker",
      dependencies: [
        "Geometry", "Photos", "WorkerProtocol", "WorkerRuntime", "ImageFormats", "CLinux",
      ]),
    .target(
      name: "AnnotationWorker",
      dependencies: [
        "Photos", "WorkerProtocol", "WorkerRuntime", "ImageFormats", "CExempi", "CLinux",
      ]),
    .target(
      name: "PhotoLibrary",
      dependencies: ["Geometry", "Photos", "SceneModel", "WorkerProtocol", "CLinux"]),
    .target(name: "SceneRendering", dependencies: ["Geometry", "Photos", "SceneModel", "CZlib"]),
    .target(
      name: "TerminalIO",
      dependencies: ["Geometry", "Photos", "SceneModel", "CNcurses", "CLinux", "CTerminalRestore"]),
    .target(name: "ManualText", resources: [.embedInCode("MANUAL.md")]),
    .executableTarget(
      name: "photogrid",
      dependencies: [
        "ManualText", "Geometry", "Photos", "SceneModel", "PhotoGridCore", "WorkerProtocol",
        "PhotoLibrary",
        "FactIndex", "FolderWorker", "FileWorker", "WorkerRuntime", "SceneRendering", "TerminalIO",
        "CLinux",
      ]),
    .executableTarget(
      name: "photogrid-worker",
      dependencies: [
        "Geometry", "Photos", "WorkerProtocol", "WorkerRuntime", "ImageFormats", "AnnotationWorker",
        "CLinux", "CTurboJPEG", "CJPEGRegion", "CVips", "CWebPDemux", "CLittleCMS", "CPNG", "CZlib",
      ]),

    // Measures the product: built beside it, installed never, so not among its sources.
    .executableTarget(
      name: "photogrid-bench",
      dependencies: [
        "Geometry", "Photos", "SceneModel", "PhotoGridCore", "CLinux", "CTurboJPEG", "FactIndex",
        "PhotoLibrary", "PseudoTerminal", "SceneRendering", "WorkerProtocol", "WorkerRuntime",
      ],
      path: "Tests/Benchmarks"),

    // A terminal that runs programs for tests and benchmarks: it belongs to the tests.
    .target(
      name: "PseudoTerminal", dependencies: ["Geometry", "Photos", "CLinux", "WorkerProtocol"],
      path: "Tests/TerminalHarness"),
    // Kills a program at a chosen call of the kernel.
    .executableTarget(name: "kill-at-call", path: "Tests/Faults/KillAtCall"),
    // Runs a program as on a system without a layer of the sandbox.
    .executableTarget(name: "without-call", path: "Tests/Faults/WithoutCall"),
    // Runs a program for which a folder is on a disk that does not respond.
    .executableTarget(name: "hanging-folder", path: "Tests/Faults/HangingFolder"),
    // Runs a program for which folders are on disks that fail on command, or lose their power.
    .executableTarget(name: "faulty-disk", path: "Tests/Faults/FaultyDisk"),
    .target(
      name: "TestSupport",
      dependencies: [
        "Geometry", "Photos", "SceneModel", "PhotoLibrary", "CLinux", "CTurboJPEG", "CZlib",
      ],
      path: "Tests/TestSupport",
      exclude: ["Fixtures/Images"]),
    .testTarget(
      name: "GeometryTests", dependencies: ["Geometry", "TestSupport"]),
    .testTarget(
      name: "PhotosTests", dependencies: ["Geometry", "Photos", "TestSupport"]),
    .testTarget(
      name: "PhotoGridCoreTests",
      dependencies: ["Geometry", "Photos", "SceneModel", "PhotoGridCore", "TestSupport"],
      exclude: ["Traces/recorded.txt"]),
    .testTarget(
      name: "FolderWorkerTests",
      dependencies: [
        "Geometry", "Photos", "FolderWorker", "ImageFormats", "PhotoLibrary", "WorkerProtocol",
        "TestSupport", "photogrid",
      ]),
    .testTarget(
      name: "FactIndexTests",
      dependencies: [
        "Geometry", "Photos", "FactIndex", "FolderWorker", "PhotoLibrary", "WorkerProtocol",
        "WorkerRuntime", "TestSupport", "CSQLite", "kill-at-call", "photogrid", "without-call",
      ]),
    .testTarget(
      name: "FileWorkerTests",
      dependencies: [
        "Geometry", "Photos", "FileWorker", "ImageFormats", "PhotoLibrary", "PseudoTerminal",
        "WorkerProtocol", "WorkerRuntime", "TestSupport", "faulty-disk", "kill-at-call",
        "photogrid", "photogrid-worker",
      ]),
    .testTarget(
      name: "AnnotationWorkerTests",
      dependencies: [
        "Geometry", "Photos", "CLinux", "faulty-disk", "FileWorker", "ImageFormats", "kill-at-call",
        "photogrid", "photogrid-worker", "PhotoLibrary", "PseudoTerminal", "AnnotationWorker",
        "TestSupport", "without-call", "WorkerProtocol", "WorkerRuntime",
      ]),
    .testTarget(
      name: "ImageFormatsTests",
      dependencies: ["Geometry", "Photos", "ImageFormats", "WorkerProtocol", "TestSupport"]),
    .testTarget(
      name: "WorkerProtocolTests",
      dependencies: ["Geometry", "Photos", "WorkerProtocol", "TestSupport"]),
    .testTarget(
      name: "WorkerRuntimeTests",
      dependencies: [
        "Geometry", "Photos", "CLinux", "ImageFormats", "PhotoLibrary", "PseudoTerminal",
        "TestSupport", "WorkerProtocol", "WorkerRuntime", "confinement-check", "photogrid",
        "photogrid-worker", "without-call",
      ]),
    .testTarget(
      name: "PhotoLibraryTests",
      dependencies: [
        "Geometry", "Photos", "SceneModel", "PhotoLibrary", "WorkerProtocol", "ImageFormats",
        "TestSupport", "photogrid", "photogrid-worker",
      ]),
    .testTarget(
      name: "photogrid-workerTests",
      dependencies: [
        "Geometry", "Photos", "SceneModel", "ImageFormats", "PhotoLibrary", "WorkerProtocol",
        "TestSupport", "photogrid-worker",
      ]),
    .testTarget(
      name: "SceneRenderingTests",
      dependencies: [
        "Geometry", "Photos", "SceneModel", "PhotoGridCore", "PseudoTerminal", "SceneRendering",
        "TestSupport", "CZlib",
      ]),
    .testTarget(
      name: "TerminalIOTests",
      dependencies: [
        "Geometry", "Photos", "SceneModel", "CTerminalRestore", "PseudoTerminal", "TerminalIO",
        "TestSupport",
      ]),
    .testTarget(
      name: "photogridTests",
      dependencies: [
        "ManualText", "Geometry", "Photos", "PhotoGridCore", "PseudoTerminal", "SceneRendering",
        "TerminalIO",
        "TestSupport", "photogrid",
      ], exclude: ["texts.txt"]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "Geometry", "FactIndex", "PseudoTerminal", "TestSupport", "WorkerProtocol", "faulty-disk",
        "hanging-folder", "kill-at-call", "photogrid", "photogrid-worker", "without-call",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// What is tested is what is installed: one build of optimized modules, which tests import as testable.
// Tests are compiled without optimization, which takes a fraction of the time, except for those that
// compute pictures. Nobody looks at debug information in releases, which takes a quarter more time.
let tools: Set = [
  "confinement-check", "photogrid-bench", "PseudoTerminal", "TestSupport", "kill-at-call",
  "without-call", "hanging-folder", "faulty-disk",
]
let computing: Set = [
  "ImageFormatsTests", "PseudoTerminal", "SceneRenderingTests", "TestSupport",
  "photogrid-workerTests",
]
for target in package.targets where [.regular, .executable, .test].contains(target.type) {
  let isProduct = target.type != .test && !tools.contains(target.name)
  let isOptimized = isProduct || computing.contains(target.name)
  let flags =
    ["-Xfrontend", "-gnone"] + (isProduct ? ["-enable-testing"] : [])
    + (isOptimized ? [] : ["-Onone"])
  var settings = [SwiftSetting.unsafeFlags(flags, .when(configuration: .release))]
  if isProduct {
    // Without these, `contains` of a text would call the library of regular expressions, and a global
    // variable of a `main.swift` would belong to an actor: both load libraries at each start.
    settings.append(
      .unsafeFlags([
        "-Xfrontend", "-disable-implicit-string-processing-module-import",
        "-Xfrontend", "-disable-implicit-concurrency-module-import",
      ]))
  }
  if Context.environment["PHOTOGRID_STRICT"] != nil {
    settings.append(.treatAllWarnings(as: .error))
    target.cSettings = [.treatAllWarnings(as: .error)]
  }
  target.swiftSettings = settings
}

// What the loader has set up cannot be overwritten later, as in every package of Debian.
for target in package.targets where ["photogrid", "photogrid-worker"].contains(target.name) {
  target.linkerSettings = [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "relro"])]
}

// PHOTOGRID_TESTS='PhotoGridCoreTests TerminalIOTests' builds the tests of these modules alone.
if let chosen = Context.environment["PHOTOGRID_TESTS"] {
  let names = chosen.split(separator: " ").map(String.init)
  package.targets.removeAll { target in
    (target.type == .test || target.name == "photogrid-bench") && !names.contains(target.name)
  }
}
