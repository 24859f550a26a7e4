import Metrics

extension AdvicePage: PrintableResult {
  package static let formats: [OutputFormat] = [.text, .json, .markdown]

  package func pages(for format: OutputFormat) -> [Page] { [page] }

  /// The JSON object of the answer. Every member is always present, and is `null` if it has no value.
  ///
  /// The form is stable: members may be added, but existing members keep their names and meanings. The members are
  /// listed by `stackbench advise --help`. Values are integers in the units of the CSV's columns.
  package var json: any Encodable {
    let (advice, question) = (report.advice, report.question)
    return [
      "schema": 1, "profile": question.profile, "workload": question.workload, "rows": question.rows,
      "seed": question.seed, "trials": question.trials, "priority": advice.priority?.rawValue,
      "ranked_by": advice.rankedBy.criteria.map(\.measure.name), "limits": limits, "draws": advice.drawNumbers.count,
      "draws_without": advice.emptyDrawCount, "sureness": advice.sureness?.rawValue, "reference": report.reference,
      "advised": advice.advised?.name, "equal": advice.equals.map(\.name),
      "nearest": advice.advised == nil ? advice.nearest?.name : nil,
      "stacks": zip(advice.candidates, advice.firstCounts).map(stack), "costs": advice.costs.map(\.json),
      "contexts": report.uses.map(\.json), "points": advice.variations.map(\.json), "untried": report.untried,
      "command": report.showCommand, "code_command": report.codeCommand,
    ] as JSONObject
  }

  /// The limits. A flag set those that were asked for; the other limits always apply.
  private var limits: [JSONObject] {
    report.advice.allLimits.map { limit in
      ["measure": limit.measure.name, "most": limit.most, "asked": report.advice.limits.contains(limit)]
    }
  }

  private func stack(_ candidate: AdviceCandidate, firstCount: Int) -> JSONObject {
    let advice = report.advice
    let ranks = advice.rankedBy.criteria.compactMap { criterion in
      candidate.measures[keyPath: criterion.measure.keyPath].map { (criterion.measure.name, $0) }
    }
    return [
      "topology": candidate.name, "qualifies": candidate.qualifies(advice.allLimits),
      "checks": candidate.checks(advice.allLimits).map(\.json), "ranks": Dictionary(uniqueKeysWithValues: ranks),
      "contexts": candidate.contextCount, "rules": candidate.ruleCount,
      "draws_qualifying": advice.qualifyingDrawCount(of: candidate), "draws_first": firstCount,
      "draws_good": AdviceSummary.bands(of: candidate, in: advice, by: report.hitchScale).count { $0 == .good },
    ]
  }
}

extension LimitCheck {
  fileprivate var json: JSONObject { ["measure": limit.measure.name, "value": value, "met": isMet] }
}

extension Advice.Cost {
  fileprivate var json: JSONObject {
    [
      "measure": primary.measure.name, "value": value, "best": best.name, "best_value": bestValue,
      "others_better": othersCount,
    ]
  }
}

extension AdviceAnswer.Use {
  fileprivate var json: JSONObject {
    ["purpose": purpose, "context": context, "reason": reason, "source": source]
  }
}

extension AdviceVariation {
  fileprivate var json: JSONObject {
    [
      "flag": point.flag, "value": point.value, "change": kind.rawValue, "first": first,
      "missed": missed.map(\.json), "command": point.command,
    ]
  }
}
