import Metrics

extension GateOutcome {
  /// The outcome as a JSON object for programs. Every member is always present, and is `null` if it has no value.
  ///
  /// The form is stable: members may be added, but existing members keep their names and meanings. The members are
  /// listed by `stackbench gate --help`. `schema` is the version of the form. In version 2, values are means over draws,
  /// which are not always whole numbers.
  package var json: JSONObject {
    let verdicts: [GateChange.Kind] = [.worse, .better, .tolerated, .equal]
    return [
      "schema": 2, "verdict": verdict, "baseline": baseline, "runs": comparisons.map(\.run),
      "measures": JSONObject(verdicts.map { ($0.rawValue, count($0)) }), "changed": changedLines,
      "mismatches": comparisons.flatMap(\.mismatchMembers), "stacks": comparisons.flatMap(\.stackMembers),
      "limits": comparisons.flatMap(\.limitMembers), "unrecorded": unrecorded,
    ]
  }
}

extension GateComparison {
  fileprivate var mismatchMembers: [JSONObject] {
    mismatches.map { ["run": run, "kind": $0.kind, "message": $0.message] }
  }

  /// The stacks in which a measure has a new value, even if the change does not count.
  fileprivate var stackMembers: [JSONObject] {
    stacks.compactMap { stack in
      let changes = stack.changes.filter { $0.verdict != .equal }
      guard !changes.isEmpty else { return nil }
      let band: JSONObject? = stack.band.map { ["before": $0.before.rawValue, "now": $0.now.rawValue] }
      return [
        "run": run, "topology": stack.topology, "variant": stack.variant, "draws_count": drawCount, "band": band,
        "changes": changes.map(\.json), "counters": stack.explanation.counters.map(\.json),
        "charges": stack.explanation.charges.map(\.json),
      ]
    }
  }

  /// The limits with the values of each stack, in the units of the columns.
  fileprivate var limitMembers: [JSONObject] {
    limits.map { result in
      let limit = result.limit
      return [
        "run": run, "stack": result.stack, "limit": limit.name, "measure": limit.limit.measure.name,
        "at_most": limit.limit.most, "on_percent": Double(limit.share) / 100, "now": result.value,
        "kept_count": result.keptCount, "count": result.count, "kept": result.isKept, "evidence": result.evidence,
      ]
    }
  }
}

extension GateChange {
  fileprivate var json: JSONObject {
    [
      "measure": measure.name, "verdict": verdict.rawValue, "before": before, "now": now,
      "change_ppm": share.map { Int64(clampingRounded: $0 * 1_000_000) }, "noticed": floor.noticed,
      "standard_error": floor.standardError, "shift": floor.shift, "floor": floor.value, "evidence": evidence,
    ]
  }
}

extension GateExplanation.Counter {
  fileprivate var json: JSONObject { ["name": name, "before": before, "now": now] }
}

extension GateExplanation.Charge {
  fileprivate var json: JSONObject { ["work": work, "before_ns": before, "now_ns": now] }
}

// MARK: - Benchmarks

/// The figures of a gate for programs that keep their history, each of which raises alarms of its own.
///
/// The figures are the means over the devices of the first look, in the units of the columns. Runs without results have
/// none. A smaller value is better in all of them.
extension GateOutcome {
  /// The input of github-action-benchmark for its tool `customSmallerIsBetter`.
  package var gitHubAction: [JSONObject] {
    comparisons.flatMap { comparison in
      comparison.figures.map { figure in
        let unit = figure.measure.unit.symbol
        return [
          "name": "\(comparison.run)/\(figure.stack)/\(figure.measure.name)", "unit": unit.isEmpty ? "count" : unit,
          "value": figure.mean, "range": "\(figure.least) to \(figure.greatest)",
          "extra": "evidence: \(figure.evidence.rawValue)",
        ]
      }
    }
  }

  /// The figures in the Bencher Metric Format: the measures of each stack of a run, with the least and the greatest
  /// value of a device. The name of a measure has the kind of evidence behind it, since the format has no other place.
  package var bencher: [String: [String: JSONObject]] {
    var benchmarks: [String: [String: JSONObject]] = [:]
    for comparison in comparisons {
      for figure in comparison.figures {
        let evidence = figure.evidence.rawValue.replacing(" ", with: "-")
        let slug = "\(figure.measure.name.replacing("_", with: "-"))-\(evidence)"
        benchmarks["\(comparison.run)/\(figure.stack)", default: [:]][slug] = [
          "value": figure.mean, "lower_value": Double(figure.least), "upper_value": Double(figure.greatest),
        ]
      }
    }
    return benchmarks
  }
}
