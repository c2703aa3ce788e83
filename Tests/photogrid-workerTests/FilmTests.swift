import Foundation
import ImageFormats
import PhotoGridCore
import PhotoLibrary
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

  @Test func `a film on its side is turned upright`() throws {
    try TestFilm.make(
      "color=red:s=320x180:r=5:d=1,drawbox=w=160:c=blue:t=fill", at: "\(folder.path)/plain.mp4",
      ["-c:v", "libx264", "-preset", "ultrafast"])
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/plain.mp4")))
    let header = try #require(bytes.indices.first { bytes[$0...].starts(with: "tkhd".utf8) })
    // The numbers of a turn by 90 degrees, each of four bytes.
    let matrix: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0]
    bytes.replaceSubrange((header + 44)..<(header + 64), with: matrix)
    folder.write(bytes, to: "turned.mp4")
    let store = try store(["plain.mp4", "turned.mp4"])
    #expect(store.info(of: Photo.ID(1))?.size == PixelSize(width: 180, height: 320))
    let (plain, turned) = try (#require(store.picture(0)), #require(store.picture(1)))
    #expect((plain.width > plain.height, turned.width < turned.height) == (true, true))
    // What is left is at the top, or at the bottom, but no longer beside the other half.
    #expect(plain.quarters[0] == plain.quarters[2] && plain.quarters[0] != plain.quarters[1])
    #expect(turned.quarters[0] == turned.quarters[1] && turned.quarters[0] != turned.quarters[2])
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
    by script: String, longestTime: Double = 0.3
  ) -> Result<Bitmap, FailureReason> {
    let path = folder.write(
      Array("#!/bin/sh\n\(script)\n".utf8), to: Array("ffmpeg".utf8), mode: 0o755)
    let decoder = FilmDecoder(path: String(decoding: path, as: UTF8.self), longestTime: longestTime)
    return Result { () throws(FailureReason) in
      let film = try FilmFacts(ByteSource(TestFilm.small("short.mp4")))
      return try decoder.poster(of: film, 0, (4, 2))
    }
  }

  @Test func `a command that hangs, dies, or writes too little fails, and is killed`() {
    let file = "\(folder.path)/process"
    #expect(poster(by: "sleep 100 & echo $! > \(file); wait") == .failure(.unreadable(ETIMEDOUT)))
    let number = (try? String(contentsOfFile: file, encoding: .utf8))?.dropLast() ?? ""
    // What the command had started is in its group.
    let state = (try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)) ?? ") X"
    #expect(!number.isEmpty && !state.contains(") S"))
    #expect(poster(by: "trap '' TERM; while :; do :; done") == .failure(.unreadable(ETIMEDOUT)))
    #expect(poster(by: "exit 3", longestTime: 4) == .failure(.decoder("no picture")))
    #expect(poster(by: "kill -9 $$", longestTime: 4) == .failure(.decoder("no picture")))
    #expect(poster(by: "printf 12345", longestTime: 4) == .failure(.decoder("no picture")))
  }

  @Test func `a command that writes without end is ended after some pictures`() throws {
    let picture = try poster(by: "yes", longestTime: 4).get()
    #expect([picture.width, picture.height] == [4, 2] && picture.isOpaque)
  }
}
