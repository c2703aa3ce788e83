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
    .systemLibrary(name: "CPNG", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    // Parts of the C library that Glibc's own module does not show.
    .systemLibrary(name: "CProcessLimits"),
    .systemLibrary(name: "CPseudoTerminal"),
    .systemLibrary(name: "CWideCharacter"),
    // Signal handlers that must not allocate: the one piece of C that has state.
    .target(name: "CTerminalRestore"),
    // libjpeg's errors, which leave functions by longjmp.
    .target(name: "CJPEGPart", linkerSettings: [.linkedLibrary("jpeg")]),

    .target(name: "PhotoGridCore", dependencies: ["CWideCharacter"]),
    .target(name: "WorkerProtocol", dependencies: ["PhotoGridCore"]),
    .target(name: "ImageFormats", dependencies: ["PhotoGridCore", "WorkerProtocol"]),
    .target(name: "WorkerEnd", dependencies: ["CProcessLimits"]),
    .target(
      name: "FolderListing",
      dependencies: [
        "PhotoGridCore", "WorkerProtocol", "WorkerEnd", "ImageFormats", "CProcessLimits",
      ]),
    .target(
      name: "FileKeeping",
      dependencies: ["PhotoGridCore", "WorkerProtocol", "WorkerEnd", "CProcessLimits"]),
    .target(
      name: "PhotoLibrary", dependencies: ["PhotoGridCore", "WorkerProtocol", "CProcessLimits"]),
    .target(name: "SceneRendering", dependencies: ["PhotoGridCore", "CZlib"]),
    .target(
      name: "TerminalIO",
      dependencies: ["PhotoGridCore", "CNcurses", "CProcessLimits", "CTerminalRestore"]),
    .executableTarget(
      name: "photogrid",
      dependencies: [
        "PhotoGridCore", "WorkerProtocol", "PhotoLibrary", "FolderListing", "FileKeeping",
        "WorkerEnd", "SceneRendering", "TerminalIO", "CProcessLimits",
      ]),
    .executableTarget(
      name: "photogrid-worker",
      dependencies: [
        "PhotoGridCore", "WorkerProtocol", "WorkerEnd", "ImageFormats", "CTurboJPEG", "CJPEGPart",
        "CVips", "CWebPDemux", "CLittleCMS", "CPNG", "CZlib",
      ]),

    // A terminal for programs to be tested and measured in.
    .target(name: "PseudoTerminal", dependencies: ["CPseudoTerminal"]),
    .executableTarget(
      name: "photogrid-bench",
      dependencies: [
        "CTurboJPEG", "PhotoGridCore", "PhotoLibrary", "PseudoTerminal", "SceneRendering",
        "WorkerProtocol",
      ]),
    // libvips saves through variadic functions, which Swift cannot call.
    .target(name: "CSampleEncoding", dependencies: ["CVips"]),
    .executableTarget(name: "draw-samples", dependencies: ["CSampleEncoding", "CVips"]),

    .target(
      name: "TestSupport",
      dependencies: ["PhotoGridCore", "PhotoLibrary", "CTurboJPEG", "CZlib"],
      path: "Tests/TestSupport",
      exclude: ["Fixtures/Images"]),
    .testTarget(
      name: "PhotoGridCoreTests", dependencies: ["PhotoGridCore", "TestSupport"],
      exclude: ["Traces/recorded.txt"]),
    .testTarget(
      name: "FolderListingTests",
      dependencies: [
        "PhotoGridCore", "FolderListing", "PhotoLibrary", "WorkerProtocol", "TestSupport",
        "photogrid",
      ]),
    .testTarget(
      name: "FileKeepingTests",
      dependencies: [
        "PhotoGridCore", "FileKeeping", "PhotoLibrary", "WorkerProtocol", "TestSupport",
        "photogrid",
      ]),
    .testTarget(
      name: "ImageFormatsTests",
      dependencies: ["PhotoGridCore", "ImageFormats", "WorkerProtocol", "TestSupport"]),
    .testTarget(
      name: "WorkerProtocolTests",
      dependencies: ["PhotoGridCore", "WorkerProtocol", "TestSupport"]),
    .testTarget(
      name: "PhotoLibraryTests",
      dependencies: [
        "PhotoGridCore", "PhotoLibrary", "WorkerProtocol", "ImageFormats", "TestSupport",
        "photogrid", "photogrid-worker",
      ]),
    .testTarget(
      name: "PhotoGridWorkerTests",
      dependencies: [
        "PhotoGridCore", "PhotoLibrary", "WorkerProtocol", "TestSupport", "photogrid-worker",
      ]),
    .testTarget(
      name: "SceneRenderingTests",
      dependencies: [
        "PhotoGridCore", "PseudoTerminal", "SceneRendering", "TestSupport", "CZlib",
      ]),
    .testTarget(
      name: "TerminalIOTests",
      dependencies: ["PhotoGridCore", "PseudoTerminal", "TerminalIO", "TestSupport"]),
    .testTarget(
      name: "photogridTests",
      dependencies: [
        "PhotoGridCore", "PseudoTerminal", "SceneRendering", "TerminalIO", "TestSupport",
        "photogrid",
      ]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "PhotoGridCore", "PseudoTerminal", "TestSupport", "photogrid", "photogrid-worker",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
