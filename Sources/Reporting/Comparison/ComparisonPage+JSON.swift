import Metrics

extension ComparisonPage: PrintableResult {
  package static let formats: [OutputFormat] = [.text, .markdown, .json]

  package func pages(for format: OutputFormat) -> [Page] { [page] }

  /// The JSON object of the comparison. The names of its members are stable, and its figures are integers in the units
  /// of the CSV's columns.
  ///
  /// `shift` and its interval are rounded to whole units; only `p` and `p_holm` are not integers. Absent values are
  /// `null`. `needed_trials` is the number of trials, or pairs, that a verdict of worse or better requires, or `null` if
  /// there are enough.
  package var json: any Encodable {
    [
      "verdict": comparison.verdict, "design": comparison.design, "before": json(of: first), "after": json(of: second),
      "measures": comparison.judged.map(\.json), "others": comparison.shown.map(\.json),
      "needed_trials": comparison.neededTrialCount, "notes": ComparedResult.notes(first, second),
    ] as JSONObject
  }

  /// Returns one of the results with the ratios of the other stacks to the reference, if there is one.
  private func json(of result: ComparedResult) -> JSONObject {
    [
      "title": result.title, "tool": result.manifest.versions.tool, "trials": result.trials.count,
      "ratios": reference.map { RatioTable(to: $0, [result]).members } ?? [],
    ]
  }
}

extension Comparison.Judged {
  /// The object of a judged measure. The shift in parts per million is a share of the median before, and `null` if that
  /// is zero. `p` is the probability before Holm's correction, and `p_holm` the one after it.
  fileprivate var json: JSONObject {
    func whole(_ value: Double) -> Int64 { Int64(clampingRounded: value) }
    let share = firstMedian == 0 ? nil : whole(shift.estimate / abs(Double(firstMedian)) * 1_000_000)
    return [
      "topology": topology, "measure": primary.measure.name, "before": firstMedian, "after": secondMedian,
      "shift": whole(shift.estimate), "shift_low": shift.interval.map { whole($0.lowerBound) },
      "shift_high": shift.interval.map { whole($0.upperBound) }, "shift_ppm": share, "floor": whole(floor),
      "below_floor": isBelowFloor, "p": probability, "p_holm": correctedProbability, "verdict": verdict,
    ]
  }
}

extension Comparison.Shown {
  fileprivate var json: JSONObject {
    ["topology": topology, "measure": measure.name, "before": firstMedian, "after": secondMedian]
  }
}
