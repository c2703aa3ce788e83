/// Sidecars with peculiarities that programs can give them.
extension SidecarText {
  static let bareRoot = SidecarText(
    name: "without the usual root, with another prefix",
    text: """
      <rdf:RDF xmlns:rdf="\(rdf)" xmlns:xap="\(xmp)">
        <rdf:Description rdf:about="" xap:Rating="3" xap:CreatorTool="Old program"/>
      </rdf:RDF>
      """,
    stars: Replacement(old: #"xap:Rating="3""#, new: #"xap:Rating="4""#),
    label: Replacement(
      old: #"xap:CreatorTool="Old program""#,
      new: #"xap:CreatorTool="Old program" xap:Label="Green""#),
    readers: [.exifTool])

  static let several = SidecarText(
    name: "several descriptions, an element that is empty",
    text: """
      \u{FEFF}<x:xmpmeta xmlns:x="adobe:ns:meta/">
        <rdf:RDF xmlns:rdf="\(rdf)" xmlns:my="http://example.com/my/">
          <rdf:Description rdf:about="" my:Rating="7" my:Label="mine"/>
          <rdf:Description rdf:about="">
            <Rating xmlns="\(xmp)"/><Label xmlns="\(xmp)"></Label>
          </rdf:Description>
          <rdf:Description rdf:about="" my:other="1"/>
        </rdf:RDF>
      </x:xmpmeta>
      """,
    stars: Replacement(
      old: "<Rating xmlns=\"\(xmp)\"/>", new: "<Rating xmlns=\"\(xmp)\">4</Rating>"),
    label: Replacement(old: "\"></Label>", new: "\">Green</Label>"),
    cleared: Replacement(old: "<Label xmlns=\"\(xmp)\">Green</Label>", new: ""),
    readers: [.exiv2])

  static let oddities = SidecarText(
    name: "comments, sections and entities",
    text: """
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
        <!-- <xmp:Rating>1</xmp:Rating> -->
        <rdf:RDF xmlns:rdf="\(rdf)">
          <rdf:Description rdf:about="" xmlns:xmp="\(xmp)" xmp:Label='&#66;lue' >
            <xmp:Nickname>a<![CDATA[<xmp:Rating>2</xmp:Rating>]]>b</xmp:Nickname>
            <xmp:Rating><!-- stars --><![CDATA[3]]></xmp:Rating  >
          </rdf:Description>
        </rdf:RDF>
      </x:xmpmeta>

      """,
    stars: Replacement(old: "<!-- stars --><![CDATA[3]]>", new: "4<!-- stars -->"),
    label: Replacement(old: "'&#66;lue'", new: "'Green'"),
    cleared: Replacement(old: " xmp:Label='Green'", new: ""),
    readers: [.exiv2])

  static let blanks = SidecarText(
    name: "blanks around the rating and the label",
    text: """
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
        <rdf:RDF xmlns:rdf="\(rdf)">
          <rdf:Description rdf:about="" xmlns:xmp="\(xmp)" xmp:Label=" Red ">
            <xmp:Nickname> a </xmp:Nickname>
            <xmp:Rating> 3
            </xmp:Rating>
          </rdf:Description>
        </rdf:RDF>
      </x:xmpmeta>

      """,
    stars: Replacement(old: "> 3\n      </xmp:Rating>", new: ">4</xmp:Rating>"),
    label: Replacement(old: "\" Red \"", new: "\"Green\""),
    cleared: Replacement(old: " xmp:Label=\"Green\"", new: ""))

  static let carriage = SidecarText(
    name: "lines that end with CR and LF",
    text: bridge.text.split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "\r\n"),
    stars: bridge.stars, label: bridge.label,
    cleared: Replacement(old: "         <xmp:Label>Green</xmp:Label>\r\n", new: ""))
}
