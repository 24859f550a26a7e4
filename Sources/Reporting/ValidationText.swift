import Foundation
import Metrics

/// What `validate` prints: a table for each workload, how well the machines agree, and where the largest errors come from.
///
/// A pure function of its values.
package struct ValidationText: Sendable {
  private let report: ValidationReport
  private let reasons: [(workload: String, reason: String)]
  private let usesColour: Bool

  /// - Parameter reasons: why each workload is there.
  package init(_ report: ValidationReport, reasons: [(workload: String, reason: String)], usesColour: Bool) {
    self.report = report
    self.reasons = reasons
    self.usesColour = usesColour
  }

  /// Tables of at most 80 columns.
  package var text: String {
    let tables = reasons.map { workload, reason in
      "\(workload): \(reason)\n\n" + cells(of: workload)
    }
    let causes = report.causes.map { [CauseText($0, usesColour: usesColour).text] } ?? []
    return ([heading] + tables + [agreement, aims] + report.explanations.map(explanation) + causes)
      .joined(separator: "\n")
  }

  private var heading: String {
    let runs = report.cells.first?.figures.first?.runCount ?? 0
    return """
      Live (median of \(runs)) and simulated on profile \(report.profile), \(report.rows) rows a run
      * = the live runs lie more than \(Self.percent(ValidationFigure.unsteadyPartsPerMillion)) % of their median apart
      \(WrappedText.text(speed))
      """
  }
}

// MARK: - Speed

extension ValidationText {
  /// The sentences about the speed of this computer and what was made of it.
  private var speed: [String] {
    guard let speed = report.speed else { return [] }
    let drift = speed.drift?.sentences ?? ["The yardstick was not measured."]
    guard let profile = speed.profileNanoseconds, let live = speed.drift?.medianNanoseconds else {
      let reason =
        speed.profileNanoseconds == nil ? "Profile \(report.profile) names no yardstick" : "Without a yardstick"
      return drift + ["\(reason): its prices are taken as they are (factor 1)."]
    }
    return drift + [
      "CPU prices of the profile are multiplied by \(String(format: "%.3f", speed.factor)): the yardstick takes "
        + "\(Self.hundredths(live)) ms here and took \(Self.hundredths(profile)) ms where it was calibrated. Live import, "
        + "busy and CPU times are those at the median yardstick."
    ]
  }

  private static func hundredths(_ nanoseconds: Int64) -> String {
    String(format: "%.2f", Double(nanoseconds) / 1_000_000)
  }
}

// MARK: - Tables

extension ValidationText {
  /// A measure of a cell.
  private struct Row {
    let measure: ValidationReport.Measure
    let cell: ValidationReport.Cell
  }

  private func cells(of workload: String) -> String {
    let table = TerminalTable<Row> { row in
      let figure = row.cell.figure(row.measure)
      return [
        TerminalCell(title: "measure", value: Self.title(of: row.measure)),
        TerminalCell(title: "topology", value: row.cell.topology),
        TerminalCell(title: "live", value: Self.live(figure), align: .right),
        TerminalCell(
          title: "simulated", value: figure.map { Self.milliseconds($0.predictedNanoseconds) } ?? "-", align: .right),
        TerminalCell(
          title: "off %", value: figure.map { Self.signed($0.errorPartsPerMillion) } ?? "-", align: .right),
      ]
    }
    let cells = report.cells.filter { $0.workload == workload }
    let rows = ValidationReport.Measure.allCases.flatMap { measure in cells.map { Row(measure: measure, cell: $0) } }
    return table.text(for: rows, usesColour: usesColour)
  }

  private static func live(_ figure: ValidationFigure?) -> String {
    figure.map { milliseconds($0.liveMedianNanoseconds) + ($0.isUnsteady ? "*" : " ") } ?? "-"
  }

  private var agreement: String {
    let table = TerminalTable<ValidationReport.Agreement> { agreement in
      [
        TerminalCell(title: "measure", value: agreement.measure.rawValue, align: .left),
        TerminalCell(
          title: "mean |off| %", value: Self.percentOrDash(agreement.meanAbsoluteErrorPartsPerMillion), align: .right),
        TerminalCell(
          title: "live halves %", value: Self.percentOrDash(agreement.meanHalvesPartsPerMillion), align: .right),
        TerminalCell(
          title: "τ apart", value: Self.tau(agreement.apartRankPartsPerMillion), align: .right),
        TerminalCell(title: "pairs apart", value: "\(agreement.apartPairCount)", align: .right),
        TerminalCell(
          title: "steady cells", value: "\(agreement.steadyCellCount) of \(agreement.cellCount)", align: .right),
        TerminalCell(
          title: "their |off| %", value: Self.percentOrDash(agreement.steadyMeanAbsoluteErrorPartsPerMillion),
          align: .right),
      ]
        + agreement.ranks.map { rank in
          TerminalCell(title: "τ \(rank.workload)", value: Self.tau(rank.tauPartsPerMillion), align: .right)
        } + [
          TerminalCell(title: "mean τ", value: Self.tau(agreement.meanRankPartsPerMillion), align: .right)
        ]
    }
    return table.text(for: report.agreements, usesColour: usesColour)
  }

  /// What is reached, and what is not.
  private var aims: String {
    report.agreements.map { agreement in
      let name = agreement.measure.rawValue
      let tied = "  With figures within 5 % tied, mean τ is \(Self.tau(agreement.meanTiedRankPartsPerMillion)).\n"
      guard let isReached = agreement.isReached, let aims = agreement.measure.errorAims else {
        return "\(name): no aim.\n\(tied)"
      }
      return "\(name): mean |off| <= \(Self.percent(aims.reachPartsPerMillion)) % "
        + "(aim \(Self.percent(aims.aimPartsPerMillion)) %), "
        + "τ apart >= \(Self.tau(ValidationReport.Measure.rankAimPartsPerMillion)): "
        + (isReached ? "reached" : "MISSED") + ".\n\(tied)"
    }.joined() + """
      τ = Kendall's τ_b of the stacks' order within a workload; τ apart = that of the
      pairs of stacks that the live runs tell apart, all workloads together. Live
      halves = how far the medians of two halves of the same live runs lie apart:
      the floor under every error.

      """
  }
}

// MARK: - The largest errors

extension ValidationText {
  /// How many kinds of work are listed.
  private static let listedCount = 6

  private func explanation(_ explanation: ValidationReport.Explanation) -> String {
    guard
      let cell = report.cells.first(where: {
        $0.workload == explanation.workload && $0.topology == explanation.topology
      }), let figure = cell.figure(explanation.measure)
    else { return "" }
    let total = explanation.work.reduce(0) { $0 + $1.nanoseconds }
    let opening =
      "Largest error of \(explanation.measure.rawValue): \(cell.topology) on \(cell.workload), "
      + "\(Self.signed(figure.errorPartsPerMillion)) %.\n"
      + "Predicted work of all threads: \(Self.milliseconds(total)) ms, most of it\n"
    let work = explanation.work.prefix(Self.listedCount).map { work in
      "  \(work.kind) (\(work.role)): \(work.count) for \(Self.milliseconds(work.nanoseconds)) ms, "
        + "\(Self.percent(total > 0 ? work.nanoseconds * 1_000_000 / total : 0)) %\n"
    }
    let wait = cell.figure(.mainWait).map { [$0] } ?? []
    let mainParts = cell.parts.filter { $0.measure.hasPrefix("main_") } + wait
    let parts = mainParts.filter { max($0.liveMedianNanoseconds, $0.predictedNanoseconds) >= 1_000_000 }.map { part in
      "  \(part.measure): \(Self.milliseconds(part.liveMedianNanoseconds)) and "
        + "\(Self.milliseconds(part.predictedNanoseconds))\n"
    }
    return opening + work.joined()
      + (parts.isEmpty ? "" : "Main queue, live and predicted ms:\n" + parts.joined())
  }
}

// MARK: - Numbers

extension ValidationText {
  private static func title(of measure: ValidationReport.Measure) -> String {
    switch measure {
    case .importTime: "import ms"
    case .mainBusy: "busy ms"
    case .mainCPU: "main CPU ms"
    case .mainWait: "wait ms"
    case .stallP99: "stall p99 ms"
    }
  }

  private static func milliseconds(_ nanoseconds: Int64) -> String {
    String(format: "%.1f", Double(nanoseconds) / 1_000_000)
  }

  private static func percent(_ partsPerMillion: Int64) -> String {
    let percent = Double(partsPerMillion) / 10_000
    return String(format: percent == percent.rounded() ? "%.0f" : "%.1f", percent)
  }

  private static func percentOrDash(_ partsPerMillion: Int64?) -> String {
    partsPerMillion.map(percent) ?? "-"
  }

  private static func signed(_ partsPerMillion: Int64) -> String {
    String(format: "%+.1f", Double(partsPerMillion) / 10_000)
  }

  private static func tau(_ partsPerMillion: Int64?) -> String {
    partsPerMillion.map { String(format: "%.2f", Double($0) / 1_000_000) } ?? "-"
  }
}
