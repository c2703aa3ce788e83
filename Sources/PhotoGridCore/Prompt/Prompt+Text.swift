import Geometry
import Photos

/// The title or the caption of photos in a prompt.
///
/// It is one line, in which a mark stands for a line break. For several photos it is a pattern, so
/// that each can get its own text: "Rome {n}".
extension Prompt {
  private static let lineBreak: Character = "↵"

  /// Whether the line is about the keywords, the title or the caption of photos.
  var isAboutWords: Bool {
    switch kind {
    case .keywords, .text: true
    case .find, .filter, .command, .rename, .pattern, .date, .move, .copy: false
    }
  }

  /// Whether the line is a pattern for the texts of several photos.
  var isTemplate: Bool { if case .text = kind { origin.count > 1 } else { false } }

  /// Checks the line, and says what is wrong with it.
  mutating func validateText(in album: Album) {
    guard case .text(let field) = kind else { return }
    (pattern, validationError, note) = (nil, nil, nil)
    do throws(RenamePattern.Failure) {
      if isTemplate { pattern = try RenamePattern(parsing: line.text, forNames: false) }
      _ = try textEdits(in: album)
    } catch {
      validationError = error.message
    }
    if line.text.isEmpty, album.sharedText(field, of: album.faces(of: origin.photos)) == nil {
      note = "their \(field.rawValue)s differ; Enter keeps them, a space removes them"
    }
  }

  /// Returns the change of each file whose text is to change.
  ///
  /// - Throws: A failure that says why the line cannot be accepted, or not yet.
  func textEdits(
    in album: Album
  ) throws(RenamePattern.Failure) -> [(photo: Photo.ID, edit: AnnotationEdit)] {
    guard case .text(let field) = kind, line.text != origin.text else { return [] }
    let files = album.files(of: origin.photos)
    let unread = files.count { album.facts(of: $0)?.hasMetadata != true }
    guard unread == 0 else {
      throw RenamePattern.Failure(message: "reading \(files.count - unread) of \(files.count)…")
    }
    var edits: [(photo: Photo.ID, edit: AnnotationEdit)] = []
    for (index, photo) in album.grouped(files).enumerated() {
      let text = try text(of: photo[0], number: index + 1, in: album)
        .split(separator: Self.lineBreak, omittingEmptySubsequences: false).joined(separator: "\n")
      guard field.shown(text).unicodeScalars.count <= field.maxLength else {
        throw RenamePattern.Failure(message: "longer than \(field.maxLength) characters")
      }
      for file in photo {
        let edit = TextEdit(field, from: album.text(field, of: file), to: text)
        if let edit { edits.append((file, .text(edit))) }
      }
    }
    return edits
  }

  private func text(
    of photo: Photo.ID, number: Int, in album: Album
  ) throws(RenamePattern.Failure) -> String {
    guard let pattern else { return line.text }
    let name = Array(album.names.name(of: photo) ?? [])
    guard let subject = pattern.subject(photo, name: name, number: number, in: album) else {
      throw RenamePattern.Failure(message: "reading ratings…")
    }
    do throws(RenamePattern.Failure) {
      return String(decoding: try pattern.text(of: subject), as: UTF8.self)
    } catch {
      throw RenamePattern.Failure(message: "\(PrintableText.from(name)) has \(error.message)")
    }
  }
}

extension Prompt.Origin {
  /// Returns the line for the title or the caption that the photos share; empty if they differ.
  func textLine(_ field: TextEdit.Field, in album: Album) -> String {
    let text = album.sharedText(field, of: album.faces(of: photos)) ?? ""
    return text.reduce(into: "") { line, character in
      switch character {
      case "\n": line += line.last == " " ? "↵ " : " ↵ "
      case "{" where count > 1: line += "{{"
      case "}" where count > 1: line += "}}"
      default: line.append(character)
      }
    }
  }
}

extension Album {
  /// The first file of each photo that some files belong to.
  fileprivate func faces(of files: [Photo.ID]) -> [Photo.ID] { grouped(files).map { $0[0] } }
}
