/// Photos that hold a film, as telephones write them.
package enum MotionPhoto {
  /// A JPEG with an XMP packet, followed by other bytes.
  package static func jpeg(_ picture: [UInt8], xmp attributes: String, _ elements: String = "")
    -> [UInt8]
  {
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
       xmlns:GCamera="http://ns.google.com/photos/1.0/camera/"
       xmlns:Container="http://ns.google.com/photos/1.0/container/"
       xmlns:Item="http://ns.google.com/photos/1.0/container/item/"
       \(attributes)>\(elements)</rdf:Description></rdf:RDF></x:xmpmeta>
      """
    return picture.inserting(
      segment(0xe1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8)))
  }

  /// The directory of a Pixel's photo: the picture, a gain map of some bytes, and the film.
  package static func directory(film: Int, gainMap: Int = 0, asElements: Bool = false) -> String {
    func item(_ semantic: String, _ length: Int) -> String {
      asElements
        ? """
        <rdf:li rdf:parseType="Resource"><Container:Item rdf:parseType="Resource"><Item:Semantic>\
        \(semantic)</Item:Semantic><Item:Length>\(length)</Item:Length></Container:Item></rdf:li>
        """
        : """
        <rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="\(semantic)"
        Item:Length="\(length)" Item:Padding="0"/></rdf:li>
        """
    }
    return "<Container:Directory><rdf:Seq>" + item("Primary", 0)
      + (gainMap > 0 ? item("GainMap", gainMap) : "") + item("MotionPhoto", film)
      + "</rdf:Seq></Container:Directory>"
  }

  /// A photo as Pixels write it.
  package static func google(_ picture: [UInt8], _ film: [UInt8]) -> [UInt8] {
    jpeg(picture, xmp: "GCamera:MotionPhoto=\"1\"", directory(film: film.count)) + film
  }

  /// Samsung's trailer of a photo, with a film and another block before it.
  package static func trailer(_ film: [UInt8]) -> [UInt8] {
    func little(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 255) } }
    func block(_ type: Int, _ name: String, _ contents: [UInt8]) -> [UInt8] {
      little(type << 16) + little(name.utf8.count) + Array(name.utf8) + contents
    }
    let blocks = [
      (0xa01, block(0xa01, "Image_UTC_Data", Array("1688807411000".utf8))),
      (0xa30, block(0xa30, "MotionPhoto_Data", film)),
    ]
    var distance = blocks.reduce(0) { $0 + $1.1.count }
    var directory = Array("SEFH".utf8) + little(106) + little(blocks.count)
    for (type, block) in blocks {
      directory += little(type << 16) + little(distance) + little(block.count)
      distance -= block.count
    }
    return blocks.flatMap(\.1) + directory + little(directory.count) + Array("SEFT".utf8)
  }

  /// A JPEG as Samsung's telephones write it.
  package static func samsung(_ picture: [UInt8], _ film: [UInt8]) -> [UInt8] {
    let make = Array("samsung\0".utf8)
    // The field 0x10f of a directory of one, in big-endian bytes.
    let exif: [UInt8] =
      Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 15, 0, 2, 0, 0, 0, 8, 0, 0, 0, 26]
      + [0, 0, 0, 0] + make
    return picture.inserting(segment(0xe1, exif)) + trailer(film)
  }

  /// A box of the ISO base media format.
  package static func box(_ type: String, _ contents: [UInt8]) -> [UInt8] {
    let length = contents.count + 8
    return [24, 16, 8, 0].map { UInt8(length >> $0 & 255) } + Array(type.utf8) + contents
  }
}
