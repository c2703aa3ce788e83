/// Headings of sections, and the commands that go to a section or mark its photos.
extension Browser {
  // MARK: - Headings

  /// Adds the visible headings to the scene; the heading of the topmost section stays at the top of
  /// the screen until the next heading pushes it out.
  func addHeadings(to scene: inout Scene, opacity: Double, at now: Instant) {
    guard let sectioned = grid.layout.sectioned, sectioned.sectionCount > 0,
      folders.transition == nil
    else { return }
    let scroll = grid.scroll.value(at: now)
    let columns = viewport.pictureCells.columns
    let first = sectioned.section(at: scroll)
    for section in first..<sectioned.sectionCount {
      let frame = headingFrame(ofSection: section, in: sectioned, scroll: scroll)
      guard frame.minY < scene.size.height else { break }
      let label = Scene.Label(
        text: " " + collection.heading(ofSection: section, options.dates, columns: columns - 2),
        frame: frame, opacity: opacity, isHeading: true)
      // A caption hides the tiles behind it; a label does not cut off tiles that fly to new places.
      if section == first, grid.rearrangement.isOver(at: now) {
        scene.captions.append(label)
      } else {
        scene.labels.append(label)
      }
    }
  }

  /// Returns the frame of a heading in the picture area: at its place in the content, or at the top
  /// while its section scrolls.
  private func headingFrame(
    ofSection section: Int, in sectioned: SectionedLayout, scroll: Double
  ) -> PixelRect {
    var frame = sectioned.heading(ofSection: section).offset(x: 0, y: -scroll)
    guard frame.minY < 0 else { return frame }
    let next =
      section + 1 < sectioned.sectionCount
      ? sectioned.heading(ofSection: section + 1).minY - scroll : .infinity
    frame.origin.y = min(0, next - frame.height)
    return frame
  }

  /// Returns the section whose visible heading contains a point of the picture area; nil if there
  /// is none.
  func sectionHeading(at point: PixelPoint, _ now: Instant) -> Int? {
    guard let sectioned = grid.layout.sectioned, sectioned.sectionCount > 0 else { return nil }
    let scroll = grid.scroll.value(at: now)
    let first = sectioned.section(at: scroll)
    if headingFrame(ofSection: first, in: sectioned, scroll: scroll).contains(point) {
      return first
    }
    return sectioned.heading(at: PixelPoint(x: point.x, y: point.y + scroll))
  }

  // MARK: - Commands

  /// Groups the photos into sections; each photo flies to its new place.
  mutating func group(by grouping: Grouping, at now: Instant) {
    changeCollection(at: now) { $0.group(by: grouping) }
    showNotice(
      grouping == .none
        ? "Not grouped" : "Grouped by \(grouping.rawValue), sorted by \(album.order.label)",
      for: 1, at: now)
  }

  /// Selects the first photo of the section `steps` after the current one, or before it if
  /// negative; the first step back goes to the first photo of the current section.
  mutating func goToSection(by steps: Int, at now: Instant) {
    guard let present = collection.section(ofItem: selection) else {
      showNotice("Nothing is grouped. gd, gm, gy, gf and g* group.", for: 2, at: now)
      return
    }
    let sections = collection.sections
    let isInside = steps < 0 && selection > sections[present].range.lowerBound
    let wanted = present + steps + (isInside ? 1 : 0)
    goTo(section: min(max(wanted, 0), sections.count - 1), at: now)
  }

  /// Selects the first photo of a section, and scrolls its heading to the top if there is enough
  /// content below it.
  private mutating func goTo(section: Int, at now: Instant) {
    let index = collection.sections[section].range.lowerBound
    changeGrid(at: now) { grid, context in
      grid.select(index, in: context)
      guard let heading = grid.layout.sectioned?.heading(ofSection: section) else { return }
      let offset = min(heading.minY, grid.scrollLimit(in: context.viewport))
      grid.scroll(
        to: grid.scrollOffset(showing: index, from: offset, in: context.viewport), in: context)
    }
  }

  /// Marks the photos of a section, or removes their marks if all are marked already.
  mutating func markSection(_ section: Int, at now: Instant) {
    let photos = album.files(ofTiles: collection.photos(inSection: section))
    guard !photos.isEmpty else { return showNotice("Folders cannot be marked", for: 1, at: now) }
    let isMarked = photos.allSatisfy { album.marks.contains($0) }
    changeCollection(at: now) { $0.mark(photos, !isMarked) }
  }

  /// Marks the photos of the selected photo's section, or removes their marks if all are marked
  /// already.
  mutating func markSelectedSection(at now: Instant) {
    guard let section = collection.section(ofItem: selection) else {
      showNotice("Nothing is grouped. gd, gm, gy, gf and g* group.", for: 2, at: now)
      return
    }
    markSection(section, at: now)
  }

  /// Selects the first photo taken on a date; if there is none, the nearest one.
  mutating func goTo(_ date: CalendarDate, at now: Instant) {
    guard mode.periods == nil else { return goToPeriod(date, at: now) }
    guard let place = collection.index(taken: date) else {
      showNotice("No dates are known yet. gd, gm and gy group by date.", for: 2, at: now)
      return
    }
    if !place.isThen {
      showNotice(
        "Nothing in \(options.dates.text(of: date)). This is the nearest.", for: 2, at: now)
    }
    if let section = collection.section(ofItem: place.index),
      collection.sections[section].range.lowerBound == place.index
    {
      goTo(section: section, at: now)
    } else {
      select(place.index, at: now)
    }
  }
}
