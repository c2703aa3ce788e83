import Glibc
import ImageFormats
import Photos
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary
@testable import photogrid_worker

/// The film that a decoder is handed with a live photo.
@Suite struct LiveFilmTests {
  private let folder = TemporaryFolder()
  private let film = TestFilm.small("short.mp4")

  /// Returns a file of the folder as a decoder gets it, with a film beside it if that is asked for.
  private func delivered(_ name: String, withFilm: Bool = false) throws -> DeliveredFile {
    let path = Array(folder.path(name))
    let opening = PhotoOpening(path)
    var delivery = FileDelivery(number: 1)
    delivery.stamp = opening.stamp
    delivery.hasPhoto = true
    var descriptors = [try #require(opening.descriptor)]
    if withFilm {
      let beside = try #require(PhotoOpening(filmBeside: path))
      delivery.filmByteCount = beside.stamp?.byteCount
      descriptors.append(try #require(beside.descriptor))
    }
    return DeliveredFile(delivery, descriptors, name: path)
  }

  private func contents(_ part: FilmPart?) -> [UInt8]? {
    part.flatMap { $0.source.bytes(at: 0, count: $0.source.count) }
  }

  @Test(arguments: [("a.jpg", "a.MOV"), ("a.heic", "a.mov")])
  func `the film beside a photo is opened`(photo: String, name: String) throws {
    folder.write(image("card.\(photo.dropFirst(2))"), to: photo)
    folder.write(film, to: name)
    #expect(try contents(delivered(photo, withFilm: true).film()) == film)
  }

  @Test func `what is no film is not opened`() throws {
    folder.write(image("card.jpg"), to: "a.jpg")
    #expect(PhotoOpening(filmBeside: Array(folder.path("a.jpg"))) == nil)
    folder.write(image("alpha.png"), to: "a.MOV")
    folder.write(film, to: "b.mov")
    symlink("b.mov", "\(folder.path)/a.mov")
    #expect(PhotoOpening(filmBeside: Array(folder.path("a.jpg"))) == nil)
    #expect(try delivered("a.jpg").film() == nil)
  }

  @Test func `the film inside a photo, and a film itself, are parts of the file`() throws {
    let photos = [
      ("a.jpg", MotionPhoto.google(image("card.jpg"), film)),
      ("b.jpg", MotionPhoto.samsung(image("card.jpg"), film)),
      ("c.heic", image("card.heic") + MotionPhoto.box("mpvd", film)), ("d.mp4", film),
    ]
    for (name, bytes) in photos {
      folder.write(bytes, to: name)
      let file = try delivered(name)
      let part = try #require(try file.film(), "\(name)")
      #expect(contents(part) == film)
      #expect(part.input.name.hasPrefix("subfile") == (name != "d.mp4"))
    }
  }

  @Test func `facts and the panel know of the film inside`() throws {
    let whole = MotionPhoto.google(image("card.jpg"), film)
    folder.write(whole, to: "a.jpg")
    folder.write(image("card.heic") + MotionPhoto.box("mpvd", film), to: "b.heic")
    folder.write(image("card.jpg"), to: "c.jpg")
    let store = try PhotoStore.of(["a.jpg", "b.heic", "c.jpg"].map { folder.path($0) })
    store.fetchAll()
    #expect((0..<3).map { store.info(of: Photo.ID($0))?.holdsFilm } == [true, true, false])
    #expect(try MetadataReader().read(delivered("a.jpg")).filmLength == 2)
    #expect(try MetadataReader().read(delivered("c.jpg")).filmLength == nil)
  }

  @Test func `an AVIF without EXIF has the date of its picture`() throws {
    folder.write(datedAVIF(UInt64(1_562_235_072 + 2_082_844_800) * 1_000_000), to: "a.avif")
    let store = try PhotoStore.of([folder.path("a.avif")])
    store.fetchAll()
    #expect(store.picture(0) != nil, "\(store.failure(of: Photo.ID(0)) ?? "")")
    #expect(store.info(of: Photo.ID(0))?.taken == TakenTime(localSeconds: 1_562_235_072))
  }

  @Test(.enabled(if: TestFilm.canBeMade, "ffmpeg is not installed"))
  func `a request for frames of a live photo is answered`() throws {
    folder.write(image("card.heic"), to: "a.heic")
    folder.write(film, to: "a.MOV")
    let worker = try AskedWorker()
    let path = Array(folder.path("a.heic"))
    // The next request needs another decoder again.
    #expect(worker.answersFrames(of: path))
    #expect(worker.whole(path)?.0.format == .heic)
  }
}
