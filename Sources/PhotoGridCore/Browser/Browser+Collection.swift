import Geometry
import Photos

/// Changes of the items: by commands, by the listing, and by moves to another folder.
extension Browser {
  /// Changes the items; tiles fly to their new places, and the open photo and the selection are
  /// kept if they still exist.
  mutating func changeCollection(at now: Instant, _ change: (inout PhotoCollection) -> Void) {
    moveTiles(at: now, change)
    refreshIfDue(at: now)
  }

  /// Applies new facts, immediately if all are known, otherwise after a delay.
  mutating func refreshIfDue(at now: Instant) {
    if gallery.collection.isRefreshDue(at: now) { moveTiles(at: now) { $0.refresh() } }
  }

  private mutating func moveTiles(at now: Instant, _ change: (inout PhotoCollection) -> Void) {
    let before = gallery
    change(&gallery.collection)
    let tiles = before.grid.snapshot(in: before.gridContext(at: now))
    let hasOtherItems = items != before.items
    gallery.grid.layOut(in: gallery.gridContext(at: now))
    if hasOtherItems {
      gallery.grid.followSelection(from: before.tiles, in: gallery.tiles)
      if let fade = gallery.removalFade, collection.index(of: fade.photo) != nil {
        gallery.removalFade = nil
      }
    }
    tellScreens(.items(before: before, areOther: hasOtherItems), at: now)
    guard hasOtherItems || grid.layout != tiles.layout else { return }
    let removed = gallery.removalFade.map { ItemID.photo($0.photo) }
    gallery.changeGrid(at: now, options.motion.rearrangement) {
      $0.moveTiles(from: tiles, removed: removed, in: $1)
    }
    followTiles(at: now)
  }

  /// Lays out rows again for photos whose proportions became known, for many photos at a time.
  mutating func reshapeIfDue(at now: Instant) {
    guard !collection.reshaped.isEmpty else { return }
    guard grid.style.kind == .rows else {
      _ = gallery.collection.drainReshaped()
      return
    }
    guard gallery.grid.isReshapeDue(at: now) else { return }
    let items = gallery.collection.drainReshaped()
    gallery.changeGrid(at: now, options.motion.rearrangement) {
      $0.updateAspectRatios(items, in: $1)
    }
    followTiles(at: now)
  }

  mutating func extend(by items: [Photo.ID], at now: Instant) {
    // The tile of a raw file is replaced by the tile of its picture.
    guard !album.hidesTiles(items) else {
      return changeCollection(at: now) { $0.extend(by: items) }
    }
    let before = grid.isComplete ? grid.snapshot(in: gallery.gridContext(at: now)) : nil
    let folderCount = folderCount
    gallery.collection.extend(by: items)
    gallery.grid.extend(isAtEnd: folderCount == self.folderCount, in: gallery.gridContext(at: now))
    if let before, grid.layout.frame(at: 0) != before.layout.frame(at: 0) {
      gallery.changeGrid(at: now, options.motion.rearrangement) {
        $0.moveTiles(from: before, in: $1)
      }
    }
    tellScreens(.appended, at: now)
    refreshIfDue(at: now)
  }

  mutating func endListing(_ notes: ListingNotes, at now: Instant) {
    let isFirst = collection.listingNotes == nil
    gallery.collection.learn(notes)
    // If all facts were recorded, the photos are sorted now: the first one stays selected.
    let selectsFirst = isFirst && !grid.hasUserInteracted && collection.album.isStale
    if selectsFirst { gallery.grid.selected = nil }
    refreshIfDue(at: now)
    if selectsFirst { gallery.grid.selectFirst(of: gallery.tiles) }
    gallery.changeGrid(at: now, options.motion.rearrangement) { $0.complete(in: $1) }
    tellScreens(.items(before: gallery, areOther: false), at: now)
    if isFirst, options.opensSinglePhoto, notes.isOnePhoto, items.count == 1, folderCount == 0,
      screens.covering == nil
    {
      screens.covering = Viewer(photo: items[0], phase: .resting)
    }
  }

  // MARK: - Folders

  mutating func move(_ move: FolderMove, at now: Instant) {
    endDrag(at: now)
    files.move(move)
    gallery.folders.leave(move.from, at: grid.position)
    let transition =
      options.motion == .none ? nil : screens.transition(for: move, in: gallery, at: now)
    gallery.playback = nil
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
