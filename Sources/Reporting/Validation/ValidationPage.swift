import Foundation
import Metrics

/// The page of a validation: a table for each workload, the agreement of the machines, and the causes of the largest
/// errors.
package struct ValidationPage: Sendable {
  private let result: ValidationResult
  private let reasons: [(workload: String, reason: String)]

  /// Creates the page of a validation.
  ///
  /// - Parameters:
  ///   - result: The results of the validation.
  ///   - reasons: The purpose of each workload.
  package init(_ result: ValidationResult, reasons: [(workload: String, reason: String)]) {
    self.result = result
    self.reasons = reasons
  }

  package var page: Page {
    let tables = reasons.flatMap { workload, reason in
      [Page.Section([.line("\(workload): \(reason)")]), Page.Section([.table(cells(of: workload))])]
    }
    return Page(
      sections: [heading] + tables + [Page.Section([.table(agreement)]), aims] + result.explanations.compactMap(section)
        + (result.causes.isEmpty ? [] : CausePage(result.causes).sections))
  }

  private var heading: Page.Section {
    let unsteady = Self.percent(ValidationFigure.unsteadyPartsPerMillion)
    let runs = result.cells.first?.figures.first?.runCount ?? 0
    return Page.Section([
      .line("Live (median of \(runs)) and simulated on profile \(result.profile), \(result.rows) rows per run"),
      .line("* = the live runs differ by more than \(unsteady) % of their median"),
      .paragraphs(speed.map { PageText($0) }),
    ])
  }
}

// MARK: - Speed

extension ValidationPage {
  /// The sentences on the speed of this computer and its effect on the profile's prices.
  private var speed: [String] {
    guard let speed = result.speed else { return [] }
    let drift = speed.drift?.sentences ?? ["The yardstick was not measured."]
    guard let profile = speed.profileNanoseconds, let live = speed.drift?.medianNanoseconds else {
      let reason =
        speed.profileNanoseconds == nil ? "Profile \(result.profile) has no yardstick" : "Without a yardstick"
      return drift + ["\(reason): its costs are used unchanged (factor 1)."]
    }
    return drift + [
      "CPU costs of the profile are multiplied by \(String(format: "%.3f", speed.factor)): the yardstick takes "
        + "\(Self.hundredths(live)) ms here and took \(Self.hundredths(profile)) ms where it was calibrated. Live import, "
        + "busy and CPU times are adjusted to the median yardstick."
    ]
  }

  private static func hundredths(_ nanoseconds: Int64) -> String {
    String(format: "%.2f", Double(nanoseconds) / 1_000_000)
  }
}

// MARK: - Tables

extension ValidationPage {
  private func cells(of workload: String) -> PageTable {
    typealias Column = PageColumn<(measure: ValidationResult.Measure, cell: ValidationResult.Cell)>
    let cells = result.cells.filter { $0.workload == workload }
    return PageTable(
      of: ValidationResult.Measure.allCases.flatMap { measure in cells.map { (measure: measure, cell: $0) } },
      [
        Column("measure") { Self.title(of: $0.measure) }, Column("topology") { $0.cell.topology },
        Column("live", .right) { Self.live($0.cell.figure($0.measure)) },
        Column("simulated", .right) {
          $0.cell.figure($0.measure).map { Self.milliseconds($0.predictedNanoseconds) } ?? "-"
        },
        Column("off %", .right) { $0.cell.figure($0.measure).map { Self.signed($0.errorPartsPerMillion) } ?? "-" },
      ])
  }

  private static func live(_ figure: ValidationFigure?) -> String {
    figure.map { milliseconds($0.liveMedianNanoseconds) + ($0.isUnsteady ? "*" : " ") } ?? "-"
  }

  private var agreement: PageTable {
    typealias Column = PageColumn<ValidationResult.Agreement>
    // Each agreement has the ranks of the same workloads.
    let workloads = result.agreements.first?.ranks.map(\.workload) ?? []
    return PageTable(
      of: result.agreements,
      [
        Column("measure") { $0.measure.rawValue },
        Column("mean |off| %", .right) { Self.percentOrDash($0.meanAbsoluteErrorPartsPerMillion) },
        Column("live halves %", .right) { Self.percentOrDash($0.meanHalvesPartsPerMillion) },
        Column("τ apart", .right) { Self.tau($0.apartRankPartsPerMillion) },
        Column("pairs apart", .right) { "\($0.apartPairCount)" },
        Column("steady cells", .right) { "\($0.steadyCellCount) of \($0.cellCount)" },
        Column("their |off| %", .right) { Self.percentOrDash($0.steadyMeanAbsoluteErrorPartsPerMillion) },
      ]
        + workloads.enumerated().map { index, workload in
          Column("τ \(workload)", .right) { Self.tau($0.ranks[index].tauPartsPerMillion) }
        } + [Column("mean τ", .right) { Self.tau($0.meanRankPartsPerMillion) }])
  }

  /// The aims that are reached and those that are missed.
  private var aims: Page.Section {
    let lines = result.agreements.flatMap { agreement in
      let name = agreement.measure.rawValue
      let tied = "  With figures within 5 % tied, mean τ is \(Self.tau(agreement.meanTiedRankPartsPerMillion))."
      guard let isReached = agreement.isReached, let aims = agreement.measure.errorAims else {
        return ["\(name): no aim.", tied]
      }
      let aim =
        "\(name): mean |off| <= \(Self.percent(aims.reachPartsPerMillion)) % "
        + "(aim \(Self.percent(aims.aimPartsPerMillion)) %), "
        + "τ apart >= \(Self.tau(ValidationResult.Measure.rankAimPartsPerMillion)): "
        + (isReached ? "reached" : "MISSED") + "."
      return [aim, tied]
    }
    let legend = [
      "τ = Kendall's τ_b of the stacks' order within a workload; τ apart = that of the",
      "pairs of stacks that clearly differ in live runs, over all workloads. Live",
      "halves = the difference between the medians of two halves of the same live",
      "runs; no error can be expected to be smaller.",
    ]
    return Page.Section((lines + legend).map { .line(PageText($0)) })
  }
}

// MARK: - The largest errors

extension ValidationPage {
  /// The number of kinds of work that are listed.
  private static let listedCount = 6

  private func section(_ explanation: ValidationResult.Explanation) -> Page.Section? {
    guard
      let cell = result.cells.first(where: {
        $0.workload == explanation.workload && $0.topology == explanation.topology
      }), let figure = cell.figure(explanation.measure)
    else { return nil }
    let total = explanation.work.reduce(0) { $0 + $1.nanoseconds }
    let work = explanation.work.prefix(Self.listedCount).map { work in
      "\(work.kind) (\(work.role)): \(work.count) for \(Self.milliseconds(work.nanoseconds)) ms, "
        + "\(Self.percent(total > 0 ? work.nanoseconds * 1_000_000 / total : 0)) %"
    }
    let wait = cell.figure(.mainWait).map { [$0] } ?? []
    let mainParts = cell.parts.filter { $0.measure.hasPrefix("main_") } + wait
    let parts = mainParts.filter { max($0.liveMedianNanoseconds, $0.predictedNanoseconds) >= 1_000_000 }.map { part in
      "\(part.measure): \(Self.milliseconds(part.liveMedianNanoseconds)) and "
        + "\(Self.milliseconds(part.predictedNanoseconds))"
    }
    func list(_ title: PageText?, lines: [String]) -> Page.Block {
      .list(Page.List(title, lines.map { Page.Item(PageText($0)) }))
    }
    return Page.Section(
      [
        .line(
          "Largest error of \(explanation.measure.rawValue): \(cell.topology) on \(cell.workload), \(Self.signed(figure.errorPartsPerMillion)) %."
        ),
        .line("Predicted work of all threads: \(Self.milliseconds(total)) ms, most of it"), list(nil, lines: work),
      ] + (parts.isEmpty ? [] : [list("Main queue, live and predicted ms:", lines: parts)]))
  }
}

// MARK: - Numbers

extension ValidationPage {
  private static func title(of measure: ValidationResult.Measure) -> String {
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
