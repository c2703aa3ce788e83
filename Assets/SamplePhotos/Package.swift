// swift-tools-version: 6.2

import PackageDescription

// The program that draws the sample photos of ../Photos and the icon ../Packaging/photogrid.svg.
// It is a package of its own because photogrid is neither built nor tested with it.
let package = Package(
  name: "draw-samples",
  targets: [
    .systemLibrary(name: "CVips", pkgConfig: "glib-2.0", providers: [.apt(["libvips-dev"])]),
    // libvips saves through variadic functions, which Swift cannot call.
    .target(name: "CSampleEncoding", dependencies: ["CVips"]),
    .executableTarget(name: "draw-samples", dependencies: ["CSampleEncoding", "CVips"]),
  ],
  swiftLanguageModes: [.v6]
)
