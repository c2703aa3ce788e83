@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

/// Digests of everything that can be observed of a browser.
///
/// Cases have names of their own here, so that renaming a type changes no trace.
extension TraceDigest {
  mutating func add(_ effects: [Effect]) {
    for effect in effects { add(effect) }
  }

  private mutating func add(_ effect: Effect) {
    switch effect {
    case .quit: add("quit")
    case .quitPrinting(let photo):
      add("quit printing")
      add(photo)
    case .choose(let photos):
      add("choose")
      for photo in photos { add(photo) }
    case .interrupt: add("interrupt")
    case .suspend: add("suspend")
    case .run(let command):
      add("run")
      add(command.line)
      for photo in command.photos { add(photo) }
      add(command.input == .arguments)
    case .file(let tasks):
      add("file")
      for task in tasks { add(task) }
    case .dragOut(let photos, let shown):
      add("drag out")
      for photo in photos { add(photo) }
      add(shown)
    case .identify(let groups, let folder):
      add("identify")
      add("\(groups)")
      add("\(folder)")
    case .annotate(let tasks):
      add("rate")
      for task in tasks {
        add(task.photo)
        add("\(task.edit)")
      }
    case .readRatings(let photos):
      add("read ratings")
      for photo in photos { add(photo) }
    case .requestName(let photo):
      add("tell name")
      add(photo)
    case .requestNames(let photos):
      add("request names")
      for photo in photos { add(photo) }
    case .findFolders(let text):
      add("find folders")
      add(text)
    case .rememberFolder(let text):
      add("remember folder")
      add(text)
    case .openFolder(let text):
      add("open folder")
      add(text)
    case .bookmark(let folder, let isOn):
      add(isOn ? "bookmark" : "remove bookmark")
      add(folder)
    case .saveFilter(let filter):
      add("save filter")
      add(filter.line)
    case .copyPath(let item, let quitsNext):
      add("copy path")
      add(item)
      if quitsNext { add("quits next") }
    case .copyPicture(let photo):
      add("copy picture")
      add(photo)
    case .open(let photo):
      add("open")
      add(photo)
    case .redraw: add("redraw")
    case .reload: add("reload")
    case .enter(let folder):
      add("enter")
      add(folder)
    case .goUp: add("go up")
    }
  }

  private mutating func add(_ task: FileOperation) {
    let (photos, steps) = (task.photos, task.steps)
    switch (task.kind, task.isUndo) {
    case (.trash, false):
      add("trash")
      for photo in photos { add(photo) }
    case (.trash, true):
      add("restore")
      for photo in photos { add(photo) }
      for file in steps {
        add(file.trash ?? [])
        add(file.target.lastPathComponent)
      }
    case (.rename, false):
      add("rename")
      for (photo, file) in zip(photos, steps) {
        add(photo)
        add(file.target)
      }
    case (.rename, true), (.move, true):
      add("rename")
      for (photo, file) in zip(photos, steps) {
        add(photo)
        add(file.source.lastPathComponent)
      }
    case (.move, false), (.copy, false):
      add(task.kind == .move ? "move" : "copy")
      for photo in photos { add(photo) }
      add(task.destination?.folder ?? [])
      add(task.destination?.isCreated == true)
    case (.copy, true):
      add("remove copies")
      for (photo, file) in zip(photos, steps) {
        add(photo)
        add(file.target)
      }
    case (.rotation, false):
      add("turn")
      for photo in photos { add(photo) }
      add(task.turning.number)
    case (.rotation, true):
      add("turn back")
      for photo in photos { add(photo) }
      for file in steps { add(file.target) }
    case (.recorded, false):
      add("find recorded")
      add(task.recorded.count)
    case (.recorded, true):
      add("undo recorded")
      add(Int(task.recorded.first?.number ?? 0))
    }
  }

  mutating func add(_ demands: [Demand]) {
    for demand in demands {
      add(demand.photo)
      add(demand.size)
      add(demand.mode == .fill)
      add(demand.region?.needed)
      add(demand.region?.wanted)
      switch demand.proximity {
      case .visible: add(0)
      case .neighbor: add(1)
      case .nearby: add(2)
      }
    }
  }

  mutating func add(_ scene: Scene) {
    add(scene.size)
    for placement in scene.placements {
      add(placement.photo)
      // As a count, which is 0 for the photo's own picture.
      add(placement.frameIndex.map { $0 + 1 } ?? 0)
      add(placement.frame)
      add(placement.crop)
      add(placement.opacity)
      add(placement.region)
      add(placement.orientation.number)
      if let outside = placement.outside {
        add(outside.frame)
        add(outside.opacity)
      }
      if let badges = placement.badges {
        add("\(badges)")
        add(placement.badgeOpacity)
        add(placement.shade)
      }
    }
    add("rings")
    for ring in scene.outlines + scene.marks + [scene.ring].compactMap({ $0 }) {
      add(ring.tile)
      add(ring.opacity)
      switch ring.meaning {
      case .selected: add(0)
      case .marked: add(1)
      case .selectedAndMarked: add(2)
      case .stack: add(3)
      }
    }
    for label in scene.labels + scene.captions {
      add(label.text)
      add(label.frame)
      add(label.opacity)
    }
    add(scene.isMoving)
  }

  mutating func add(_ bar: Bar) {
    add(bar.left)
    add(bar.right)
    add(bar.isMessage)
    if let entry = bar.entry {
      add(entry.label)
      add(entry.line.before)
      add(entry.line.after)
    }
  }
}
