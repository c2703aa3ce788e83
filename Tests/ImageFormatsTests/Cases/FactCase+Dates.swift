import Photos
import TestSupport

@testable import ImageFormats

/// Dates: incomplete, oddly written, and impossible ones, which yield to the next source.
extension FactCase {
  static let dates: [FactCase] =
    exifDates + yieldingDates + otherDates + xmpDates + iptcDates + pngDates

  private static let xmpDates: [FactCase] = xmpDateRows.map { row -> FactCase in
    FactCase("XMP", "a date like '\(row.text)'", row.value, "XMP part 1, 8.2.1.1; exiftool") {
      let packet = OddFile.packet("xmp:CreateDate=\"\(row.text)\"")
      return OddFile.jpeg(xmp: Array(packet.utf8))?.taken?.detailed
    }
  }

  private static let iptcDates: [FactCase] = iptcDateRows.map { row -> FactCase in
    FactCase("IPTC", "\(row.date) and '\(row.time)'", row.value, "IIM 4.2, 2:55 and 2:60") {
      var records = OddFile.record(55, Array(row.date.utf8))
      if !row.time.isEmpty { records += OddFile.record(60, Array(row.time.utf8)) }
      return OddFile.jpeg(iptc: records)?.taken?.detailed
    }
  }

  private static let pngDates: [FactCase] = pngDateRows.map { row -> FactCase in
    FactCase("PNG", "Creation Time like '\(row.text)'", row.value, "PNG 11.3.4.2; exiftool") {
      PNGDate.time(of: Array(row.text.utf8))?.detailed
    }
  }

  private static func exifDate(_ text: [UInt8], _ tag: Int = 0x9003) -> OddFile.Field {
    (tag, 2, .bytes(text))
  }

  private static let exifDatesRows: [(oddity: String, text: String, value: String?)] = [
    ("as the standard says", "2024:05:01 12:30:00\0", "2024-05-01T12:30:00"),
    ("without a zero at its end", "2024:05:01 12:30:00", "2024-05-01T12:30:00"),
    ("with dashes", "2024-05-01 12:30:00\0", "2024-05-01T12:30:00"),
    ("with slashes", "2024/05/01 12:30:00\0", "2024-05-01T12:30:00"),
    ("with dots", "2024.05.01 12:30:00\0", "2024-05-01T12:30:00"),
    ("with a T", "2024:05:01T12:30:00\0", "2024-05-01T12:30:00"),
    ("in ISO 8601", "2024-05-01T12:30:00\0", "2024-05-01T12:30:00"),
    ("with two spaces", "2024:05:01  12:30:00\0", "2024-05-01T12:30:00"),
    ("after spaces", "  2024:05:01 12:30:00\0", "2024-05-01T12:30:00"),
    ("with numbers of one digit", "2024:5:1 1:02:03\0", "2024-05-01T01:02:03"),
    ("with a fraction", "2024:05:01 12:30:00.25\0", "2024-05-01T12:30:00.25"),
    ("with an offset", "2024:05:01 12:30:00+02:00\0", "2024-05-01T12:30:00+02:00"),
    (
      "with a fraction and an offset", "2024:05:01 12:30:00.5-0330\0",
      "2024-05-01T12:30:00.50-03:30"
    ),
    ("in UTC", "2024:05:01 12:30:00Z\0", "2024-05-01T12:30:00+00:00"),
    ("ending at minutes", "2024:05:01 12:30\0", "2024-05-01T12:30:00"),
    ("with blank seconds", "2024:05:01 12:30:  \0", "2024-05-01T12:30:00"),
    ("ending at the day", "2024:05:01\0", "2024-05-01"),
    ("with a blank time", "2024:05:01   :  :  \0", "2024-05-01"),
    ("ending at the month", "2024:05\0", "2024-05"),
    ("with a blank day", "2024:05:     :  :  \0", "2024-05"),
    ("with a day of zero", "2024:05:00 00:00:00\0", "2024-05"),
    ("of a year", "1950\0", "1950"),
    ("with a month of zero", "1950:00:00 00:00:00\0", "1950"),
    ("with a blank month", "1950:  :     :  :  \0", "1950"),
    ("on a leap day", "2024:02:29 10:00:00\0", "2024-02-29T10:00:00"),
    ("in a leap second", "2016:12:31 23:59:60\0", "2016-12-31T23:59:60"),
    ("on a leap day of another year", "2023:02:29 10:00:00\0", nil),
    ("on 31 February", "2024:02:31 10:00:00\0", nil),
    ("on 31 April", "2024:04:31 10:00:00\0", nil),
    ("in month 13", "2024:13:01 10:00:00\0", nil),
    ("at 24 hours", "2024:05:01 24:00:00\0", nil),
    ("at minute 60", "2024:05:01 12:60:00\0", nil),
    ("of zeros", "0000:00:00 00:00:00\0", nil),
    ("of spaces", "    :  :     :  :  \0", nil),
    ("without characters", "\0", nil),
    ("in words", "yesterday\0", nil),
    ("of two digits", "24:05:01 12:30:00\0", nil),
  ]

  private static let exifDates: [FactCase] = exifDatesRows.map { (row) -> FactCase in
    let (oddity, text, value) = row
    return
      FactCase("JPEG, EXIF", "a date \(oddity)", value, "Exif 2.3, 4.6.5; exiftool") {
        OddFile.jpeg(exif: OddFile.exif([], [exifDate(Array(text.utf8))]))?.taken?.detailed
      }
  }

  /// Impossible dates in EXIF, with another one elsewhere.
  private static let yieldingDates: [FactCase] = unsetDates.map { text -> FactCase in
    FactCase("JPEG, EXIF", "'\(text.dropLast())' yields to XMP", "2016-05", "exiftool") {
      OddFile.jpeg(
        exif: OddFile.exif([], [exifDate(Array(text.utf8))]),
        xmp: Array(OddFile.packet("xmp:CreateDate=\"2016-05\"").utf8))?.taken?.detailed
    }
  }

  private static let unsetDates = [
    "0000:00:00 00:00:00\0", "    :  :     :  :  \0", "0001:01:01 00:00:00\0",
    "2024:02:31 10:00:00\0", "1970:01:01 00:00:00\0", "2099:01:01 00:00:00\0",
  ]

  /// Impossible dates with others in other fields or in the name.
  private static let otherDates: [FactCase] = [
    FactCase(
      "JPEG, EXIF", "31 February yields to the digitized time", "2016-05-01T10:00:00", "exiftool"
    ) {
      OddFile.jpeg(
        exif: OddFile.exif(
          [],
          [
            exifDate(Array("2024:02:31 10:00:00\0".utf8)),
            exifDate(Array("2016:05:01 10:00:00\0".utf8), 0x9004),
          ]))?.taken?.detailed
    },
    FactCase("JPEG, EXIF", "zeros yield to the time of change", "2016-05-01T10:00:00", "exiftool") {
      OddFile.jpeg(
        exif: OddFile.exif(
          [exifDate(Array("2016:05:01 10:00:00\0".utf8), 0x132)],
          [exifDate(Array("0000:00:00 00:00:00\0".utf8))]))?.taken?.detailed
    },
    FactCase("JPEG, EXIF", "the year 1 yields to IPTC", "1950-06", "exiftool") {
      OddFile.jpeg(
        exif: OddFile.exif([], [exifDate(Array("0001:01:01 00:00:00\0".utf8))]),
        iptc: OddFile.record(55, Array("19500600".utf8)))?.taken?.detailed
    },
    FactCase("JPEG, EXIF", "31 February yields to the name", "2019-07-04", "exiftool") {
      let taken = OddFile.jpeg(
        exif: OddFile.exif([], [exifDate(Array("2024:02:31 10:00:00\0".utf8))]))?.taken
      return date(named: "IMG-20190704-WA0003.jpg", taken)
    },
    FactCase("JPEG, EXIF", "the year 1 yields to the name", "2019-07-04", "exiftool") {
      let taken = OddFile.jpeg(
        exif: OddFile.exif([], [exifDate(Array("0001:01:01 00:00:00\0".utf8))]))?.taken
      return date(named: "IMG-20190704-WA0003.jpg", taken)
    },
    FactCase("JPEG, EXIF", "a year comes before the name", "1950", "--dates") {
      let taken = OddFile.jpeg(exif: OddFile.exif([], [exifDate(Array("1950\0".utf8))]))?.taken
      return date(named: "IMG-20190704-WA0003.jpg", taken)
    },
  ]

  /// The date of a photo with a name, of which the file has been read.
  private static func date(named name: String, _ taken: TakenTime?) -> String? {
    DateRule().date(taken: taken?.bits ?? 0, modified: nil) { ([], Array(name.utf8)[...]) }?.iso8601
  }

  private static let xmpDateRows: [(text: String, value: String?)] = [
    ("2016", "2016"), ("2016-05", "2016-05"), ("2016-05-01", "2016-05-01"),
    ("2016-05-01T10:11", "2016-05-01T10:11:00"), ("2016-05-01T10:11:12", "2016-05-01T10:11:12"),
    ("2016-05-01T10:11:12.345Z", "2016-05-01T10:11:12.34+00:00"),
    ("2016-05-01T10:11:12+02:00", "2016-05-01T10:11:12+02:00"),
    ("2016-05-01T10:11:12+02", "2016-05-01T10:11:12+02:00"),
    ("2016:05:01 10:11:12", "2016-05-01T10:11:12"), ("2016-05-01 10:11:12", "2016-05-01T10:11:12"),
    ("2016-02-31", nil), ("2016-00-00", "2016"), ("0000-00-00T00:00:00", nil), ("16-05-01", nil),
  ]

  private static let iptcDateRows: [(date: String, time: String, value: String?)] = [
    ("20190704", "", "2019-07-04"), ("20190704", "101112+0200", "2019-07-04T10:11:12+02:00"),
    ("20190704", "101112", "2019-07-04T10:11:12"), ("19500600", "", "1950-06"),
    ("19500000", "", "1950"), ("19500000", "000000+0000", "1950"), ("00000000", "", nil),
    ("20190231", "", nil), ("2019-07-04", "", "2019-07-04"), ("2019", "", "2019"),
  ]

  private static let pngDateRows: [(text: String, value: String?)] = [
    ("2019:07:04 10:11:12", "2019-07-04T10:11:12"),
    ("2019-07-04T10:11:12Z", "2019-07-04T10:11:12+00:00"),
    ("Thu, 4 Jul 2019 10:11:12 +0200", "2019-07-04T10:11:12+02:00"), ("2019", "2019"),
    ("2019/07/04", "2019-07-04"), ("2019-02-31", nil),
  ]
}
