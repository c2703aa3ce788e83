/// A change of the keywords of photos, and of the people in them: "person:Anna" is a person.
package struct KeywordEdit: Hashable, Sendable {
  /// Printable, each once, whatever their case.
  package let added: [String]
  package let removed: [String]

  /// Creates a change; nil if nothing changes.
  package init?(adding added: [String] = [], removing removed: [String] = []) {
    let added = PhotoWords(keywords: added)?.keywords ?? []
    let kept = Set(added.map { PhotoNames.folded($0) })
    self.added = added
    self.removed = (PhotoWords(keywords: removed)?.keywords ?? []).filter {
      !kept.contains(PhotoNames.folded($0))
    }
    guard !self.added.isEmpty || !self.removed.isEmpty else { return nil }
  }

  private init(_ added: [String], _ removed: [String]) {
    (self.added, self.removed) = (added, removed)
  }

  /// Parses a list such as "+rome,-draft, summer"; nil if it has no keyword.
  package init?(parsing list: String) {
    var (added, removed): ([String], [String]) = ([], [])
    for word in Self.keywords(in: list) {
      switch word.first {
      case "-": removed.append(String(word.dropFirst()))
      case "+": added.append(String(word.dropFirst()))
      default: added.append(word)
      }
    }
    self.init(adding: added, removing: removed)
  }

  /// Returns the keywords of a list that are divided by commas.
  package static func keywords(in list: String) -> [String] {
    list.split(separator: ",").compactMap { part in
      let words = part.split(separator: " ")
      return words.isEmpty ? nil : words.joined(separator: " ")
    }
  }

  /// The change that takes this one back.
  package var reversed: KeywordEdit { KeywordEdit(removed, added) }

  /// The change in words: "+rome, -draft".
  package var text: String {
    (added.map { "+" + $0 } + removed.map { "-" + $0 }).joined(separator: ", ")
  }

  /// What stands before the name of a person.
  private static let personPrefix = "person:"

  /// Returns the words that stand for keywords and people.
  package static func words(_ keywords: [String], _ people: [String]) -> [String] {
    keywords + people.map { personPrefix + $0 }
  }

  /// The part of the change that is about keywords; nil if there is none.
  package var ofKeywords: KeywordEdit? {
    part { Self.person(in: $0) == nil ? $0 : nil }
  }

  /// The part of the change that is about people, by their names; nil if there is none.
  package var ofPeople: KeywordEdit? { part(Self.person) }

  private func part(_ word: (String) -> String?) -> KeywordEdit? {
    let edit = KeywordEdit(added.compactMap(word), removed.compactMap(word))
    return edit.added.isEmpty && edit.removed.isEmpty ? nil : edit
  }

  /// Returns the name in the word for a person; nil for a keyword.
  private static func person(in word: String) -> String? {
    guard word.lowercased().hasPrefix(personPrefix) else { return nil }
    let name = word.dropFirst(personPrefix.count).drop { $0 == " " }
    return name.isEmpty ? nil : String(name)
  }

  /// Returns keywords after the change.
  package func applied(to keywords: [String]) -> [String] {
    let removed = Set(removed.map { PhotoNames.folded($0) })
    let kept = keywords.filter { !removed.contains(PhotoNames.folded($0)) }
    let known = Set(kept.map { PhotoNames.folded($0) })
    return kept + added.filter { !known.contains(PhotoNames.folded($0)) }
  }

  /// Returns the part of the change that changes anything about keywords; nil if nothing does.
  package func limited(to keywords: [String]) -> KeywordEdit? {
    let known = Set(keywords.map { PhotoNames.folded($0) })
    let edit = KeywordEdit(
      added.filter { !known.contains(PhotoNames.folded($0)) },
      removed.filter { known.contains(PhotoNames.folded($0)) })
    return edit.added.isEmpty && edit.removed.isEmpty ? nil : edit
  }
}

extension Album {
  /// The keywords of a photo, and the people without a face.
  package func keywords(of photo: Photo.ID) -> [String] {
    words(of: photo).map { KeywordEdit.words($0.keywords, $0.named) } ?? []
  }

  /// The keywords and the people without a face that all of some photos have.
  package func sharedKeywords(of photos: [Photo.ID]) -> [String] {
    guard let first = photos.first else { return [] }
    var shared = keywords(of: first)
    for photo in photos.dropFirst() where !shared.isEmpty {
      let known = Set(keywords(of: photo).map { PhotoNames.folded($0) })
      shared = shared.filter { known.contains(PhotoNames.folded($0)) }
    }
    return shared
  }

  /// Whether only some of the keywords of any of some photos are known.
  package func areKeywordsCut(of photos: [Photo.ID]) -> Bool {
    photos.contains { words(of: $0)?.isCut == true }
  }

  /// Changes the keywords, the title or the caption of a photo, before they are written.
  mutating func apply(_ edit: AnnotationEdit, to photo: Photo.ID) {
    let old = words(of: photo)
    var texts = (title: old?.title, caption: old?.writtenCaption)
    var (keywords, named) = (old?.keywords ?? [], old?.named ?? [])
    switch edit {
    case .keywords(let edit):
      keywords = edit.ofKeywords?.applied(to: keywords) ?? keywords
      named = edit.ofPeople?.applied(to: named) ?? named
    case .text(let edit) where edit.field == .title: texts.title = edit.after
    case .text(let edit): texts.caption = edit.after
    case .stars, .label: return
    }
    let new = PhotoWords(
      title: texts.title, caption: texts.caption, keywords: keywords, isCut: old?.isCut ?? false,
      faces: old?.faces ?? [], named: named, isPeopleCut: old?.isPeopleCut ?? false)
    setWords(new?.record ?? [], of: photo)
  }
}
