import Geometry
import Photos
import TestSupport
import Testing

@testable import FolderWorker
@testable import ImageFormats

/// The people in photos, as eight programs write them.
@Suite struct PeopleTests {
  private let folder = TemporaryFolder()

  /// What a program writes about two people.
  struct Writer: Sendable, CustomTestStringConvertible {
    var program: String
    var properties: String
    var isSidecar = false
    /// The people that are in the list of the IPTC alone.
    var named: [String] = []

    var testDescription: String { program }
  }

  private static let namespaces = """
    xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
    xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#"
    xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#"
    xmlns:MP="http://ns.microsoft.com/photo/1.2/"
    xmlns:MPRI="http://ns.microsoft.com/photo/1.2/t/RegionInfo#"
    xmlns:MPReg="http://ns.microsoft.com/photo/1.2/t/Region#"
    xmlns:MicrosoftPhoto="http://ns.microsoft.com/photo/1.0/"
    xmlns:digiKam="http://www.digikam.org/ns/1.0/" xmlns:lr="http://ns.adobe.com/lightroom/1.0/"
    xmlns:acdsee="http://ns.acdsee.com/iptc/1.0/"
    xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
    """

  static let writers = [
    Writer(
      program: "digiKam",
      properties: """
        <digiKam:TagsList><rdf:Seq><rdf:li>Places/Rome</rdf:li><rdf:li>People/Anna Lee</rdf:li>
        <rdf:li>People/Friends/Zoë</rdf:li><rdf:li>People/Unknown</rdf:li></rdf:Seq></digiKam:TagsList>
        <dc:subject><rdf:Bag><rdf:li>Rome</rdf:li><rdf:li>Anna Lee</rdf:li></rdf:Bag></dc:subject>
        """),
    Writer(
      program: "Lightroom",
      properties: """
        <mwg-rs:Regions rdf:parseType="Resource">
         <mwg-rs:AppliedToDimensions stDim:w="4000" stDim:h="3000" stDim:unit="pixel"/>
         <mwg-rs:RegionList><rdf:Bag>
          <rdf:li><rdf:Description mwg-rs:Rotation="0" mwg-rs:Name="Anna Lee" mwg-rs:Type="Face">
           <mwg-rs:Area stArea:h="0.1" stArea:w="0.1" stArea:x="0.5" stArea:y="0.4"/>
          </rdf:Description></rdf:li>
          <rdf:li><rdf:Description mwg-rs:Name="Zoë" mwg-rs:Type="Face">
           <mwg-rs:Area stArea:h="NaN" stArea:w="-1" stArea:x="1e999" stArea:y=""/>
          </rdf:Description></rdf:li>
          <rdf:li><rdf:Description mwg-rs:Name="Rex" mwg-rs:Type="Pet"/></rdf:li>
         </rdf:Bag></mwg-rs:RegionList>
        </mwg-rs:Regions>
        """),
    Writer(
      program: "Picasa",
      properties: """
        <mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:RegionList><rdf:Bag>
        <rdf:li rdf:parseType="Resource"><mwg-rs:Area stArea:x="0.1" stArea:y="0.2" stArea:w="0.1"
        stArea:h="0.1" stArea:unit="normalized"/><mwg-rs:Name>Anna Lee</mwg-rs:Name>
        <mwg-rs:Type>Face</mwg-rs:Type></rdf:li>
        <rdf:li rdf:parseType="Resource"><mwg-rs:Type>Face</mwg-rs:Type>
        <mwg-rs:Name>Zoë</mwg-rs:Name></rdf:li>
        <rdf:li rdf:parseType="Resource"><mwg-rs:Type>Face</mwg-rs:Type><mwg-rs:Name/></rdf:li>
        </rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>
        """),
    Writer(
      program: "Windows Live Photo Gallery",
      properties: """
        <MP:RegionInfo><rdf:Description><MPRI:Regions><rdf:Bag>
        <rdf:li><rdf:Description MPReg:Rectangle="0.1, 0.1, 0.2, 0.2"
         MPReg:PersonDisplayName="Anna Lee"/></rdf:li>
        <rdf:li MPReg:PersonDisplayName="Zo&#xEB;" MPReg:Rectangle="nan, x"/>
        </rdf:Bag></MPRI:Regions></rdf:Description></MP:RegionInfo>
        <MicrosoftPhoto:LastKeywordXMP><rdf:Bag><rdf:li>People/Anna Lee</rdf:li></rdf:Bag>
        </MicrosoftPhoto:LastKeywordXMP>
        """),
    Writer(
      program: "Apple Photos",
      properties: """
        <mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:RegionList><rdf:Seq>
        <rdf:li rdf:parseType="Resource"><mwg-rs:Type>Face</mwg-rs:Type>
        <mwg-rs:Name>Anna Lee</mwg-rs:Name></rdf:li></rdf:Seq></mwg-rs:RegionList></mwg-rs:Regions>
        <Iptc4xmpExt:PersonInImage><rdf:Bag><rdf:li>Anna Lee</rdf:li><rdf:li>Zoë</rdf:li></rdf:Bag>
        </Iptc4xmpExt:PersonInImage>
        """, named: ["Zoë"]),
    Writer(
      program: "ACDSee",
      properties: """
        <acdsee:categories>&lt;Categories&gt;&lt;Category Assigned="0"&gt;Places&lt;Category
         Assigned="1"&gt;Rome&lt;/Category&gt;&lt;/Category&gt;&lt;Category Assigned="0"&gt;People\
        &lt;Category Assigned="1"&gt;Anna Lee&lt;/Category&gt;&lt;Category Assigned="0"&gt;Ben\
        &lt;/Category&gt;&lt;Category Assigned="1"&gt;Zoë&lt;/Category&gt;&lt;/Category&gt;\
        &lt;/Categories&gt;</acdsee:categories>
        """),
    Writer(
      program: "Capture One",
      properties: """
        <lr:hierarchicalSubject><rdf:Bag><rdf:li>People</rdf:li><rdf:li>People|Anna Lee</rdf:li>
        <rdf:li>People|Zoë</rdf:li></rdf:Bag></lr:hierarchicalSubject>
        """, isSidecar: true),
    Writer(
      program: "darktable",
      properties: """
        <dc:subject><rdf:Seq><rdf:li>Anna Lee</rdf:li></rdf:Seq></dc:subject>
        <lr:hierarchicalSubject><rdf:Seq><rdf:li>people|Anna Lee</rdf:li>
        <rdf:li>people|family|Zoë</rdf:li></rdf:Seq></lr:hierarchicalSubject>
        """, isSidecar: true),
  ]

  private static func packet(_ properties: String) -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
       \(namespaces)>\(properties)</rdf:Description></rdf:RDF></x:xmpmeta>
      """.utf8)
  }

  private func words(_ properties: String, isSidecar: Bool = false) -> PhotoWords? {
    let picture = image("card.jpg")
    folder.write(
      isSidecar ? picture : MotionPhoto.jpeg(picture, xmp: Self.namespaces, properties),
      to: "a.jpg")
    if isSidecar { folder.write(Self.packet(properties), to: "a.xmp") }
    var reader = HeaderFactReader()
    reader.enter(Array("\(folder.path)/".utf8))
    reader.add(Array("a.jpg".utf8)[...])
    return reader.drain().info(at: 0)?.metadata?.words
  }

  @Test(arguments: writers)
  func `eight programs name the same people`(writer: Writer) {
    let words = words(writer.properties, isSidecar: writer.isSidecar)
    #expect(words?.people.sorted() == ["Anna Lee", "Zoë"])
    #expect(words?.named == writer.named)
    #expect(words.flatMap { PhotoWords(record: $0.record) } == words)
  }

  @Test func `a list in the sidecar replaces the one in the photo, and only that`() {
    var written = WrittenFacts()
    written.xmp = XMPFacts(Self.packet(Self.writers[4].properties))
    written.sidecar = XMPFacts(
      Self.packet("<Iptc4xmpExt:PersonInImage><rdf:Bag/></Iptc4xmpExt:PersonInImage>"))
    #expect(written.words?.faces == ["Anna Lee"] && written.words?.named == [])
  }

  @Test func `a thousand people are read as a hundred, with a note that there are more`() {
    let items = (0..<3000).map { "<rdf:li>P\($0)\u{1B}[31m\u{202E}</rdf:li>" }.joined()
    let list = "<Iptc4xmpExt:PersonInImage><rdf:Bag>\(items)</rdf:Bag></Iptc4xmpExt:PersonInImage>"
    let words = words(list, isSidecar: true)
    #expect(words?.named.count == 100 && words?.isPeopleCut == true)
    #expect(words?.named.first == "P0?[31m\u{FFFD}")
    #expect(words.map { $0.record.count <= PhotoWords.maxBytes } == true)
    #expect(words.flatMap { PhotoWords(record: $0.record) } == words)
  }

  @Test(arguments: writers)
  func `what precedes the end of a truncated packet counts`(writer: Writer) {
    let whole = Self.packet(writer.properties)
    for count in stride(from: 0, to: whole.count, by: 3) {
      var written = WrittenFacts()
      written.xmp = XMPFacts(Array(whole.prefix(count)))
      let names = Set(written.words?.people ?? [])
      #expect(names.isSubset(of: ["Anna Lee", "Zoë"]))
    }
  }
}
