import Foundation

/// The cases, subjects and rounds of a comparison.
package struct ComparisonOptions: Sendable {
  package var rowCount = 100_000
  package var roundCount = 7
  /// The number of rounds of Python's subjects, which take up to forty times as long.
  package var pythonRoundCount = 3
  package var cases = BenchmarkCase.allCases
  package var subjects = Subject.allCases
  package var clock = Clock.wall
  /// The cases whose steps are timed apart.
  package var detailedCases: Set<BenchmarkCase> = []

  package init() {}
}

/// Runs every case by every subject, round after round, so that other work of the computer affects all subjects.
package struct Comparison {
  private let options: ComparisonOptions
  private let contenders: [any Contender]

  /// Creates a comparison.
  ///
  /// - Parameters:
  ///   - options: The cases, rounds and sizes.
  ///   - contenders: The contenders in the order of the first round.
  package init(_ options: ComparisonOptions, contenders: [any Contender]) {
    self.options = options
    self.contenders = contenders
  }

  /// Runs all rounds. It takes as long as the subjects do. The files lie in a temporary folder until it returns.
  ///
  /// - Parameter progress: A closure that is called with the name of each run that begins.
  /// - Returns: The figures of all rounds.
  /// - Throws: `PeerError` with `.disagreement` if two subjects did different work, or the error of a subject.
  package func run(progress: (String) -> Void = { _ in }) async throws -> ComparisonFigures {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stackbench-peers-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let templates = StoreTemplates(rowCount: options.rowCount, in: folder.path)
    var figures = ComparisonFigures()
    var agreed: [BenchmarkCase: (checksum: Int, subject: Subject)] = [:]
    for round in 0..<options.roundCount {
      for benchmark in options.cases {
        for contender in turn(round, in: benchmark) {
          progress("round \(round + 1) of \(options.roundCount): \(benchmark.rawValue), \(contender.subject.rawValue)")
          let sample = try await sample(of: contender, benchmark, templates)
          if let checksum = sample.checksum {
            let known = agreed[benchmark, default: (checksum, contender.subject)]
            agreed[benchmark] = known
            guard known.checksum == checksum else {
              throw PeerError(
                .disagreement,
                "\(contender.subject.rawValue) and \(known.subject.rawValue) end with different data in "
                  + benchmark.rawValue)
            }
          }
          figures.add(sample, of: benchmark, by: contender.subject, round: round)
        }
      }
    }
    return figures
  }

  /// Returns the contenders of a case in a round. Each round begins with another subject.
  private func turn(_ round: Int, in benchmark: BenchmarkCase) -> [any Contender] {
    let taking = contenders.filter { contender in
      contender.subject.takesPart(in: benchmark) && options.subjects.contains(contender.subject)
        && (!contender.subject.isPython || round < options.pythonRoundCount)
    }
    guard !taking.isEmpty else { return [] }
    let start = round % taking.count
    return Array(taking[start...] + taking[..<start])
  }

  private func sample(
    of contender: any Contender, _ benchmark: BenchmarkCase, _ templates: StoreTemplates
  ) async throws -> Sample {
    let path = try templates.copy(for: benchmark)
    defer { templates.remove(path) }
    var sample = try await contender.perform(
      Assignment(
        benchmark: benchmark, path: path, items: try templates.items(for: benchmark), clock: options.clock,
        isDetailed: options.detailedCases.contains(benchmark)))
    if benchmark.writes {
      sample.checksum = try StoreContent.checksum(of: path, benchmark.startingStore)
    }
    return sample
  }
}
