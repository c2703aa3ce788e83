import Foundation
import Geometry
import ImageFormats
import PhotoLibrary
import Photos
import TestSupport
import Testing

@testable import photogrid_worker

/// Pictures of films, which ffmpeg decodes inside the sandbox.
@Suite(.serialized, .enabled(if: TestFilm.canBeMade, "ffmpeg is not installed"))
struct FilmTests {
  private let folder = TemporaryFolder()

  private func store(_ names: [String]) throws -> PhotoStore {
    let store = try PhotoStore.of(names.map { folder.path($0) })
    store.fetchAll()
    return store
  }

  @Test(arguments: [
    ("a.mp4", ["-c:v", "libx264", "-preset", "ultrafast"]), ("a.mov", ["-c:v", "mpeg4"]),
    ("a.mkv", ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none"]),
    ("a.webm", ["-c:v", "libvpx", "-deadline", "realtime"]), ("a.avi", ["-c:v", "mjpeg"]),
  ])
  func `a film is shown as a picture that is not black`(name: String, codec: [String]) throws {
    try TestFilm.make(
      "color=black:s=320x180:r=5:d=2,format=yuv420p[a];testsrc=s=320x180:r=5:d=3,format=yuv420p[b];"
        + "[a][b]concat",
      at: "\(folder.path)/\(name)", codec + ["-g", "5"])
    let store = try store([name])
    let picture = try #require(store.picture(0), "\(store.failure(of: Photo.ID(0)) ?? "")")
    let info = try #require(store.info(of: Photo.ID(0)))
    #expect(info.format == .film && info.size == PixelSize(width: 320, height: 180))
    #expect(info.length.map { abs($0 - 5) < 0.3 } == true, "\(info)")
    let greens = stride(from: 1, to: picture.pixels.count, by: 4)
    let bright = greens.filter { picture.pixels[$0] > 100 }
    #expect(bright.count > picture.pixels.count / 40, "it is not black")
    #expect(picture.isOpaque)
  }

  /// The numbers of display matrices that turn or flip a picture, and where its quarters are then: the
  /// numbers from the top left, row by row.
  private static let matrices: [(name: String, numbers: [Int8], quarters: [Int])] = [
    ("upright", [1, 0, 0, 1], [0, 1, 2, 3]), ("right", [0, 1, -1, 0], [2, 0, 3, 1]),
    ("half", [-1, 0, 0, -1], [3, 2, 1, 0]), ("left", [0, -1, 1, 0], [1, 3, 0, 2]),
    ("mirrored", [-1, 0, 0, 1], [1, 0, 3, 2]), ("upside down", [1, 0, 0, -1], [2, 3, 0, 1]),
    ("mirrored right", [0, 1, 1, 0], [0, 2, 1, 3]),
  ]

  @Test func `a film is turned and flipped by its display matrix`() throws {
    try TestFilm.make(
      "color=red:s=320x180:r=5:d=1,drawbox=w=160:c=blue:t=fill,drawbox=h=90:w=160:c=white:t=fill,"
        + "drawbox=x=160:y=90:c=black:t=fill",
      at: "\(folder.path)/plain.mp4", ["-c:v", "libx264", "-preset", "ultrafast"])
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/plain.mp4")))
    let header = try #require(bytes.indices.first { bytes[$0...].starts(with: "tkhd".utf8) })
    for (name, numbers, _) in Self.matrices {
      let parts = numbers.map { number -> [UInt8] in
        [UInt8(bitPattern: number < 0 ? -1 : 0), UInt8(bitPattern: number), 0, 0]
      }
      bytes.replaceSubrange(
        (header + 44)..<(header + 64),
        with: parts[0] + parts[1] + [0, 0, 0, 0] + parts[2] + parts[3])
      folder.write(bytes, to: "\(name).mp4")
    }
    let store = try store(Self.matrices.map { "\($0.name).mp4" })
    let plain = try #require(store.picture(0)).quarters
    #expect(Set(plain).count == 4)
    for (place, (name, numbers, quarters)) in Self.matrices.enumerated() {
      let picture = try #require(store.picture(place))
      #expect((picture.width < picture.height) == (numbers[0] == 0), "\(name)")
      #expect(areAlike(picture.quarters, quarters.map { plain[$0] }, tolerance: 16), "\(name)")
    }
  }

  @Test func `pixels that are not square are stretched`() throws {
    for name in ["a.mp4", "a.mkv"] {
      try TestFilm.make(
        "color=red:s=320x180:r=5:d=1,drawbox=w=160:c=blue:t=fill", at: "\(folder.path)/\(name)",
        ["-c:v", "mpeg4", "-aspect", "4:1"])
    }
    // The size to which a picture is stretched may be that of its pixels.
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/a.mp4")))
    let header = try #require(bytes.indices.first { bytes[$0...].starts(with: "tkhd".utf8) })
    bytes.replaceSubrange((header + 80)..<(header + 84), with: [1, 64, 0, 0])
    folder.write(bytes, to: "b.mp4")
    let store = try store(["a.mp4", "a.mkv", "b.mp4"])
    for number in 0..<3 {
      #expect(store.info(of: Photo.ID(number))?.size == PixelSize(width: 720, height: 180))
      let quarters = try #require(store.picture(number)).quarters
      #expect(quarters[0] != quarters[1])
    }
  }

  @Test(arguments: [
    ("smpte2084", "a.mp4"), ("smpte2084", "a.mkv"), ("arib-std-b67", "a.mov"),
    ("arib-std-b67", "a.mkv"),
  ])
  func `a film of high dynamic range has the colors of a usual one`(transfer: String, name: String)
    throws
  {
    try TestFilm.make(
      "color=red:s=320x180:r=5:d=1,drawbox=w=160:c=blue:t=fill", at: "\(folder.path)/\(name)",
      [
        "-vf",
        "format=yuv420p,setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv,"
          + "zscale=t=linear:npl=203,format=gbrpf32le,"
          + "zscale=p=bt2020:t=\(transfer):m=bt2020nc:r=tv:npl=203,format=yuv420p10le", "-pix_fmt",
        "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
        "log-level=none:colorprim=bt2020:transfer=\(transfer):colormatrix=bt2020nc:range=limited",
      ])
    let store = try store([name])
    let picture = try #require(store.picture(0), "\(store.failure(of: Photo.ID(0)) ?? "")")
    // Decoded as they are, they would be (104, 85, 170) and (143, 92, 62).
    for (place, wanted) in [(0, 2), (1, 0)] {
      let start = (picture.height / 2 * picture.width + picture.width * (1 + 2 * place) / 4) * 4
      let color = picture.pixels[start..<(start + 3)].map { Int($0) }
      for channel in 0..<3 {
        #expect(channel == wanted ? color[channel] > 180 : color[channel] < 50, "\(color)")
      }
    }
  }

  @Test func `what is no film says why`() throws {
    try TestFilm.make(
      "testsrc=s=320x180:r=5:d=2", at: "\(folder.path)/whole.mp4", ["-c:v", "mpeg4"])
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/whole.mp4")))
    folder.write(Array(bytes.prefix(bytes.count / 2)), to: "cut.mp4")
    // Its index is there, its pictures are not.
    if let start = bytes.indices.first(where: { bytes[$0...].starts(with: "mdat".utf8) }),
      let end = bytes.indices.last(where: { bytes[$0...].starts(with: "moov".utf8) })
    {
      for place in (start + 4)..<(end - 4) { bytes[place] = 0 }
    }
    folder.write(bytes, to: "noise.mp4")
    folder.write(Array("#EXTM3U\nwhole.mp4\n".utf8), to: "list.mp4")
    folder.write(Array("ffconcat version 1.0\nfile whole.mp4\n".utf8), to: "concat.mkv")
    let store = try store(["cut.mp4", "noise.mp4", "list.mp4", "concat.mkv"])
    let reasons = (0..<4).map { store.failure(of: Photo.ID($0)) }
    #expect(reasons == ["truncated", "damaged: no picture", "not an image", "not an image"])
  }

  /// A small film in which four bytes, some bytes after the name of a box, are another number.
  private static func film(_ box: String, _ distance: Int, _ number: UInt32) -> [UInt8] {
    var bytes = TestFilm.small("short.mp4")
    for place in bytes.indices where bytes[place...].starts(with: box.utf8) {
      let start = place + distance
      bytes.replaceSubrange(
        start..<(start + 4), with: [24, 16, 8, 0].map { UInt8(number >> $0 & 255) })
      break
    }
    return bytes
  }

  @Test func `films that lie about their frames, or name other files, are shown or say why`() throws
  {
    let films: [(name: String, bytes: [UInt8], reason: String?)] = [
      ("whole.mp4", TestFilm.small("short.mp4"), nil),
      ("audio.mp4", Self.film("hdlr", 12, 0x736f_756e), "audio only"),
      ("no index.mp4", Self.film("moov", 0, 0x6672_6565), "truncated"),
      // The tables of times, sizes and places, each with its number of entries.
      ("no frames.mp4", Self.film("stsz", 12, 0), "damaged: no picture"),
      ("a billion frames.mp4", Self.film("stsz", 12, 1_000_000_000), "damaged: no picture"),
      ("a billion times.mp4", Self.film("stts", 8, 1_000_000_000), "damaged: no picture"),
      ("no chunks.mp4", Self.film("stco", 8, 0), "damaged: no picture"),
      ("outside.mp4", Self.film("stco", 12, 0x7fff_ffff), "damaged: no picture"),
      // The pictures are said to be in another file, which has no name.
      ("reference.mp4", Self.film("url ", 4, 0), nil),
    ]
    for film in films { folder.write(film.bytes, to: film.name) }
    let store = try store(films.map(\.name))
    for (number, film) in films.enumerated() {
      let reason = store.failure(of: Photo.ID(number))
      #expect(reason == film.reason, "\(film.name)")
      #expect((store.picture(number) == nil) == (reason != nil), "\(film.name)")
    }
  }

  @Test func `a photo is decoded after a film, and a film after a photo`() throws {
    try TestFilm.make("testsrc=s=320x180:r=5:d=1", at: "\(folder.path)/a.mp4", ["-c:v", "mpeg4"])
    folder.write(image("card.jpg"), to: "b.jpg")
    folder.write(image("card.heic"), to: "c.heic")
    let store = try store(["a.mp4", "b.jpg", "a.mp4", "c.heic", "a.mp4", "b.jpg"])
    for number in 0..<6 {
      #expect(store.picture(number) != nil, "\(store.failure(of: Photo.ID(number)) ?? "")")
    }
  }

  // MARK: - Commands that misbehave

  private func poster(
    by script: String, maxTime: Double = 0.3, processorSeconds: Int = 4
  ) -> Result<Bitmap, FailureReason> {
    let path = folder.write(
      Array("#!/bin/sh\n\(script)\n".utf8), to: Array("ffmpeg".utf8), mode: 0o755)
    let decoder = FilmDecoder(
      path: String(decoding: path, as: UTF8.self), processorSeconds: processorSeconds,
      maxTime: maxTime)
    return Result { () throws(FailureReason) in
      let film = try FilmFacts(ByteSource(TestFilm.small("short.mp4")))
      return try decoder.poster(of: film, 0, (4, 2))
    }
  }

  @Test func `a command that hangs, dies, or writes too little fails, and is killed`() {
    let file = "\(folder.path)/process"
    // Long enough for a shell to start beside other processes.
    let hanging = poster(by: "sleep 100 & echo $! > \(file); wait", maxTime: 2)
    #expect(hanging == .failure(.unreadable(ETIMEDOUT)))
    let number = (try? String(contentsOfFile: file, encoding: .utf8))?.dropLast() ?? ""
    // What the command had started is in its group.
    let state = (try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)) ?? ") X"
    #expect(!number.isEmpty && !state.contains(") S"))
    #expect(poster(by: "trap '' TERM; while :; do :; done") == .failure(.unreadable(ETIMEDOUT)))
    #expect(poster(by: "exit 3", maxTime: 4) == .failure(.decoder("no picture")))
    #expect(poster(by: "kill -9 $$", maxTime: 4) == .failure(.decoder("no picture")))
    #expect(poster(by: "printf 12345", maxTime: 4) == .failure(.decoder("no picture")))
  }

  @Test func `a command that uses up its processor time has taken too long`() {
    let computing = poster(by: "while :; do :; done", maxTime: 90, processorSeconds: 1)
    #expect(computing == .failure(.unreadable(ETIMEDOUT)))
  }

  @Test func `a command that writes without end is ended after some pictures`() throws {
    let picture = try poster(by: "yes", maxTime: 4).get()
    #expect([picture.width, picture.height] == [4, 2] && picture.isOpaque)
  }
}
