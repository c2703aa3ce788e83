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
    // The system calls that confine a worker; glibc's, so no package provides them.
    .systemLibrary(name: "CProcessLimits"),
    // Signal handlers that must not allocate: the one piece of C that has state.
    .target(name: "CTerminalRestore"),

    .target(name: "PhotoGridCore"),
    .target(name: "WorkerProtocol", dependencies: ["PhotoGridCore"]),
    .target(name: "ImageFormats", dependencies: ["WorkerProtocol"]),
    .target(name: "PhotoLibrary", dependencies: ["PhotoGridCore", "WorkerProtocol"]),
    .target(name: "SceneRendering", dependencies: ["PhotoGridCore"]),
    .target(name: "TerminalIO", dependencies: ["PhotoGridCore", "CNcurses", "CTerminalRestore"]),
    .executableTarget(
      name: "photogrid",
      dependencies: ["PhotoGridCore", "PhotoLibrary", "SceneRendering", "TerminalIO"]),
    .executableTarget(
      name: "photogrid-worker",
      dependencies: [
        "PhotoGridCore", "WorkerProtocol", "ImageFormats", "CProcessLimits", "CTurboJPEG", "CVips",
        "CExif", "CLittleCMS",
      ]),
    .executableTarget(
      name: "photogrid-bench",
      dependencies: ["PhotoGridCore", "PhotoLibrary", "SceneRendering"]),
    .executableTarget(name: "draw-samples", dependencies: ["CVips", "CTurboJPEG"]),

    .testTarget(name: "PhotoGridCoreTests", dependencies: ["PhotoGridCore"]),
    .testTarget(
      name: "PhotoLibraryTests",
      dependencies: [
        "PhotoGridCore", "PhotoLibrary", "WorkerProtocol", "ImageFormats", "photogrid-worker",
      ],
      exclude: ["Images"]),
    .testTarget(
      name: "SceneRenderingTests", dependencies: ["PhotoGridCore", "SceneRendering"]),
    .testTarget(name: "TerminalIOTests", dependencies: ["PhotoGridCore", "TerminalIO"]),
    .testTarget(name: "EndToEndTests", dependencies: ["PhotoGridCore"]),
  ],
  swiftLanguageModes: [.v6]
)
