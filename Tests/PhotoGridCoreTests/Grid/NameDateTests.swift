import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos

/// Dates in the names of files and folders, as phones, programs and people write them.
@Suite struct NameDateTests {
  /// Names, each with the date that it tells.
  private static let dated = """
    IMG-20190704-WA0003.jpg = 2019-07-04
    VID-20190704-WA0012.jpg = 2019-07-04
    IMG-20200229-WA0000.jpeg = 2020-02-29
    AUD-20190704-WA0001.jpg = 2019-07-04
    STK-20190704-WA0001.webp = 2019-07-04
    IMG-20190704-WA0003(1).jpg = 2019-07-04
    IMG-20190704-WA0003 (2).jpg = 2019-07-04
    WhatsApp Image 2019-07-04 at 10.11.12.jpeg = 2019-07-04T10:11:12
    WhatsApp Image 2019-07-04 at 10.11.12 AM.jpeg = 2019-07-04T10:11:12
    WhatsApp Image 2019-07-04 at 10.11.12 PM (1).jpeg = 2019-07-04T22:11:12
    WhatsApp Image 2019-07-04 at 12.11.12 AM.jpeg = 2019-07-04T00:11:12
    WhatsApp Bild 2019-07-04 um 10.11.12.jpg = 2019-07-04T10:11:12
    Imagen de WhatsApp 2019-07-04 a las 10.11.12.jpg = 2019-07-04T10:11:12
    Image WhatsApp 2019-07-04 à 10.11.12.jpg = 2019-07-04T10:11:12
    IMG_20190704_101112.jpg = 2019-07-04T10:11:12
    IMG_20190704_101112_1.jpg = 2019-07-04T10:11:12
    IMG_20190704_101112_HDR.jpg = 2019-07-04T10:11:12
    IMG_20190704_101112_Bokeh.jpg = 2019-07-04T10:11:12
    IMG_20190704_101112_BURST1.jpg = 2019-07-04T10:11:12
    IMG_20190704_101112_BURST001_COVER.jpg = 2019-07-04T10:11:12
    IMG_20190704_101112~2.jpg = 2019-07-04T10:11:12
    IMG_20190704_101112-01.jpeg = 2019-07-04T10:11:12
    IMG_20190704_101112 (1).jpg = 2019-07-04T10:11:12
    IMG_20190704_101112_edit.jpg = 2019-07-04T10:11:12
    IMG_20190704_101112__01.jpg = 2019-07-04T10:11:12
    IMG_20190704_101112123.jpg = 2019-07-04T10:11:12
    IMG_20190704_101112_123.jpg = 2019-07-04T10:11:12
    VID_20190704_101112.jpg = 2019-07-04T10:11:12
    PANO_20190704_101112.jpg = 2019-07-04T10:11:12
    PANO_20190704_101112.vr.jpg = 2019-07-04T10:11:12
    MVIMG_20190704_101112.jpg = 2019-07-04T10:11:12
    PXL_20230801_120000123.jpg = 2023-08-01T12:00:00
    PXL_20230801_120000123.MP.jpg = 2023-08-01T12:00:00
    PXL_20230801_120000123.NIGHT.jpg = 2023-08-01T12:00:00
    PXL_20230801_120000123.PORTRAIT-01.COVER.jpg = 2023-08-01T12:00:00
    PXL_20230801_120000123~2.jpg = 2023-08-01T12:00:00
    00100lPORTRAIT_00100_BURST20190704101112123_COVER.jpg = 2019-07-04T10:11:12
    00000IMG_00000_BURST20190704101112123_COVER.jpg = 2019-07-04T10:11:12
    IMG20190704101112.jpg = 2019-07-04T10:11:12
    IMG20190704101112_01.jpg = 2019-07-04T10:11:12
    VID20190704101112.jpg = 2019-07-04T10:11:12
    20190704_101112.jpg = 2019-07-04T10:11:12
    20190704_101112(0).jpg = 2019-07-04T10:11:12
    20190704_101112_HDR.jpg = 2019-07-04T10:11:12
    20190704_101112_001.jpg = 2019-07-04T10:11:12
    20190704_101112-EFFECTS.jpg = 2019-07-04T10:11:12
    20190704-101112.jpg = 2019-07-04T10:11:12
    20190704101112.jpg = 2019-07-04T10:11:12
    20190704101112_IMG_0001.jpg = 2019-07-04T10:11:12
    20190704T101112.jpg = 2019-07-04T10:11:12
    20190704.jpg = 2019-07-04
    20190704-1.jpg = 2019-07-04
    20190704 Rome.jpg = 2019-07-04
    20190704_Rome_0012.jpg = 2019-07-04
    P_20190704_101112.jpg = 2019-07-04T10:11:12
    P_20190704_101112_vHDR_Auto.jpg = 2019-07-04T10:11:12
    WP_20190704_10_11_12_Pro.jpg = 2019-07-04T10:11:12
    WP_20190704_001.jpg = 2019-07-04
    DSC_20190704_101112.jpg = 2019-07-04T10:11:12
    C360_2019-07-04-10-11-12-123.jpg = 2019-07-04T10:11:12
    B612_20190704_101112_123.jpg = 2019-07-04T10:11:12
    SNOW_20190704_101112_123.jpg = 2019-07-04T10:11:12
    InShot_20190704_101112123.jpg = 2019-07-04T10:11:12
    lv_0_20190704101112.jpg = 2019-07-04T10:11:12
    Polarr_20190704101112.jpg = 2019-07-04T10:11:12
    DJI_20190704101112_0001_D.jpg = 2019-07-04T10:11:12
    Resized_20190704_101112_1234.jpg = 2019-07-04T10:11:12
    Collage_20190704_101112.jpg = 2019-07-04T10:11:12
    BeautyPlus_20190704101112123_save.jpg = 2019-07-04T10:11:12
    OpenCamera_IMG_20190704_101112.jpg = 2019-07-04T10:11:12
    XRecorder_20190704_101112.jpg = 2019-07-04T10:11:12
    TRIM_20190704_101112.jpg = 2019-07-04T10:11:12
    Screenshot_20240501-101010.png = 2024-05-01T10:10:10
    Screenshot_20240501-101010_WhatsApp.jpg = 2024-05-01T10:10:10
    Screenshot_20240501_101010.png = 2024-05-01T10:10:10
    Screenshot_20240501_101010_com.whatsapp.png = 2024-05-01T10:10:10
    Screenshot_2019-07-04-10-11-12.png = 2019-07-04T10:11:12
    Screenshot_2019-07-04-10-11-12-123_com.whatsapp.jpg = 2019-07-04T10:11:12
    Screenshot_2019-07-04-10-11-12-1234567.png = 2019-07-04T10:11:12
    Screenshot_2019_07_04_10_11_12.png = 2019-07-04T10:11:12
    Screenshot from 2019-07-04 10-11-12.png = 2019-07-04T10:11:12
    Screenshot from 2019-07-04 10:11:12.png = 2019-07-04T10:11:12
    Bildschirmfoto vom 2019-07-04 10-11-12.png = 2019-07-04T10:11:12
    Capture d’écran du 2019-07-04 10-11-12.png = 2019-07-04T10:11:12
    Captura de pantalla de 2019-07-04 10-11-12.png = 2019-07-04T10:11:12
    Screenshot 2019-07-04 at 10.11.12.png = 2019-07-04T10:11:12
    Screenshot 2019-07-04 at 10.11.12 AM.png = 2019-07-04T10:11:12
    Screenshot 2019-07-04 at 3.11.12\u{202F}PM.png = 2019-07-04T15:11:12
    Screen Shot 2019-07-04 at 9.11.12 AM.png = 2019-07-04T09:11:12
    Screen Shot 2019-07-04 at 10.11.12 (2).png = 2019-07-04T10:11:12
    Bildschirmfoto 2019-07-04 um 10.11.12.png = 2019-07-04T10:11:12
    Capture d’écran 2019-07-04 à 10.11.12.png = 2019-07-04T10:11:12
    Captura de pantalla 2019-07-04 a las 10.11.12.png = 2019-07-04T10:11:12
    Captura de Tela 2019-07-04 às 10.11.12.png = 2019-07-04T10:11:12
    Schermata 2019-07-04 alle 10.11.12.png = 2019-07-04T10:11:12
    Schermafbeelding 2019-07-04 om 10.11.12.png = 2019-07-04T10:11:12
    Skärmavbild 2019-07-04 kl. 10.11.12.png = 2019-07-04T10:11:12
    Zrzut ekranu 2019-07-4 o 10.11.12.png = none
    Zrzut ekranu 2019-07-04 o 10.11.12.png = 2019-07-04T10:11:12
    Снимок экрана 2019-07-04 в 10.11.12.png = 2019-07-04T10:11:12
    スクリーンショット 2019-07-04 10.11.12.png = 2019-07-04T10:11:12
    截屏2019-07-04 上午10.11.12.png = 2019-07-04T10:11:12
    截屏2019-07-04 下午3.11.12.png = 2019-07-04T15:11:12
    屏幕截图 2019-07-04 101112.png = 2019-07-04T10:11:12
    Screenshot 2019-07-04 101112.png = 2019-07-04T10:11:12
    스크린샷 2019-07-04 101112.png = 2019-07-04T10:11:12
    Spectacle_20190704_101112.png = 2019-07-04T10:11:12
    signal-2019-07-04-101112.jpg = 2019-07-04T10:11:12
    signal-2019-07-04-10-11-12-123.jpg = 2019-07-04T10:11:12
    signal-2019-07-04-101112_002.jpeg = 2019-07-04T10:11:12
    signal-attachment-2019-07-04-101112.jpeg = 2019-07-04T10:11:12
    photo_2019-07-04_10-11-12.jpg = 2019-07-04T10:11:12
    photo_2019-07-04_10-11-12 (2).jpg = 2019-07-04T10:11:12
    photo_2019-07-04 10.11.12.jpeg = 2019-07-04T10:11:12
    photo_1@04-07-2019_10-11-12.jpg = none
    photo_1@25-07-2019_10-11-12.jpg = 2019-07-25T10:11:12
    photo@25-07-2019_10-11-12.jpg = 2019-07-25T10:11:12
    image_2019-07-04_10-11-12.png = 2019-07-04T10:11:12
    FB_IMG_1562230272123.jpg = 2019-07-04
    mmexport1562230272123.jpg = 2019-07-04
    LINE_1562230272123.jpg = 2019-07-04
    wx_camera_1562230272123.jpg = 2019-07-04
    微信图片_20190704101112.jpg = 2019-07-04T10:11:12
    QQ图片20190704101112.jpg = 2019-07-04T10:11:12
    KakaoTalk_20190704_101112345.jpg = 2019-07-04T10:11:12
    KakaoTalk_Photo_2019-07-04-10-11-12.jpeg = 2019-07-04T10:11:12
    2019-07-04 10.11.12.jpg = 2019-07-04T10:11:12
    2019-07-04 10.11.12-1.jpg = 2019-07-04T10:11:12
    2019-07-04 10-11-12.jpg = 2019-07-04T10:11:12
    2019-07-04_10.11.12.jpg = 2019-07-04T10:11:12
    2019-07-04T10:11:12.jpg = 2019-07-04T10:11:12
    2019-07-04T10-11-12Z.jpg = 2019-07-04T10:11:12
    2019-07-04-101112.jpg = 2019-07-04T10:11:12
    2019-07-04.jpg = 2019-07-04
    2019-07-04 (3).jpg = 2019-07-04
    2019-07-04 Rome 001.jpg = 2019-07-04
    2019_07_04.jpg = 2019-07-04
    2019.07.04 Rome.jpg = 2019-07-04
    Rome 2019-07-04.jpg = 2019-07-04
    2019年7月4日.jpg = 2019-07-04
    2019年07月04日10时11分12秒.jpg = 2019-07-04T10:11:12
    写真 2019年12月25日.jpg = 2019-12-25
    Foto 04.07.2019.jpg = 2019-07-04
    Foto 04.07.19, 10 11 12.jpg = 2019-07-04T10:11:12
    04.07.2019 10.11.12.jpg = 2019-07-04T10:11:12
    Urlaub 24.12.2018 (1).jpg = 2018-12-24
    Scan_20190704.jpg = 2019-07-04
    Scan_20190704 (2).png = 2019-07-04
    Scan_20190704_101112.jpg = 2019-07-04T10:11:12
    Scan 2019-07-04 10.11.12.jpg = 2019-07-04T10:11:12
    Scan2019-07-04_101112.jpg = 2019-07-04T10:11:12
    Adobe Scan 2019-07-04.jpg = 2019-07-04
    CamScanner 2019-07-04 10.11.12.jpg = 2019-07-04T10:11:12
    Camera 2019-07-04.jpg = 2019-07-04
    """

  /// Names that have digits, but tell no date.
  private static let undated = """
    IMG_1234.jpg
    IMG_E1234.jpg
    DSC_0704.jpg
    DSC01234.jpg
    DSCF20191.jpg
    _MG_2019.jpg
    P1010704.jpg
    GOPR0704.jpg
    100_2019.jpg
    IMG_20191332.jpg
    IMG_20190230_101112.jpg
    IMG_20190001.jpg
    IMG_20190732.jpg
    IMG_00000704.jpg
    20191301.jpg
    20190229.jpg
    20190431_101112.jpg
    99999999.jpg
    00000000.jpg
    12345678.jpg
    2019-13-01.jpg
    2019-02-30.jpg
    2019-07.jpg
    2019.jpg
    1920x1080.jpg
    3840x2160_2019.jpg
    wallpaper-20190704x1080.jpg
    1080p.20190704a.jpg
    a3f20190704bc9e1.jpg
    d41d8cd98f00b20190704998ecf8427e.jpg
    deadbeef20190704.jpg
    20190704deadbeef.jpg
    0a20190704.jpg
    e20190704f.jpg
    x20190704.jpg
    v20190704.jpg
    v2019.07.04.jpg
    20190704-1a2b-4c3d-8e4f-0123456789ab.jpg
    0f8fad5b-d9cb-469f-a165-20190704abcd.jpg
    +4920190704123.jpg
    +20190704.jpg
    0049-20190704.jpg
    030 20190704.jpg
    0049 20190704 12.jpg
    4920190704.jpg
    123456789012345.jpg
    9782019070441.jpg
    ISBN9782019070441.jpg
    1562230272123.jpg
    15622302721.jpg
    received_2019070412345678.jpg
    19216820190704.jpg
    192.168.20.19.jpg
    10.11.12.jpg
    04.07.19.jpg
    04-07-2019.jpg
    07-04-2019.jpg
    31.02.2019.jpg
    Snapchat-1234567890.jpg
    image000001.jpg
    """

  private static func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }

  private static func date(_ name: some StringProtocol) -> String {
    guard let date = NameDate(in: Array(name.utf8)) else { return "none" }
    return PhotoDate(TakenTime(digits: date.digits), date.precision, from: .name).iso8601
  }

  @Test func `names of phones, programs and people tell the date`() {
    let rows = Self.lines(Self.dated)
    #expect(rows.count >= 140)
    for row in rows {
      guard let end = row.range(of: " = ") else {
        Issue.record("no date in the row '\(row)'")
        continue
      }
      let (name, date) = (row[..<end.lowerBound], String(row[end.upperBound...]))
      #expect(Self.date(name) == date, "\(name)")
      #expect(Self.date(name.lowercased()) == date, "\(name), as the program stores it")
    }
  }

  @Test func `hashes, numbers to call, sizes and impossible days are no dates`() {
    let rows = Self.lines(Self.undated)
    #expect(rows.count >= 60)
    for name in rows { #expect(Self.date(name) == "none", "\(name)") }
  }

  @Test(arguments: [
    ("/photos/2019/07/04/", "2019-07-04"), ("/photos/2019/07/", "2019-07"),
    ("2019-07 Rome/", "2019-07"), ("/photos/2019-07 Rome/day 2/", "2019-07"),
    ("2019-07-04 Rome/", "2019-07-04"), ("2019_07_04/", "2019-07-04"), ("20190704/", "2019-07-04"),
    ("2019/2019-07-04/", "2019-07-04"), ("2019/07 July/", "2019-07"), ("2019.07/", "2019-07"),
    ("2019-07 Rome/2018-01-01/", "2018-01-01"), ("2019/", nil), ("2019/13/", nil),
    ("2019/07/32/", "2019-07"), ("Rome/", nil), ("07/04/", nil), ("", nil), ("/", nil),
    ("1920x1080/", nil), ("IMG_2019/", nil), ("2019-13/", nil), ("12 2019/", nil),
  ])
  func `folders tell the day or the month, the innermost first`(path: String, date: String?) {
    let found = NameDate(inFolder: Array(path.utf8))
    #expect(
      found.map {
        PhotoDate(TakenTime(digits: $0.digits), $0.precision, from: .folder).iso8601
      } == date)
  }
}

/// The order in which the sources of a date are asked.
@Suite struct PhotoDateTests {
  private static func date(
    _ rule: DateRule = DateRule(), taken: Int64?, modified: Int64? = nil, _ path: String
  ) -> PhotoDate? {
    let path = Array(path.utf8)
    let start = path.nameStart
    return rule.date(taken: taken, modified: modified) { (Array(path[..<start]), path[start...]) }
  }

  @Test func `the metadata count more than the name, and the name more than the folder`() {
    let path = "2017/05/IMG_20180601_120000.jpg"
    #expect(Self.date(taken: 2019_0704_101112, path)?.iso8601 == "2019-07-04T10:11:12")
    #expect(Self.date(taken: 2019_0704_101112, path)?.source == .metadata)
    #expect(Self.date(taken: 0, path)?.iso8601 == "2018-06-01T12:00:00")
    #expect(Self.date(taken: 0, path)?.source == .name)
    #expect(Self.date(taken: 0, "2017/05/IMG_1.jpg")?.iso8601 == "2017-05")
    #expect(Self.date(taken: 0, "2017/05/IMG_1.jpg")?.source == .folder)
    #expect(Self.date(taken: 0, modified: 1_562_230_272, "IMG_1.jpg") == nil)
    #expect(Self.date(taken: nil, path) == nil, "not before the file has been read")
  }

  @Test func `the option chooses the sources and their order`() {
    let path = "IMG_20180601_120000.jpg"
    let name = DateRule([.name, .taken])
    #expect(Self.date(name, taken: nil, path)?.source == .name)
    #expect(Self.date(name, taken: 2019_0704_101112, "a.jpg")?.source == .metadata)
    #expect(Self.date(DateRule([.taken]), taken: 0, path) == nil)
    let all = DateRule([.taken, .name, .modified])
    #expect(Self.date(all, taken: 0, modified: 1_562_230_272, "a.jpg")?.source == .modified)
    #expect(Self.date(all, taken: 0, modified: 1_562_230_272, path)?.source == .name)
    #expect(Self.date(DateRule([]), taken: 2019_0704_101112, path) == nil)
  }

  @Test(
    arguments: [
      2000_0101_000000, 1980_0101_000000, 1970_0101_000000, 0, 2026_1126_000000,
      9999_1231_235959,
    ] as [Int64])
  func `impossible dates yield to the next source`(taken: Int64) {
    let rule = DateRule(today: CalendarDate(year: 2026, month: 11, day: 25))
    #expect(Self.date(rule, taken: taken, "IMG_20180601_120000.jpg")?.source == .name)
    #expect(Self.date(rule, taken: taken, "a.jpg") == nil)
    #expect(Self.date(rule, taken: 2026_1125_235959, "a.jpg")?.source == .metadata)
    #expect(Self.date(rule, taken: 0, "IMG_20991231_120000.jpg") == nil)
    #expect(Self.date(rule, taken: 2000_0101_000001, "a.jpg")?.source == .metadata)
  }
}

/// Times of file systems and videos, which are numbers of up to 64 bits.
@Suite struct LocalTimeTests {
  // About the years 10,000, 100 million, 2 billion, and beyond what a C library can divide into parts.
  @Test(
    arguments: [
      253_402_500_000, 3_155_692_597_470_000, 67_768_036_191_676_799, .max, .min,
    ] as [Int64])
  func `a time whose year has more than four digits is none`(seconds: Int64) {
    #expect(TakenTime(localSeconds: seconds) == nil)
    #expect(CalendarDate(localSeconds: seconds) == nil)
  }

  @Test func `a time before 1970 is one`() {
    #expect(TakenTime(localSeconds: -86_400 * 366)?.digits ?? 0 > 1968_1230_000000)
  }
}

/// Dates of names in everything that goes by date.
@Suite(.traced) struct NamedDateStoryTests {
  private static let names = [
    "IMG-20190704-WA0003.jpg", "DSC1.jpg", "Screenshot_20240501-101010.png", "b.jpg",
    "IMG-20190704-WA0001.jpg",
  ]

  private static func story() -> Story {
    let infos = names.indices.map { number -> PhotoInfo? in
      var info = PhotoInfo.made(4, 3, taken: number == 1 ? "2019-07-04T23:00:00" : nil)
      info.metadata = PhotoMetadata()
      return info
    }
    return Story(names: names, facts: infos)
  }

  @Test func `order, sections, months, filters and going to a date follow the date of a name`() {
    var story = Self.story()
    story.keys(",d")
    #expect(story.shown == [0, 4, 1, 2, 3], "those without a time come first in their day")
    story.keys("gm")
    let sections = story.browser.collection.sections
    #expect((0..<sections.count).map { sections[$0].range.count } == [3, 1, 1])
    story.keys("gt2024")
    story.press(.enter)
    #expect(story.current == 2)
    story.keys("fdate:2019-07-04")
    #expect(story.shown == [0, 4, 1])
    story.press(.escape)
    story.keys("zo")
    story.wait(1)
    #expect(story.browser.periods?.items.count == 3)
  }

  @Test func `a name tells the date in the bar and the panel`() {
    var story = Self.story()
    var facts = story.facts
    facts.info = .made(4, 3)
    #expect(story.browser.bar(facts, at: story.now).right.contains("2019-07-04"))
    var information = Information(name: "a", folderPath: "~")
    information.info = facts.info
    information.date = story.browser.album.date(of: Photo.ID(0))
    let lines = information.texts(in: CellSize(columns: 36, rows: 20), isPlain: true)
    #expect(lines.contains("taken     2019-07-04  from its name"))
    story.send(.dayBegan(CalendarDate(year: 2019, month: 7, day: 3)))
    #expect(story.browser.album.date(of: Photo.ID(0)) == nil, "that is tomorrow")
  }
}
