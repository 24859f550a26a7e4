import Foundation
import Metrics
import Testing

@testable import Reporting

@Suite struct ValidationPageTests {
  private static let result: ValidationResult = {
    func measures(_ importTime: Int64, _ mainBusy: Int64, _ stall: Int64) -> TrialMeasures {
      var measures = TrialMeasures()
      measures.importNanoseconds = importTime * 1_000_000
      measures.mainBusyNanoseconds = mainBusy * 1_000_000
      measures.stallNanosecondsP99 = stall * 1_000_000
      measures.mainSaveNanoseconds = mainBusy * 500_000
      return measures
    }
    func cell(_ topology: String, _ live: [TrialMeasures], _ predicted: TrialMeasures) -> ValidationResult.Cell {
      ValidationResult.Cell(
        workload: "inserts", topology: topology, live: live, predicted: predicted, tick: 16_000_000)
    }
    var result = ValidationResult(
      profile: "host", rows: 1_000,
      cells: [
        cell("all-main", [measures(100, 80, 40), measures(110, 80, 40)], measures(90, 60, 44)),
        cell("per-view-controller", [measures(200, 10, 1), measures(300, 10, 1)], measures(220, 10, 3)),
      ],
      explanations: [
        ValidationResult.Explanation(
          measure: .mainBusy, workload: "inserts", topology: "all-main",
          work: [
            PricedWork(kind: "commit", role: "import", count: 2, nanoseconds: 15_000_000),
            PricedWork(kind: "rowWritten", role: "import", count: 900, nanoseconds: 45_000_000),
          ])
      ])
    result.speed = ValidationSpeed(
      drift: YardstickDrift(
        of: [
          YardstickPair(beforeNanoseconds: 11_000_000, afterNanoseconds: 11_000_000),
          YardstickPair(beforeNanoseconds: 12_000_000, afterNanoseconds: 14_000_000),
        ], repeatedTrialCount: 1), profileNanoseconds: 10_000_000)
    return result
  }()

  @Test func `cells, agreement, aims and the largest error are printed`() {
    let text = ValidationPage(Self.result, reasons: [("inserts", "blind inserts of one entity")]).page.terminal()
    #expect(text.hasPrefix("Live (median of 2) and simulated on profile host, 1000 rows per run\n"))
    #expect(text.contains("* = the live runs differ by more than 13 % of their median\n"))
    #expect(text.contains("\ninserts: blind inserts of one entity\n"))
    let lines = text.split(separator: "\n").map(String.init)
    func fields(_ start: String) -> [Substring]? { lines.first { $0.hasPrefix(start) }?.split(separator: " ") }
    #expect(fields("import ms    all-main ") == ["import", "ms", "all-main", "100.0", "90.0", "-10.0"])
    #expect(fields("busy ms      all-main ") == ["busy", "ms", "all-main", "80.0", "60.0", "-25.0"])
    #expect(
      fields("import ms    per-view-controller ") == [
        "import", "ms", "per-view-controller", "200.0*", "220.0", "+10.0",
      ])
    // The runs of the first stack lie 10 % apart and those of the second 50 %.
    #expect(fields("import_ns ") == ["import_ns", "10", "30", "-", "0", "1", "of", "2"])
    #expect(text.contains("import_ns: mean |off| <= 10 % (aim 5 %), τ apart >= 0.95: reached.\n"))
    #expect(text.contains("main_busy_ns: mean |off| <= 15 % (aim 10 %), τ apart >= 0.95: reached.\n"))
    #expect(text.contains("Largest error of main_busy_ns: all-main on inserts, -25.0 %.\n"))
    #expect(text.contains("  rowWritten (import): 900 for 45.0 ms, 75 %\n  commit (import): 2 for 15.0 ms, 25 %\n"))
    #expect(text.contains("  main_save_ns: 40.0 and 30.0\n"))
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test func `the speed of the computer is printed with the factor that it makes`() {
    func words(_ result: ValidationResult) -> String {
      ValidationPage(result, reasons: []).page.terminal()
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    var result = Self.result
    #expect(words(result).contains("Yardstick over 2 trials: least 11.00, median 11.00, greatest 13.00 ms;"))
    #expect(
      words(result).contains(
        "1 trial was repeated because the computer's speed changed during it; 1 reached the limit of repeats."))
    #expect(
      words(result).contains("are multiplied by 1.100: the yardstick takes 11.00 ms here and took 10.00 ms where"))
    result.speed = ValidationSpeed(drift: result.speed?.drift, profileNanoseconds: nil)
    #expect(words(result).contains("Profile host has no yardstick: its costs are used unchanged (factor 1)."))
    result.speed = ValidationSpeed(drift: nil, profileNanoseconds: 1)
    #expect(words(result).contains("The yardstick was not measured."))
    #expect(result.speed?.factor == 1)
  }

  @Test func `the table of a validation has a row for each measure of each cell`() throws {
    let csv = try CSV(parsing: ValidationTable.csv(of: Self.result).text, path: "validation.csv")
    #expect(csv.header == ValidationTable.header)
    // Three measures and the one part that was measured.
    #expect(csv.records.count == 2 * 4)
    #expect(
      csv.records[0] == [
        "inserts", "all-main", "host", "1000", "import_ns", "2", "100000000", "100000000", "110000000", "90000000",
        "-100000", "100000", "0", "100000",
      ])
    #expect(csv.records.allSatisfy { $0.dropFirst(5).allSatisfy { Int64($0) != nil } })
  }

  @Test func `the JSON names units and keeps every cell`() throws {
    let text = try JSONText.text(of: Self.result)
    #expect(text.hasSuffix("}\n"))
    for name in ["\"live_ns_median\" : 100000000", "\"error_ppm\" : -100000", "\"mean_tau_b_ppm\" : 1000000"] {
      #expect(text.contains(name), "\(name)")
    }
    let decoded = try JSONDecoder().decode(ValidationResult.self, from: Data(text.utf8))
    #expect(decoded == Self.result)
  }
}
