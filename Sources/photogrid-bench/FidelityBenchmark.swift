enum FidelityBenchmark {
  static func run(_ arguments: [String]) throws {}
}
