import Metrics
import Topologies

/// Computes the place of a stack in the answer of `stackbench advise` to one case of an experiment.
struct AdvisedPlace {
  private let query: FigureQuery
  private let operand: Operand
  private let priority: AdvicePriority

  init(_ query: FigureQuery, operand: Operand, priority: AdvicePriority) {
    self.query = query
    self.operand = operand
    self.priority = priority
  }

  /// The place, counted from 1. Stacks that no criterion separates share the first place. A stack whose data or lists are
  /// wrong does not qualify, and comes last.
  ///
  /// - Throws: `RunFailure` if a figure is missing from the committed ones.
  var value: Double {
    get throws {
      guard let experiment = query.experiment, let name = operand.stack else { return .nan }
      let candidates = try experiment.stacks.map(candidate)
      let advice = Advice(limits: [], priority: priority, candidates: candidates)
      if advice.ranking.contains(name) { return 1 }
      return advice.ordered.firstIndex { $0.name == name }.map { Double($0 + 1) } ?? .nan
    }
  }

  private func candidate(_ title: String) throws -> AdviceCandidate {
    let row = try query.row(of: operand, title)
    var measures = TrialMeasures()
    for measure in Measure.all { measures[keyPath: measure.keyPath] = row.values[measure.name] }
    let topology = query.experiment?.topology(titled: title)
    return AdviceCandidate(
      name: title, measures: measures, contextCount: try topology.map(contextCount) ?? 0,
      ruleCount: topology?.rules.count ?? 0)
  }

  private func contextCount(of topology: Topology) throws -> Int {
    let options = try query.experiment?.points().first?.request.trialExperiment().options
    return options.map { AdviceRun.contextCount(of: topology, $0) } ?? topology.contexts.count
  }
}
