extension Filter {
  /// Whether nothing but names matters to the filter, so that folders can pass it too.
  var isAboutNames: Bool {
    terms.allSatisfy {
      if case .word = $0.test { true } else { false }
    }
  }
}
