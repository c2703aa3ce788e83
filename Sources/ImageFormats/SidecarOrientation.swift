import Geometry

/// The property `tiff:Orientation` of a sidecar: the orientation of the picture as it is stored, in
/// place of the one that the photo's file has (XMP specification, part 2, 3.3).
package enum SidecarOrientation {
  private static let name = "Orientation"

  /// Returns the contents of a new sidecar.
  package static func document(_ orientation: Orientation) -> [UInt8] {
    let text = """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" \
      tiff:Orientation="\(orientation.number)"/>
       </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="w"?>

      """
    return Array(text.utf8)
  }

  /// Returns the patch that sets the orientation in a sidecar, and changes nothing else; nil if the
  /// sidecar is not an XMP document in which that can be done.
  package static func patch(_ document: [UInt8], _ orientation: Orientation) -> FilePatch? {
    // A program that was stopped while it created the sidecar has left an empty file.
    guard !document.isEmpty else { return FilePatch([.init(0..<0, Self.document(orientation))]) }
    guard XMPFacts(document, .sidecar).orientation != orientation else { return FilePatch([]) }
    guard let text = XMPText(document, .tiff),
      let new = text.setting(name, to: "\(orientation.number)"),
      XMPFacts(new, .sidecar).orientation == orientation
    else { return nil }
    return FilePatch([.init(0..<document.count, new)])?.trimmed(in: ByteSource(document))
  }
}
