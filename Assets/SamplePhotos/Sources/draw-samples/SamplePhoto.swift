/// One of the sample photos: what it shows, when it was taken and how it is stored.
struct SamplePhoto {
  let name: String
  /// In pixels, upright.
  let width: Int
  /// In pixels, upright.
  let height: Int
  let format: PhotoFormat
  /// EXIF DateTimeOriginal.
  let taken: String
  /// Stored lying on its side, with the EXIF orientation that sets it upright.
  var isSideways = false
  var film = Film()
  /// Paints the picture at a width and height in pixels.
  let draw: @Sendable (Int, Int) -> Canvas
}

extension SamplePhoto {
  /// The whole set.
  static let all: [SamplePhoto] = [
    SamplePhoto(
      name: "First Light", width: 2100, height: 1400, format: .jpeg(quality: 80),
      taken: "2025:10:04 07:12:31", draw: firstLight),
    SamplePhoto(
      name: "Dunes", width: 1400, height: 2000, format: .jpeg(quality: 80),
      taken: "2024:11:19 16:48:02", draw: dunes),
    SamplePhoto(
      name: "Alpine Lake", width: 2000, height: 1500, format: .jpeg(quality: 76),
      taken: "2025:07:21 08:05:44", draw: alpineLake),
    SamplePhoto(
      name: "Autumn Valley", width: 1800, height: 1200, format: .jpeg(quality: 72),
      taken: "2024:10:13 09:31:10",
      film: Film(exposure: 0.97, saturation: 1.2), draw: autumnValley),
    SamplePhoto(
      name: "Canyon Panorama", width: 2400, height: 600, format: .jpeg(quality: 76),
      taken: "2025:04:28 17:20:55", draw: canyon),
    SamplePhoto(
      name: "Aurora", width: 1400, height: 2000, format: .jpeg(quality: 78),
      taken: "2026:01:17 23:14:09", draw: aurora),
    SamplePhoto(
      name: "Lavender", width: 2000, height: 1333, format: .jpeg(quality: 72),
      taken: "2025:07:03 20:58:37", draw: lavender),
    SamplePhoto(
      name: "Rice Terraces", width: 2000, height: 1500, format: .jpeg(quality: 72),
      taken: "2024:05:26 06:40:18", draw: riceTerraces),
    SamplePhoto(
      name: "Lighthouse", width: 1600, height: 1600, format: .jpeg(quality: 76),
      taken: "2025:11:22 16:05:50", draw: lighthouse),
    SamplePhoto(
      name: "Milky Way", width: 1400, height: 2100, format: .jpeg(quality: 76),
      taken: "2025:08:24 23:47:12", isSideways: true, draw: milkyWay),
    SamplePhoto(
      name: "Moonrise", width: 1080, height: 2160, format: .webp(quality: 76),
      taken: "2026:02:01 18:22:40", draw: moonrise),
    SamplePhoto(
      name: "Iceberg", width: 2000, height: 1333, format: .avif(quality: 55),
      taken: "2026:03:08 19:10:26", draw: iceberg),
    SamplePhoto(
      name: "Palm Beach", width: 1800, height: 1200, format: .tiff(quality: 76),
      taken: "2025:12:29 12:02:03", draw: palmBeach),
    SamplePhoto(
      name: "Balloons", width: 1200, height: 1400, format: .png,
      taken: "2024:08:17 06:55:00", film: Film(vignette: 0, grain: 0), draw: balloons),
  ]
}
