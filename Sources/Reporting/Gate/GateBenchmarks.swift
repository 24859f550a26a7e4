import Metrics

/// The figures of a gate for programs that keep their history, each of which raises alarms of its own.
///
/// The figures are the means over the devices of the first look, in the units of the columns. Runs without results have
/// none. A smaller value is better in all of them.
package struct GateBenchmarks: Sendable {
  private let figures: [(run: String, figure: GateFigure)]

  package init(_ report: GateOutcome) {
    figures = report.comparisons.flatMap { comparison in comparison.figures.map { (comparison.run, $0) } }
  }
}

// MARK: - github-action-benchmark

extension GateBenchmarks {
  /// The input of github-action-benchmark for its tool `customSmallerIsBetter`.
  package var gitHubAction: some Encodable {
    figures.map { run, figure in
      let unit = figure.measure.unit.symbol
      return GitHubEntry(
        name: "\(run)/\(figure.stack)/\(figure.measure.name)", unit: unit.isEmpty ? "count" : unit,
        value: figure.mean, range: "\(figure.least) to \(figure.greatest)",
        extra: "evidence: \(figure.evidence.rawValue)")
    }
  }

  private struct GitHubEntry: Encodable {
    let name: String
    let unit: String
    let value: Double
    let range: String
    let extra: String
  }
}

// MARK: - Bencher

extension GateBenchmarks {
  /// The figures in the Bencher Metric Format: the measures of each stack of a run, with the least and the greatest
  /// value of a device. The name of a measure has the kind of evidence behind it, since the format has no other place.
  package var bencher: some Encodable {
    var benchmarks: [String: [String: BencherMetric]] = [:]
    for (run, figure) in figures {
      let slug =
        figure.measure.name.replacing("_", with: "-") + "-"
        + figure.evidence.rawValue.replacing(" ", with: "-")
      benchmarks["\(run)/\(figure.stack)", default: [:]][slug] = BencherMetric(
        value: figure.mean, lower: Double(figure.least), upper: Double(figure.greatest))
    }
    return benchmarks
  }

  private struct BencherMetric: Encodable {
    let value: Double
    let lower: Double
    let upper: Double

    private enum CodingKeys: String, CodingKey {
      case value
      case lower = "lower_value"
      case upper = "upper_value"
    }
  }
}
