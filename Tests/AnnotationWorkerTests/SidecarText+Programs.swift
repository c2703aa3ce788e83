/// Sidecars in the layouts of programs.
extension SidecarText {
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
}
