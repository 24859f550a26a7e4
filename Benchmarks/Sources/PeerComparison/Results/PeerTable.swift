import Foundation
import TextTable

/// The printed text of a comparison.
package struct PeerTable {
  private let figures: ComparisonFigures
  private let cases: [BenchmarkCase]
  private let subjects: [Subject]
  private let budgetCases: Set<BenchmarkCase>

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - figures: The figures that were measured.
  ///   - cases: The rows of the table.
  ///   - subjects: The columns of the table.
  ///   - budgetCases: The cases whose times are divided into steps, in addition to those that miss a floor or an aim.
  package init(
    _ figures: ComparisonFigures, cases: [BenchmarkCase], subjects: [Subject], budgetCases: Set<BenchmarkCase> = []
  ) {
    self.figures = figures
    self.cases = cases
    self.subjects = subjects
    self.budgetCases = budgetCases
  }

  private var verdicts: [Verdict] { cases.map { Verdict($0, figures) } }

  /// True if all measured floors are kept.
  package var keepsFloors: Bool { verdicts.allSatisfy(\.keepsFloors) && HeapTarget.grade(figures) != .missed }

  /// Lines of at most 120 columns.
  package var text: String {
    [times, targets, summary, heap, budgets].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  // MARK: Tables

  /// Nanoseconds by case and subject.
  private var times: String {
    let table = TextTable<BenchmarkCase> { benchmark in
      [Column(title: "ns, median (least)", value: "\(benchmark.rawValue), a \(benchmark.unit)", align: .left)]
        + subjects.map { Column(title: $0.rawValue, value: time(of: benchmark, by: $0), align: .right) }
    }
    return lines(of: table, cases)
  }

  private func time(of benchmark: BenchmarkCase, by subject: Subject) -> String {
    guard let median = figures.medianTime(of: benchmark, by: subject),
      let least = figures.minimumTime(of: benchmark, by: subject)
    else { return "" }
    return median < 100
      ? String(format: "%.1f (%.1f)", median, least) : String(format: "%.0f (%.0f)", median, least)
  }

  /// The engine's results and their targets.
  private var targets: String {
    let table = TextTable<Verdict> { verdict in
      let bounds = bounds(of: verdict.benchmark)
      return [
        Column(title: "case", value: verdict.benchmark.rawValue, align: .left),
        Column(title: "engine ÷ raw, or ns", value: bounds.reached, align: .right),
        Column(title: "floor", value: bounds.floor, align: .right),
        Column(title: "aim", value: bounds.aim, align: .right),
        Column(title: "", value: verdict.grade?.rawValue ?? "not measured", align: .left),
        Column(title: "× GRDB records", value: bounds.againstRecords, align: .right),
        Column(title: "floor", value: bounds.recordsFloor, align: .right),
        Column(
          title: "", value: verdict.reachesRecordsFloor.map { $0 ? "met" : Verdict.Grade.missed.rawValue } ?? "",
          align: .left),
      ]
    }
    return figures.samples(of: cases[0], by: .stackbench).isEmpty ? "" : lines(of: table, verdicts)
  }

  private struct Bounds {
    var reached = ""
    var floor: String
    var aim: String
    var againstRecords = ""
    var recordsFloor = ""
  }

  private func bounds(of benchmark: BenchmarkCase) -> Bounds {
    switch benchmark.target {
    case .ratio(let floor, let aim, let againstRecords):
      var bounds = Bounds(floor: String(format: "%.2f", floor), aim: String(format: "%.2f", aim))
      if let ratio = figures.ratio(of: benchmark, .stackbench, to: .raw) {
        bounds.reached = String(format: "%.2f", ratio)
      }
      if let againstRecords {
        bounds.recordsFloor = String(format: "%.1f", againstRecords)
        if let ratio = figures.ratio(of: benchmark, .stackbench, to: .grdbRecords) {
          bounds.againstRecords = String(format: "%.1f", ratio)
        }
      }
      return bounds
    case .time(let floor, let aim):
      var bounds = Bounds(floor: String(format: "≤ %.0f ns", floor), aim: String(format: "≤ %.0f ns", aim))
      if let time = figures.medianTime(of: benchmark, by: .stackbench) {
        bounds.reached = String(format: "%.1f ns", time)
      }
      return bounds
    }
  }

  private func lines<Row>(of table: TextTable<Row>, _ rows: [Row]) -> String {
    (table.string(for: rows, style: Simple.self) ?? "").split(separator: "\n").map { line in
      String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
    }.joined()
  }

  // MARK: Sentences

  private var summary: String {
    let object = HeapTarget.grade(figures)
    guard object != nil || verdicts.contains(where: { $0.grade != nil }) else { return "" }
    let missed = verdicts.filter { !$0.keepsFloors }.map(\.benchmark.rawValue) + (object == .missed ? ["heap"] : [])
    let short =
      verdicts.filter { $0.grade == .floorMet }.map(\.benchmark.rawValue) + (object == .floorMet ? ["heap"] : [])
    var text =
      missed.isEmpty
      ? "Every floor that was measured is met.\n" : "FLOORS MISSED: \(missed.joined(separator: ", ")).\n"
    if !short.isEmpty { text += "Aims missed: \(short.joined(separator: ", ")).\n" }
    return text
  }

  private var heap: String {
    let held = cases.filter(\.holdsRows).flatMap { benchmark in
      subjects.compactMap { subject in
        figures.heapBytesPerRow(of: benchmark, by: subject).map {
          "\(benchmark.rawValue), \(subject.rawValue): \(String(format: "%.0f", $0))"
        }
      }
    }
    guard !held.isEmpty else { return "" }
    return object + "Heap bytes a row held, SQLite's own not counted: \(held.joined(separator: "; ")).\n"
  }

  private var object: String {
    guard let bytes = figures.heapBytesPerRow(of: .fetch, by: .stackbench), let grade = HeapTarget.grade(figures) else {
      return ""
    }
    return String(
      format:
        "Heap of an object with its values, registry entry, snapshot and cached row: %.0f bytes (≤ %.0f, aim %.0f): %@.\n",
      bytes, HeapTarget.floor, HeapTarget.aim, grade.rawValue)
  }

  /// The steps of the engine's time in the cases that miss a floor or an aim.
  private var budgets: String {
    verdicts.filter { $0.missesSomething || budgetCases.contains($0.benchmark) }.map { budget(of: $0.benchmark) }
      .joined()
  }

  private func budget(of benchmark: BenchmarkCase) -> String {
    let steps = figures.steps(of: benchmark, by: .stackbench)
    guard !steps.isEmpty else { return "" }
    let rawTime = figures.medianTime(of: benchmark, by: .raw).map { String(format: "; all of raw %.0f", $0) } ?? ""
    let parts = steps.map { "\($0.name) \(String(format: "%.1f", $0.time))" }.joined(separator: ", ")
    return "Budget of \(benchmark.rawValue), ns a \(benchmark.unit): \(parts)\(rawTime).\n"
  }
}
