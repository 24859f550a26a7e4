import Metrics

extension AdviceRanking {
  /// Ranks the stacks of a result by smoothness, as `advise` does: by hitches, then, among those that hitch alike, by
  /// what else is felt, then by what is paid.
  ///
  /// Draws are compared device by device, trials of a live run turn by turn.
  ///
  /// - Parameters:
  ///   - summaries: The stacks to rank.
  ///   - result: The result with the draws or trials of the stacks.
  init(_ summaries: [Summary], of result: ReportedResult) {
    let isDrawn = !result.draws.isEmpty
    let samples = Dictionary(grouping: isDrawn ? result.draws : result.trials, by: \.identity.name)
    let candidates = summaries.filter { $0.measures.hitchTotalNanoseconds != nil }.map { summary in
      let own = (samples[summary.identity.name] ?? []).map { record in
        (isDrawn ? record.simulation?.draw ?? 0 : record.identity.trial, record.measures)
      }
      return AdviceCandidate(
        name: summary.identity.name, measures: summary.measures, draws: Dictionary(own) { first, _ in first },
        contextCount: 0, ruleCount: 0)
    }
    self.init(of: candidates, by: .smoothness)
  }

  /// The names of the best stacks; more than one if no measure separates them.
  var leaders: [String] { first.map(\.name) }
}
