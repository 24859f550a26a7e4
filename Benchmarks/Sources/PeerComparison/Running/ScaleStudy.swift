/// A study of the engine's times and memory at rising numbers of rows, contexts, lanes and entities.
package struct ScaleStudy {
  /// The cases whose growth with the number of rows is bounded: all that use a store and have all rows in it or write
  /// them.
  package static let cases = BenchmarkCase.allCases.filter { $0 != .reread && $0.startingStore != .list }

  private let rowCounts: [Int]
  private let roundCount: Int
  private let clock: Clock

  /// Creates a study.
  ///
  /// - Parameters:
  ///   - rowCounts: The numbers of rows, rising.
  ///   - roundCount: The number of rounds. A figure is the least of them.
  ///   - clock: The clock that measures the cases.
  package init(rowCounts: [Int], roundCount: Int, clock: Clock) {
    self.rowCounts = rowCounts
    self.roundCount = roundCount
    self.clock = clock
  }

  /// Returns numbers of rows from `first` to `last` whose steps are about the square root of ten.
  package static func rowCounts(from first: Int, to last: Int) -> [Int] {
    var counts: [Int] = []
    var decade = first
    while decade <= last {
      counts += [decade, 3 * decade].filter { $0 <= last }
      decade *= 10
    }
    return counts
  }

  /// Runs all sizes, round after round. It takes as long as the engine does.
  ///
  /// - Parameter progress: A closure that is called with the name of each run that begins.
  /// - Returns: The figures of all sizes.
  /// - Throws: The error of the engine.
  package func run(progress: (String) -> Void = { _ in }) async throws -> ScaleFigures {
    var figures = ScaleFigures()
    for _ in 0..<roundCount {
      for rowCount in rowCounts {
        let comparison = Comparison(options(rowCount), contenders: [ResidentContender()])
        let samples = try await comparison.run { progress("\(rowCount) rows, \($0)") }
        for benchmark in Self.cases {
          for sample in samples.samples(of: benchmark, by: .stackbench) {
            figures.add(sample, of: benchmark.rawValue, sizeName: "rows", size: rowCount)
          }
        }
      }
      for probe in ScaleProbe.allCases {
        for size in probe.sizes {
          progress("\(size) \(probe.rawValue)")
          figures.add(
            try ResidentMemory.peak { try probe.sample(of: size, clock) }, of: probe.title, sizeName: probe.rawValue,
            size: size)
        }
      }
    }
    return figures
  }

  private func options(_ rowCount: Int) -> ComparisonOptions {
    var options = ComparisonOptions()
    options.rowCount = rowCount
    options.roundCount = 1
    options.cases = Self.cases
    options.subjects = [.stackbench]
    options.clock = clock
    return options
  }
}

/// The engine, with the peak of the process's memory in each run.
private struct ResidentContender: Contender {
  let subject = Subject.stackbench

  func perform(_ assignment: Assignment) async throws -> Sample {
    try await ResidentMemory.peak { try await EngineContender().perform(assignment) }
  }
}
