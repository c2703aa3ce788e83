import Testing

/// The text of a sidecar in the layout of a program, and what changes in it.
struct SidecarText: Sendable, CustomTestStringConvertible {
  /// A part of the text, and what it becomes.
  struct Replacement: Sendable {
    var old: String
    var new: String
  }

  /// The program, or the peculiarity.
  var name: String
  /// The text, which has each of the parts that change once.
  var text: String
  /// What changes when the photo gets four stars.
  var stars: Replacement
  /// What changes when the photo gets a green label after that.
  var label: Replacement
  /// What changes when the label is removed again; nil for the opposite of what added it.
  var cleared: Replacement?
  /// The programs that can read such a text.
  var readers: Set<Reader> = [.exifTool, .exiv2]

  /// A program that reads ratings.
  enum Reader { case exifTool, exiv2 }

  var testDescription: String { name }

  var bytes: [UInt8] { Array(text.utf8) }

  /// The text with one part replaced.
  static func replacing(_ replacement: Replacement, in text: String) -> String {
    let parts = text.split(separator: replacement.old, omittingEmptySubsequences: false)
    precondition(parts.count == 2, "\(replacement.old) is \(parts.count - 1) times in \(text)")
    return parts.joined(separator: replacement.new)
  }

  private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  private static let xmp = "http://ns.adobe.com/xap/1.0/"

  static let all = [
    lightroom, darktable, digiKam, bridge, exifTool, exiv2, bareRoot, several, oddities, blanks,
    carriage,
  ]

  static let lightroom = SidecarText(
    name: "Lightroom",
    text: """
      <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Adobe XMP Core 7.0-c000 1.000000, 0000/00/00-00:00:00        ">
       <rdf:RDF xmlns:rdf="\(rdf)">
        <rdf:Description rdf:about=""
          xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
          xmlns:xmp="\(xmp)"
          xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
          xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
          xmlns:stEvt="http://ns.adobe.com/xap/1.0/sType/ResourceEvent#"
          xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
         tiff:Make="NIKON CORPORATION"
         xmp:ModifyDate="2024-05-04T18:03:21.57+02:00"
         xmp:Rating="2"
         photoshop:SidecarForExtension="NEF"
         crs:Exposure2012="+0.35"
         crs:HasSettings="True">
         <xmpMM:History>
          <rdf:Seq>
           <rdf:li
            stEvt:action="saved"
            stEvt:changed="/metadata"/>
          </rdf:Seq>
         </xmpMM:History>
         <crs:ToneCurvePV2012>
          <rdf:Seq>
           <rdf:li>0, 0</rdf:li>
           <rdf:li>255, 255</rdf:li>
          </rdf:Seq>
         </crs:ToneCurvePV2012>
        </rdf:Description>
       </rdf:RDF>
      </x:xmpmeta>
      """,
    stars: Replacement(old: #"xmp:Rating="2""#, new: #"xmp:Rating="4""#),
    label: Replacement(
      old: #"crs:HasSettings="True""#,
      new: "crs:HasSettings=\"True\"\n   xmp:Label=\"Green\""))

  static let darktable = SidecarText(
    name: "darktable",
    text: """
      <?xml version="1.0" encoding="UTF-8"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
       <rdf:RDF xmlns:rdf="\(rdf)">
        <rdf:Description rdf:about=""
          xmlns:exif="http://ns.adobe.com/exif/1.0/"
          xmlns:xmp="\(xmp)"
          xmlns:darktable="http://darktable.sf.net/"
         exif:DateTimeOriginal="2023:08:01 09:15:00.000"
         xmp:Rating="0"
         darktable:xmp_version="5"
         darktable:auto_presets_applied="1">
         <darktable:masks_history>
          <rdf:Seq/>
         </darktable:masks_history>
         <darktable:history>
          <rdf:Seq>
           <rdf:li
            darktable:num="0"
            darktable:operation="rawprepare"
            darktable:params="gz03eJxjZGBgYAViJgYg"/>
          </rdf:Seq>
         </darktable:history>
        </rdf:Description>
       </rdf:RDF>
      </x:xmpmeta>

      """,
    stars: Replacement(old: #"xmp:Rating="0""#, new: #"xmp:Rating="4""#),
    label: Replacement(
      old: #"darktable:auto_presets_applied="1""#,
      new: "darktable:auto_presets_applied=\"1\"\n   xmp:Label=\"Green\""))

  static let digiKam = SidecarText(
    name: "digiKam",
    text: """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
       <rdf:RDF xmlns:rdf="\(rdf)">
        <rdf:Description rdf:about=""
          xmlns:digiKam="http://www.digikam.org/ns/1.0/"
          xmlns:xmp="\(xmp)"
          xmlns:MicrosoftPhoto="http://ns.microsoft.com/photo/1.0/"
          xmlns:dc="http://purl.org/dc/elements/1.1/"
          digiKam:PickLabel="0"
          digiKam:ColorLabel="3"
          xmp:Rating="1"
          xmp:Label="Yellow"
          MicrosoftPhoto:Rating="1">
         <digiKam:TagsList>
          <rdf:Seq>
           <rdf:li>Orte/Köln &amp; Umgebung</rdf:li>
          </rdf:Seq>
         </digiKam:TagsList>
         <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Dom</rdf:li></rdf:Alt></dc:title>
        </rdf:Description>
       </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="w"?>
      """,
    stars: Replacement(old: #"xmp:Rating="1""#, new: #"xmp:Rating="4""#),
    label: Replacement(old: #"xmp:Label="Yellow""#, new: #"xmp:Label="Green""#),
    cleared: Replacement(old: "\n    xmp:Label=\"Green\"", new: ""))

  static let bridge = SidecarText(
    name: "Bridge",
    text: """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Adobe XMP Core 5.6-c148 79.164036, 2019/08/13-01:06:57        ">
         <rdf:RDF xmlns:rdf="\(rdf)">
            <rdf:Description rdf:about=""
                  xmlns:xmp="\(xmp)"
                  xmlns:dc="http://purl.org/dc/elements/1.1/">
               <xmp:CreatorTool>Adobe Bridge 2020 (Macintosh)</xmp:CreatorTool>
               <xmp:Rating>-1</xmp:Rating>
               <xmp:Label>Approved</xmp:Label>
               <dc:format>image/x-canon-cr2</dc:format>
               <xmp:Thumbnails>
                  <rdf:Alt>
                     <rdf:li rdf:parseType="Resource">
                        <xmpGImg:width xmlns:xmpGImg="http://ns.adobe.com/xap/1.0/g/img/">256</xmpGImg:width>
                     </rdf:li>
                  </rdf:Alt>
               </xmp:Thumbnails>
            </rdf:Description>
         </rdf:RDF>
      </x:xmpmeta>
                                                                                \

                                                                                \

      <?xpacket end="w"?>
      """,
    stars: Replacement(old: "<xmp:Rating>-1</xmp:Rating>", new: "<xmp:Rating>4</xmp:Rating>"),
    label: Replacement(
      old: "<xmp:Label>Approved</xmp:Label>", new: "<xmp:Label>Green</xmp:Label>"),
    cleared: Replacement(old: "         <xmp:Label>Green</xmp:Label>\n", new: ""))

  static let exifTool = SidecarText(
    name: "exiftool",
    text: """
      <?xpacket begin='\u{FEFF}' id='W5M0MpCehiHzreSzNTczkc9d'?>
      <x:xmpmeta xmlns:x='adobe:ns:meta/' x:xmptk='Image::ExifTool 12.57'>
      <rdf:RDF xmlns:rdf='\(rdf)'>

       <rdf:Description rdf:about=''
        xmlns:dc='http://purl.org/dc/elements/1.1/'>
        <dc:subject>
         <rdf:Bag>
          <rdf:li>Rome</rdf:li>
         </rdf:Bag>
        </dc:subject>
       </rdf:Description>

       <rdf:Description rdf:about=''
        xmlns:xmp='\(xmp)'>
        <xmp:Rating>5</xmp:Rating>
       </rdf:Description>
      </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end='w'?>
      """,
    stars: Replacement(old: "<xmp:Rating>5<", new: "<xmp:Rating>4<"),
    label: Replacement(
      old: "xmlns:xmp='\(xmp)'", new: "xmlns:xmp='\(xmp)'\n  xmp:Label='Green'"))

  static let exiv2 = SidecarText(
    name: "exiv2, without a property of the namespace",
    text: """
      <?xml version="1.0" encoding="UTF-8"?>
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2"> <rdf:RDF xmlns:rdf="\(rdf)"> \
      <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:source="a &lt; b"/> \
      </rdf:RDF> </x:xmpmeta>
      <?xpacket end="w"?>
      """,
    stars: Replacement(
      old: #"dc:source="a &lt; b""#,
      new: #"dc:source="a &lt; b" xmlns:xmp="\#(xmp)" xmp:Rating="4""#),
    label: Replacement(old: #"xmp:Rating="4""#, new: #"xmp:Rating="4" xmp:Label="Green""#))

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
