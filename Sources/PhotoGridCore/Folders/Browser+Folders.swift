extension Browser {
  // MARK: - Tiles

  package func folderPreview(of folder: Photo.ID) -> FolderPreview? {
    gallery.folders.previews[folder]
  }

  /// The visible and nearly visible folders whose previews are missing or out of date, nearest to
  /// the selection first.
  package var missingPreviews: [Photo.ID] {
    screens.visible.first?.missingPreviews(in: gallery) ?? []
  }

  // MARK: - Entering and leaving

  /// Enters a folder, unless it is known to be unreadable; shows the photos of a saved filter.
  mutating func enter(_ folder: Photo.ID, at now: Instant) {
    if let saved = album.filterTile(folder) { return show(filterNamed: saved.filter.name, at: now) }
    if let preview = gallery.folders.previews[folder], preview.isCurrent,
      let words = preview.failure
    {
      showNotice("Cannot read the folder: \(words)", for: 2, at: now)
    } else {
      effects.append(.enter(folder))
    }
  }

  mutating func move(_ move: FolderMove, at now: Instant) {
    endDrag(at: now)
    files.move(move)
    gallery.folders.leave(move.from, at: grid.position)
    let transition =
      options.motion == .none ? nil : screens.transition(for: move, in: gallery, at: now)
    gallery.animator.stop()
    leaveScreens()
    gallery.removalFade = nil
    (gallery.pointer.painting, gallery.options.opensSinglePhoto) = (nil, false)
    gallery.collection.show(folder: move.to == [0] ? options.folder : move.to)
    gallery.collection.move(to: move.photos)
    if case .outOf(let folder?) = move.direction { gallery.folders.expirePreview(of: folder) }
    gallery.grid.reset(
      to: gallery.folders.position(after: move, in: collection), in: gallery.gridContext(at: now))
    refreshIfDue(at: now)
    gallery.folders.transition = transition
    if case .outOf(let folder?) = move.direction {
      gallery.retargetTransition(at: folder, at: now)
    }
  }

  /// Selects the folder that was left, or a photo of it, once it is found, unless the user has done
  /// something in the meantime.
  mutating func selectPending(_ tile: Photo.ID, at now: Instant) {
    guard !grid.hasUserInteracted, let index = collection.index(of: tile) else { return }
    gallery.jump(to: index, at: now)
    gallery.retargetTransition(at: tile, at: now)
  }
}
