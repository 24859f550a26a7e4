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

  private var verdicts: [Verdict] { cases.flatMap { Verdict.all($0, figures) } }

  /// True if all measured floors are kept.
  package var keepsFloors: Bool {
    verdicts.allSatisfy { $0.grade != .missed } && HeapTarget.grade(figures) != .missed
      && PayloadHeapTarget.isKept(figures) != false
  }

  /// Lines of at most 120 columns.
  package var text: String {
    (times + [targets, summary, heap + payloadHeap, budgets]).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  // MARK: Tables

  /// Times by case and subject: a table for the cases with SQL, and one for those that are kept by hand.
  private var times: [String] {
    [Subject.raw, .byHand].map { reference in
      let rows = cases.filter { $0.reference == reference }
      let columns = subjects.filter { subject in rows.contains { subject.takesPart(in: $0) } }
      let table = TextTable<BenchmarkCase> { benchmark in
        [
          Column(
            title: "median (least)", value: "\(benchmark.rawValue), \(benchmark.timeUnit.name) a \(benchmark.unit)",
            align: .left)
        ] + columns.map { Column(title: $0.rawValue, value: time(of: benchmark, by: $0), align: .right) }
      }
      return rows.isEmpty ? "" : Self.lines(of: table, rows)
    }
  }

  private func time(of benchmark: BenchmarkCase, by subject: Subject) -> String {
    guard let median = figures.medianTime(of: benchmark, by: subject),
      let least = figures.minimumTime(of: benchmark, by: subject)
    else { return "" }
    let unit = benchmark.timeUnit.nanoseconds
    return String(
      format: median / unit < 100 ? "%.1f (%.1f)" : "%.0f (%.0f)", median / unit, least / unit)
  }

  /// The engine's ratios to its peers, and their targets.
  private var targets: String {
    let table = TextTable<Verdict> { verdict in
      [
        Column(title: "case", value: verdict.benchmark.rawValue, align: .left),
        Column(title: "peer", value: verdict.target.peer.rawValue, align: .left),
        Column(title: "peer ÷ engine", value: ratio(verdict.ratio), align: .right),
        Column(title: "least", value: ratio(ratios(of: verdict).min()), align: .right),
        Column(title: "greatest", value: ratio(ratios(of: verdict).max()), align: .right),
        Column(title: "floor", value: ratio(verdict.target.floor), align: .right),
        Column(title: "aim", value: ratio(verdict.target.aim), align: .right),
        Column(title: "", value: verdict.grade?.rawValue ?? "not measured", align: .left),
      ]
    }
    return figures.samples(of: cases[0], by: .stackbench).isEmpty ? "" : Self.lines(of: table, verdicts)
  }

  private func ratios(of verdict: Verdict) -> [Double] {
    figures.ratios(of: verdict.benchmark, .stackbench, to: verdict.target.peer)
  }

  private func ratio(_ value: Double?) -> String { value.map { String(format: "%.2f", $0) } ?? "" }

  /// Returns the lines of a table without spaces at their ends.
  static func lines<Row>(of table: TextTable<Row>, _ rows: [Row]) -> String {
    (table.string(for: rows, style: Simple.self) ?? "").split(separator: "\n").map { line in
      String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
    }.joined()
  }

  // MARK: Sentences

  private var summary: String {
    let object = HeapTarget.grade(figures)
    guard object != nil || verdicts.contains(where: { $0.grade != nil }) else { return "" }
    let missed =
      verdicts.filter { $0.grade == .missed }.map(name) + (object == .missed ? ["heap"] : [])
      + (PayloadHeapTarget.isKept(figures) == false ? ["heap of payloads"] : [])
    let short = verdicts.filter(\.missesAim).map(name) + (object == .floorMet ? ["heap"] : [])
    var text =
      missed.isEmpty
      ? "Every floor that was measured is met.\n" : "FLOORS MISSED: \(missed.joined(separator: ", ")).\n"
    if !short.isEmpty { text += "Aims missed: \(short.joined(separator: ", ")).\n" }
    return text
  }

  private func name(of verdict: Verdict) -> String {
    "\(verdict.benchmark.rawValue) (\(verdict.target.peer.rawValue))"
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

  private var payloadHeap: String {
    let growths = subjects.compactMap { subject in
      figures.heapBytesPerPayload(by: subject).map { "\(subject.rawValue) \(String(format: "%.1f", $0))" }
    }
    guard !growths.isEmpty else { return "" }
    return "Heap bytes that each payload after the 100th left: \(growths.joined(separator: ", "))"
      + (PayloadHeapTarget.isKept(figures).map { isKept in
        " (engine ≤ raw + \(Int(PayloadHeapTarget.floor)): \(isKept ? "flat" : "NOT FLAT"))"
      } ?? "") + ".\n"
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
    cases.filter { benchmark in
      budgetCases.contains(benchmark)
        || Verdict.all(benchmark, figures).contains { $0.grade == .missed || $0.missesAim }
    }.map(budget).joined()
  }

  private func budget(of benchmark: BenchmarkCase) -> String {
    let steps = figures.steps(of: benchmark, by: .stackbench)
    guard !steps.isEmpty else { return "" }
    let reference = benchmark.reference
    let unit = benchmark.timeUnit
    let whole = figures.medianTime(of: benchmark, by: reference).map { time in
      String(
        format: time / unit.nanoseconds < 100 ? "; all of %@ %.1f" : "; all of %@ %.0f", reference.rawValue,
        time / unit.nanoseconds)
    }
    let parts = steps.map { "\($0.name) \(String(format: "%.1f", $0.time / unit.nanoseconds))" }
      .joined(separator: ", ")
    return "Budget of \(benchmark.rawValue), \(unit.name) a \(benchmark.unit): \(parts)\(whole ?? "").\n"
  }
}
