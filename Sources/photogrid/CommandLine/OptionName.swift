enum OptionName: String, Sendable {
  case recursive, hidden, stdin, null, cell, columns, spacing, layout, crop, labels, thumbnail
  case filter, dates, sort, reverse, group, stdout, choose, print, json, geometry
  case `protocol`, symbols, colors, motion, mouse, doctor, version, help
  case memory, `private`, sandbox, slideshow
  case maxDepth = "max-depth"
  case filesFrom = "files-from"
  case startAt = "start-at"
  case noBar = "no-bar"
  case completions, man, config, quiet, theme, accent
  case markColor = "mark-color"
  case manMarkdown = "man-markdown"
  case noConfig = "no-config"
  case listKeys = "list-keys"
  case updateCache = "update-cache"
  case cleanCache = "clean-cache"
  case openWith = "open-with"
  case wallpaperWith = "wallpaper-with"
  case readOnly = "read-only"
  case ratings, rate, keyword, all, pairs, stacks, hints, captions
}

/// A mistake in an option or in the configuration file.
struct OptionError: Error, Equatable {
  let message: String
}
