import Metrics

/// A measure of a stack as it is now, for programs that draw a history of figures.
package struct GateFigure: Hashable, Sendable {
  package let stack: String
  package let measure: Measure
  /// The mean over the devices or trials.
  package let mean: Double
  package let least: Int64
  package let greatest: Int64
  package let evidence: GateEvidence

  /// Returns the figures of a run: for each stack the measures of the table of `run` whose smaller values are better,
  /// and those that have a limit.
  static func figures(of results: GateResults, limits: [GateLimit]) -> [GateFigure] {
    let limited = Set(limits.map(\.limit.measure))
    let measures = (Measure.all + [.mainStatements]).filter { measure in
      measure.better == .lower
        && (limited.contains(measure) || RunPage.printedMeasures.contains { $0 == measure.keyPath })
    }
    return results.stackNames.flatMap { stack in
      let records = results.samples.filter { $0.identity.name == stack }
      return measures.compactMap { measure -> GateFigure? in
        let values = records.compactMap { $0.measures[keyPath: measure.keyPath] }
        guard let least = values.min(), let greatest = values.max() else { return nil }
        return GateFigure(
          stack: stack, measure: measure, mean: values.reduce(0) { $0 + Double($1) } / Double(values.count),
          least: least, greatest: greatest, evidence: GateEvidence(of: measure, in: results))
      }
    }
  }
}
