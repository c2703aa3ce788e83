import Foundation
import Geometry
import TestSupport

@testable import AnnotationWorker

/// A folder with photos and sidecars, which other programs can read.
struct RatedFolder {
  let folder = TemporaryFolder()

  /// The bytes of a picture of the tests.
  static func picture(_ name: String) -> [UInt8] { image(name) }

  /// Writes a file, and returns its path.
  @discardableResult
  func write(_ bytes: [UInt8], to name: String) -> [UInt8] { folder.write(bytes, to: name) }

  func path(_ name: String) -> [UInt8] { folder.path(name) }

  /// The bytes of a file; nil if there is none.
  func bytes(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: "\(folder.path)/\(name)").map { Array($0) }
  }

  /// The names of all files, hidden ones too.
  var names: [String] { names(in: ".") }

  func names(in name: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\(name)")) ?? [])
      .sorted()
  }

  /// What a program prints about files of the folder.
  func output(of program: String, _ arguments: String...) -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/\(program)")
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return "" }
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The keywords of a photo, in its sidecar or in itself.
  static func keywords(of photo: [UInt8]) -> [String] {
    let sidecar = FileManager.default.contents(
      atPath: String(decoding: photo, as: UTF8.self) + ".xmp")
    return sidecar.flatMap { XMPPacket(parsing: Array($0))?.keywords }
      ?? EmbeddedXMP.keywords(ofPhoto: photo)
  }

  /// A sidecar as other programs write it, with properties of their own.
  static func sidecar(_ properties: String) -> [UInt8] {
    Array(
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Adobe XMP Core 5.6">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
          xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:my="http://example.com/my/"
          \(properties) my:note="one &amp; two">
         <dc:subject><rdf:Bag><rdf:li>Rome</rdf:li><rdf:li>été</rdf:li></rdf:Bag></dc:subject>
        </rdf:Description>
       </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="w"?>
      """.utf8)
  }
}
