/// The status bar and the window title.
extension Browser {
  /// Returns the content of the status bar at a moment.
  package func bar(_ facts: Bar.Facts, at now: Instant) -> Bar {
    let leaving = files.isLeaving ? "leaving after that; q again leaves now" : nil
    return statusBar.bar(
      statusContent(facts, question: leaving ?? keyQuestion(at: now)), at: now)
  }

  /// Returns the window title.
  package func title(_ facts: Bar.Facts) -> String {
    statusBar.title(statusContent(facts, question: nil))
  }

  private func statusContent(_ facts: Bar.Facts, question: String?) -> StatusBar.Content {
    let frameCount = facts.info?.frameCount ?? 1
    let prompt = prompt
    return StatusBar.Content(
      facts: facts, collection: collection, selection: selection, photoIndex: currentIndex,
      period: periodStatus, isFolder: currentFolder != nil,
      hasViewer: viewer != nil || mode.comparison != nil,
      question: question,
      prompt: prompt, commandPhotoCount: prompt?.kind == .command ? chosenFiles.count : 0,
      count: keyboard.reader.count, isSlideshowPaused: slideshow?.isPaused,
      percentage: percentage ?? comparisonPercentage, rotation: rotationLabel,
      fileProgress: files.progress,
      isLeaving: files.isLeaving,
      frames: frameCount > 1 ? animator.frameLabel(frameCount: frameCount) : nil,
      isReadOnly: options.isReadOnly,
      culling: culling == nil ? nil : Culling.status(left: album.unratedCount),
      comparison: comparisonStatus,
      rating: currentIndex.flatMap { album.rating(of: photos[$0]) }?.symbols)
  }

  /// Shows a message in the bar for a number of seconds.
  mutating func showNotice(_ text: String, for seconds: Double, at now: Instant) {
    statusBar.show(text, for: seconds, at: now)
  }

  /// Shows a message in the bar, if there is one.
  mutating func showNotice(_ notice: Notice.Text?, at now: Instant) {
    if let notice { showNotice(notice.text, for: notice.seconds, at: now) }
  }
}
