import Metrics

/// Which stack is best, and by what: first by hitches, then, among those that hitch alike, by what else is felt, then by
/// what is paid.
///
/// Two stacks are alike in a measure unless they differ by more than what matters there, which is what `compare` calls a
/// change, and, where there were several trials, by more than the trials of either lie apart.
struct StackRanking: Sendable {
  /// A measure that told some of the stacks apart, or the first one.
  struct Step: Hashable, Sendable {
    let measure: PrimaryMeasure
    /// Those that lead, the best first.
    let leaders: [Figure]
    /// The best of those that fell behind; nil if none did.
    let next: Figure?
  }

  struct Figure: Hashable, Sendable {
    let name: String
    let value: Int64
  }

  /// What decides, one after the other; empty if hitches were not measured.
  let steps: [Step]
  /// The best; more than one if nothing measured tells them apart.
  var leaders: [String] { steps.last?.leaders.map(\.name) ?? [] }

  private static let order = [
    "hitch_total_ns", "stall_ns_p99", "edit_response_ns_p99", "time_to_visible_ns_p99", "main_busy_ns", "import_ns",
    "heap_peak_bytes",
  ]

  /// - Parameters:
  ///   - summaries: Those that may be the best.
  ///   - trials: All trials, which say how far apart those of one stack lie.
  init(_ summaries: [Summary], trials: [TrialRecord]) {
    var steps: [Step] = []
    var candidates = summaries.filter { $0.measures.hitchTotalNanoseconds != nil }
    for name in Self.order {
      guard let primary = PrimaryMeasure.all.first(where: { $0.measure.name == name }) else { continue }
      guard let step = Self.step(primary, candidates, trials) else { continue }
      if steps.isEmpty || step.next != nil { steps.append(step) }
      candidates = candidates.filter { summary in step.leaders.contains { $0.name == summary.identity.name } }
      if candidates.count == 1 { break }
    }
    self.steps = steps
  }

  /// nil where one of the stacks was not measured.
  private static func step(_ primary: PrimaryMeasure, _ candidates: [Summary], _ trials: [TrialRecord]) -> Step? {
    let keyPath = primary.measure.keyPath
    let figures = candidates.compactMap { summary in
      summary.measures[keyPath: keyPath].map { Figure(name: summary.identity.name, value: $0) }
    }
    guard figures.count == candidates.count else { return nil }
    let ordered = figures.sorted { ($0.value, $0.name) < ($1.value, $1.name) }
    guard let least = ordered.first else { return nil }
    let floor = primary.floor(around: least.value)
    let leastSpread = spread(keyPath, of: least.name, trials)
    func isAlike(_ figure: Figure) -> Bool {
      let spread = max(leastSpread, spread(keyPath, of: figure.name, trials))
      return Double(figure.value - least.value) <= max(floor, Double(spread))
    }
    return Step(
      measure: primary, leaders: ordered.filter(isAlike), next: ordered.first { !isAlike($0) })
  }

  /// How far the trials of a stack lie apart; 0 of a single one.
  private static func spread(
    _ keyPath: any KeyPath<TrialMeasures, Int64?> & Sendable, of name: String, _ trials: [TrialRecord]
  ) -> Int64 {
    let values = trials.filter { $0.identity.name == name }.compactMap { $0.measures[keyPath: keyPath] }
    return (values.max() ?? 0) - (values.min() ?? 0)
  }
}
