/// A study of the growth of times and memory with the number of rows, up to tenfold.
package struct GrowthStudy {
  /// The cases whose growth is bounded.
  package static let cases: [BenchmarkCase] = [
    .insert, .fetch, .mergeUpdates, .mergeInserts, .mergeRealised,
  ]
  private static let subjects: [Subject] = [.stackbench, .raw]

  private let rowCount: Int
  private let roundCount: Int
  private let clock: Clock

  /// Creates a study.
  ///
  /// - Parameters:
  ///   - rowCount: The number of rows of the smaller size. The larger size has ten times as many.
  ///   - roundCount: The number of rounds.
  ///   - clock: The clock that measures the cases.
  package init(rowCount: Int, roundCount: Int, clock: Clock) {
    self.rowCount = rowCount
    self.roundCount = roundCount
    self.clock = clock
  }

  /// Runs both sizes in turns, then imports three sizes and looks at the heap.
  ///
  /// - Parameter progress: A closure that is called with the name of each run that begins.
  /// - Returns: The figures of both sizes and the peaks of the heap.
  /// - Throws: `PeerError` if two subjects did different work, or the error of a subject.
  package func run(progress: (String) -> Void = { _ in }) async throws -> GrowthFigures {
    var small = ComparisonFigures()
    var large = ComparisonFigures()
    for round in 0..<roundCount {
      try await run(rowCount, round, into: &small, progress)
      try await run(10 * rowCount, round, into: &large, progress)
    }
    var peaks: [GrowthFigures.Peak] = []
    for rows in [rowCount, 3 * rowCount, 10 * rowCount] {
      progress("peak heap of an import of \(rows) rows")
      peaks.append(GrowthFigures.Peak(rowCount: rows, bytes: try ImportHeap.peakBytes(rowCount: rows)))
    }
    return GrowthFigures(rowCount: rowCount, small: small, large: large, peaks: peaks)
  }

  private func run(
    _ rowCount: Int, _ round: Int, into figures: inout ComparisonFigures, _ progress: (String) -> Void
  ) async throws {
    var options = ComparisonOptions()
    options.rowCount = rowCount
    options.roundCount = 1
    options.cases = Self.cases
    options.subjects = Self.subjects
    options.clock = clock
    // The order of the contenders changes from round to round.
    let contenders: [any Contender] = [EngineContender(), RawContender()]
    let comparison = Comparison(options, contenders: round % 2 == 0 ? contenders : contenders.reversed())
    let taken = try await comparison.run { progress("\(rowCount) rows, \($0)") }
    figures.add(taken, round: round)
  }
}
