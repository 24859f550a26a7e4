/// All samples of a comparison, and the figures that follow from them.
package struct ComparisonFigures: Sendable {
  private var samples: [BenchmarkCase: [Subject: [Int: Sample]]] = [:]

  package init() {}

  package mutating func add(_ sample: Sample, of benchmark: BenchmarkCase, by subject: Subject, round: Int) {
    samples[benchmark, default: [:]][subject, default: [:]][round] = sample
  }

  /// Returns the samples of one subject in one case, in the order of the rounds.
  package func samples(of benchmark: BenchmarkCase, by subject: Subject) -> [Sample] {
    (samples[benchmark]?[subject] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
  }

  /// Returns the median of the nanoseconds a row, property or change, over the rounds.
  package func medianTime(of benchmark: BenchmarkCase, by subject: Subject) -> Double? {
    samples(of: benchmark, by: subject).map(\.nanosecondsPerUnit).median
  }

  package func minimumTime(of benchmark: BenchmarkCase, by subject: Subject) -> Double? {
    samples(of: benchmark, by: subject).map(\.nanosecondsPerUnit).min()
  }

  /// Returns the units a second as a multiple of another subject's: the median of the ratios inside each round that
  /// both ran.
  ///
  /// The two subjects run soon after each other in a round, so that a slow minute of the computer slows both.
  package func ratio(of benchmark: BenchmarkCase, _ subject: Subject, to other: Subject) -> Double? {
    ratios(of: benchmark, subject, to: other).median
  }

  /// Returns the ratios inside each round that both ran, in the order of the rounds.
  package func ratios(of benchmark: BenchmarkCase, _ subject: Subject, to other: Subject) -> [Double] {
    let own = samples[benchmark]?[subject] ?? [:]
    let theirs = samples[benchmark]?[other] ?? [:]
    return own.sorted { $0.key < $1.key }.compactMap { round, sample in
      theirs[round].map { $0.nanosecondsPerUnit / sample.nanosecondsPerUnit }
    }
  }

  /// Returns the median of the bytes that one row holds, over the rounds, or nil if rows are not held.
  package func heapBytesPerRow(of benchmark: BenchmarkCase, by subject: Subject) -> Double? {
    samples(of: benchmark, by: subject).compactMap { sample in
      sample.heapBytes.map { Double($0) / Double(max(sample.unitCount, 1)) }
    }.median
  }

  /// Returns the median of the bytes by which the heap grew with each payload, over the rounds.
  package func heapBytesPerPayload(by subject: Subject) -> Double? {
    samples(of: .payloads, by: subject).compactMap(\.heapBytesPerPayload).median
  }

  /// Returns the steps that the subject timed separately, each with the median of its nanoseconds a unit.
  package func steps(of benchmark: BenchmarkCase, by subject: Subject) -> [(name: String, time: Double)] {
    let runs = samples(of: benchmark, by: subject)
    let names = runs.first?.laps.map(\.name) ?? []
    return names.compactMap { name in
      let times = runs.compactMap { run in
        run.laps.first { $0.name == name }.map { Double($0.nanoseconds) / Double(max(run.unitCount, 1)) }
      }
      return times.median.map { (name, $0) }
    }
  }
}
