import Foundation

/// Photos with metadata as programs and cameras write it, each made by the program itself.
package enum ProgramPhotos {
  /// Makes the photos in an empty folder.
  ///
  /// - Returns: The names of those that could not be made.
  package static func make(in folder: TemporaryFolder) throws -> [String] {
    let base = URL(fileURLWithPath: folder.path).appendingPathComponent("base")
    try FileManager.default.copyItem(at: URL(fileURLWithPath: imageFolder), to: base)
    folder.write(packet("xmp:Rating='2'", access: "r"), to: "packet.xmp")
    folder.write(maker(), to: "exif.bin")
    let failed = try SystemProgram.output(of: "bash", ["-c", script], in: folder.path)
    for name in ["base", "long.txt", "packet.xmp", "exif.bin", "pillow"] {
      try? FileManager.default.removeItem(atPath: "\(folder.path)/\(name)")
    }
    for (name, bytes) in CameraPhotos.all { folder.write(bytes, to: name) }
    return failed.split(separator: "\n").map(String.init)
  }

  /// A packet with attributes, and whether programs that do not know the format may change it in
  /// its place ("w") or not ("r").
  package static func packet(_ attributes: String, access: String = "w", padding: Int = 0)
    -> [UInt8]
  {
    Array(
      """
      <?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'>\
      <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description \
      rdf:about='' xmlns:xmp='http://ns.adobe.com/xap/1.0/' \(attributes)/></rdf:RDF>\
      </x:xmpmeta>\(String(repeating: " ", count: padding))<?xpacket end='\(access)'?>
      """.utf8)
  }

  /// An EXIF block without an orientation.
  static func maker(_ fields: [(tag: Int, type: Int, values: TIFFBuilder.Values)] = []) -> [UInt8] {
    TIFFBuilder().file(.init([(0x10f, 2, .bytes(Array("Maker\0".utf8)))] + fields))
  }

  /// Runs the programs; prints the names of photos that were not made.
  private static let script = #"""
    set -u
    PATH=/usr/bin:$PATH
    say() { echo "$1"; }
    # photo NAME BASE COMMAND...: copies a picture and runs a command on it.
    photo() { cp "base/$2" "$1" && "${@:3}" "$1" >/dev/null 2>&1 || say "$1"; }
    made() { "${@:2}" >/dev/null 2>&1 && [ -s "$1" ] || say "$1"; }
    tool() { exiftool -q -q -overwrite_original "$@"; }
    long=$(printf 'x%.0s' {1..70000})
    printf '%s' "$long" > long.txt
    photo exiftool-xmp.jpg card.jpg tool -XMP-dc:Title=Sea -XMP-xmp:Rating=2 -XMP-dc:Subject=sea -XMP-dc:Subject=sand
    photo exiftool-latin1-iptc.jpg card.jpg tool -charset iptc=Latin -IPTC:Keywords=Café -IPTC:Keywords=Zürich -IPTC:ObjectName=Größe -IPTC:Caption-Abstract=Düne -IPTC:DateCreated=2019:08:07
    photo exiftool-utf8-iptc.jpg card.jpg tool -charset iptc=UTF8 -IPTC:CodedCharacterSet=UTF8 -IPTC:Keywords=Café -IPTC:City=Zürich
    photo exiftool-latin1-exif.jpg card.jpg tool -charset exif=Latin -EXIF:Artist=Jürgen -EXIF:Copyright='© Jürgen' -EXIF:ImageDescription=Düne
    photo exiftool-dates.jpg texture-420.jpg tool -AllDates='2020:01:02 08:09:00' -XMP-exif:DateTimeOriginal='2020:01:02 08:09:00'
    photo exiftool-places.jpg card.jpg tool -IPTC:City=Bern -IPTC:Province-State=BE -IPTC:Sub-location=Altstadt -XMP-photoshop:City=Bern
    photo exiftool-two-captions.jpg card.jpg tool -IPTC:Caption-Abstract=one -EXIF:ImageDescription=two -XMP-dc:Description=three
    photo exiftool-thumbnail.jpg texture-422.jpg tool '-ThumbnailImage<=base/card.jpg' -EXIF:Make=Maker
    photo exiftool-extended.jpg card.jpg tool -XMP-xmp:Rating=1 '-XMP-photoshop:Instructions<=long.txt'
    photo exiftool-profile.jpg inks.jpg tool '-ICC_Profile<=base/same.icc' -XMP-xmp:Rating=4
    photo exiftool-gps.jpg card-progressive.jpg tool -GPSLatitude=46.9 -GPSLatitudeRef=N -GPSLongitude=7.4 -GPSLongitudeRef=E
    photo exiftool-compact.jpg card.jpg tool -api Compact=NoPadding -XMP-dc:Title=Sea
    photo exiftool-comment.jpg gray.jpg tool -Comment=comment -JFIF:XResolution=300
    photo exiftool-xmp.png alpha.png tool -XMP-dc:Title=Sea -XMP-xmp:Rating=2
    photo exiftool-compressed.png palette.png tool -z -XMP-dc:Title="$(head -c 3000 long.txt)"
    photo exiftool-exif.png deep.png tool -EXIF:Orientation=Horizontal -EXIF:Artist=Somebody
    photo exiftool-xmp.tif card.tif tool -XMP-dc:Title=Sea -IPTC:Keywords=sea -AllDates='2020:01:02 08:09:00'
    photo exiftool-latin1.tif big-endian.tif tool -charset exif=Latin -charset iptc=Latin -EXIF:Artist=Jürgen -IPTC:City=Zürich
    photo exiftool-xmp.webp card.webp tool -XMP-dc:Title=Sea
    photo exiftool-exif.webp alpha.webp tool -EXIF:Make=Maker -EXIF:Artist=Somebody
    photo exiftool-exif.heic card.heic tool -EXIF:Make=Apple -XMP-dc:Title=Sea
    photo exiv2-xmp.jpg card.jpg exiv2 -M 'set Xmp.dc.title lang=x-default Sea' -M 'set Xmp.dc.subject XmpBag sea'
    photo exiv2-exif.jpg card.jpg exiv2 -M 'set Exif.Image.Orientation 6' -M 'set Exif.Photo.UserComment charset=Unicode Düne'
    photo exiv2-long.jpg texture-444.jpg exiv2 -M 'set Exif.Image.Orientation Long 3' -M 'set Exif.Image.Make Maker'
    photo exiv2-iptc.jpg card.jpg exiv2 -M 'set Iptc.Application2.Keywords sea' -M 'set Iptc.Application2.City Bern'
    photo exiv2-comment.jpg card.jpg exiv2 -c comment
    photo exiv2-xmp.png alpha.png exiv2 -M 'set Xmp.xmp.Rating 3'
    photo exiv2-xmp.webp texture.webp exiv2 -M 'set Xmp.xmp.Rating 3' -M 'set Exif.Image.Make Maker'
    photo exiv2-xmp.tif texture.tif exiv2 -M 'set Xmp.xmp.Rating 3' -M 'set Exif.Image.Make Maker'
    dc=http://purl.org/dc/elements/1.1/
    photo exempi.jpg card.jpg exempi -w -R -n $dc dc -s dc:source -v exempi
    photo exempi.tif swapped.tif exempi -w -R -n $dc dc -s dc:source -v exempi
    source=(-loglevel error -f lavfi -i testsrc=size=64x48 -frames:v 1)
    made ffmpeg.jpg ffmpeg "${source[@]}" ffmpeg.jpg
    made ffmpeg-gray.jpg ffmpeg "${source[@]}" -pix_fmt gray ffmpeg-gray.jpg
    made ffmpeg.png ffmpeg "${source[@]}" ffmpeg.png
    made ffmpeg.tif ffmpeg "${source[@]}" ffmpeg.tif
    made ffmpeg.webp ffmpeg "${source[@]}" ffmpeg.webp
    made vips.jpg vips copy base/deep.png vips.jpg[Q=80]
    made vips-progressive.jpg vips copy base/texture.png vips-progressive.jpg[interlace]
    made vips.png vips copy base/texture-420.jpg vips.png
    made vips-pyramid.tif vips copy base/texture.png vips-pyramid.tif[compression=deflate,tile,pyramid]
    made vips-big.tif vips copy base/texture.png vips-big.tif[bigtiff]
    made vips.webp vips copy base/texture.png vips.webp
    made vips-lossless.webp vips copy base/alpha.png vips-lossless.webp[lossless]
    made tiffcp-pages.tif tiffcp -B base/card.tif base/texture.tif tiffcp-pages.tif
    made tiffcp-big.tif tiffcp -8 -B -c lzw base/card.tif tiffcp-big.tif
    made webpmux-exif.webp webpmux -set exif exif.bin base/card.webp -o webpmux-exif.webp
    made webpmux-xmp.webp webpmux -set xmp packet.xmp base/film.webp -o webpmux-xmp.webp
    made magick.jpg convert base/texture.png -set comment text -quality 80 magick.jpg
    made magick.png convert base/card.jpg -set Title Sea magick.png
    made magick.tif convert base/card.jpg -compress zip magick.tif
    made magick.webp convert base/texture.png magick.webp
    made pillow python3 - <<'P'
    from PIL import Image
    picture = Image.open("base/texture.png").convert("RGB")
    exif = Image.Exif()
    exif[0x10F] = "Maker"
    picture.save("pillow.jpg", exif=exif)
    exif[0x112] = 6
    picture.save("pillow.png", exif=exif)
    picture.save("pillow.webp", exif=exif, xmp=open("packet.xmp", "rb").read())
    picture.save("pillow-animated.webp", save_all=True, append_images=[picture.rotate(90)])
    picture.save("pillow.tif", tiffinfo={270: "Sea"})
    open("pillow", "w").write("made")
    P
    """#
}

/// Photos as cameras and telephones write them, whose files refer to their own bytes.
private enum CameraPhotos {
  private static let picture = image("card.jpg")
  private static let film = TestFilm.small("short.mp4")

  static var all: [(name: String, bytes: [UInt8])] {
    [
      ("camera-motion.jpg", MotionPhoto.google(picture, film)),
      ("camera-trailer.jpg", MotionPhoto.samsung(picture, film)),
      ("camera-gain-map.jpg", gainMap),
      ("camera-preview.jpg", preview),
      ("camera-two-exif.jpg", picture.inserting(exif + exif)),
      (
        "camera-read-only.jpg",
        picture.inserting(main(ProgramPhotos.packet("xmp:Rating='2'", access: "r")))
      ),
      (
        "camera-padding.jpg",
        picture.inserting(exif + main(ProgramPhotos.packet("xmp:Label='Red'", padding: 4000)))
      ),
      ("camera.dng", RawFile.dng.file(small: picture, large: image("texture-420.jpg"))),
      ("camera-film.heic", image("card.heic") + MotionPhoto.box("mpvd", film)),
      ("camera.avif", image("card.avif")),
    ]
  }

  private static let exif = block(ProgramPhotos.maker())

  private static func block(_ bytes: [UInt8]) -> [UInt8] {
    segment(0xe1, Array("Exif\0\0".utf8) + bytes)
  }

  private static func main(_ packet: [UInt8]) -> [UInt8] {
    segment(0xe1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet)
  }

  /// A picture with a gain map after it, and the index of both (CIPA DC-007).
  private static var gainMap: [UInt8] {
    let map = image("gray.jpg")
    func long(_ number: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
    func file(_ size: Int, _ offset: Int) -> [UInt8] {
      let entries = [0x20030000, size, 0, 0, 0, map.count, offset, 0].flatMap(long)
      let index = TIFFBuilder(isBigEndian: true).file(
        .init([
          (0xb000, 7, .bytes(Array("0100".utf8))), (0xb001, 4, .numbers([2])),
          (0xb002, 7, .bytes(entries)),
        ]))
      return picture.inserting(exif + segment(0xe2, Array("MPF\0".utf8) + index))
    }
    let size = file(0, 0).count
    return file(size, size - (2 + exif.count + 8)) + map
  }

  /// A picture with a preview after it, to which the maker note leads.
  private static var preview: [UInt8] {
    func file(_ offset: Int) -> [UInt8] {
      let bytes = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: offset >> $0) }
      let note = Array("SONY DSC \0\0\0".utf8) + bytes
      let photo = TIFFBuilder.Directory([(0x927c, 7, .bytes(note))])
      return picture.inserting(
        block(ProgramPhotos.maker([(0x8769, 4, .directories([photo]))])))
    }
    return file(file(0).count - 12) + image("gray.jpg")
  }
}
