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
    .systemLibrary(name: "CExif", providers: [.apt(["libexif-dev"])]),
    .systemLibrary(name: "CLittleCMS", providers: [.apt(["liblcms2-dev"])]),
    // Signal handlers that must not allocate: the one piece of C that has state.
    .target(name: "CTerminalRestore"),

    .target(name: "PhotoGridCore"),
    .target(name: "WorkerProtocol", dependencies: ["PhotoGridCore"]),
    .target(name: "PhotoLibrary", dependencies: ["PhotoGridCore", "WorkerProtocol"]),
    .target(name: "SceneRendering", dependencies: ["PhotoGridCore"]),
    .target(name: "TerminalIO", dependencies: ["PhotoGridCore", "CNcurses", "CTerminalRestore"]),
    .executableTarget(
      name: "photogrid",
      dependencies: ["PhotoGridCore", "PhotoLibrary", "SceneRendering", "TerminalIO"]),
    .executableTarget(
      name: "photogrid-worker",
      dependencies: [
        "PhotoGridCore", "WorkerProtocol", "CTurboJPEG", "CVips", "CExif", "CLittleCMS",
      ]),
    .executableTarget(
      name: "photogrid-bench",
      dependencies: ["PhotoGridCore", "PhotoLibrary", "SceneRendering"]),
    // libvips saves through variadic functions, which Swift cannot call.
    .target(name: "CSampleEncoding", dependencies: ["CVips"]),
    .executableTarget(name: "draw-samples", dependencies: ["CSampleEncoding", "CVips"]),

    .testTarget(name: "PhotoGridCoreTests", dependencies: ["PhotoGridCore"]),
    .testTarget(
      name: "PhotoLibraryTests", dependencies: ["PhotoGridCore", "PhotoLibrary", "WorkerProtocol"]),
    .testTarget(
      name: "SceneRenderingTests", dependencies: ["PhotoGridCore", "SceneRendering"]),
    .testTarget(name: "TerminalIOTests", dependencies: ["PhotoGridCore", "TerminalIO"]),
    .testTarget(name: "EndToEndTests", dependencies: ["PhotoGridCore"]),
  ],
  swiftLanguageModes: [.v6]
)
