import Foundation
import Metrics
import OutputFiles
import TestSupport
import Testing

@testable import Reporting

/// The results that the gate reads from a run's folder, and those that it refuses.
@Suite struct GateResultsTests {
  private let temporaryFolder: TemporaryFolder
  private let folder: ResultsFolder

  init() throws {
    temporaryFolder = try TemporaryFolder()
    folder = ResultsFolder(path: temporaryFolder.path)
    try folder.write(MadeUpGate.six, manifest: MadeUpGate.manifest)
  }

  @Test func `what a run wrote reads back, and is equal to itself`() throws {
    let results = try GateResults(reading: folder)
    #expect(results.manifest == MadeUpGate.manifest)
    #expect(results.summaries.map(\.identity.name) == MadeUpGate.six.map(\.identity.name))
    #expect(results.trials.count == 6)
    let comparison = GateComparison(
      of: "six", roles: MadeUpResults.roles, before: results, now: results, tolerances: Tolerances())
    #expect(MadeUpGate.report(comparison).verdict == .equal)
  }

  @Test func `a baseline without the columns of live trials is no mismatch`() throws {
    for name in ["summary.csv", "trials.csv"] {
      let file = folder.path(of: name)
      let csv = try CSV(parsing: String(contentsOfFile: file, encoding: .utf8), path: name)
      let kept = csv.header.indices.filter { !["yardstick_ns", "steal_ns"].contains(csv.header[$0]) }
      #expect(kept.count == csv.header.count - 2)
      let older = CSV(header: kept.map { csv.header[$0] }, records: csv.records.map { row in kept.map { row[$0] } })
      try Data(older.text.utf8).write(to: URL(fileURLWithPath: file))
    }
    let before = try GateResults(reading: folder)
    #expect(before.mismatches.isEmpty)
    let comparison = GateComparison(
      of: "six", roles: MadeUpResults.roles, before: before, now: MadeUpGate.results(), tolerances: Tolerances())
    #expect(MadeUpGate.report(comparison).verdict == .equal)
  }

  /// A change to the text of a file, and the error that it causes.
  struct Damage: Sendable, CustomTestStringConvertible {
    let title: String
    var file = "summary.csv"
    let change: @Sendable (String) -> String
    var code: FileError.Code = .malformed
    var line: Int?
    let message: String

    var testDescription: String { title }

    /// Returns a change of one field in one row of the table.
    static func field(_ column: String, row: Int, _ value: String) -> @Sendable (String) -> String {
      { text in
        var lines = text.components(separatedBy: "\r\n")
        var fields = lines[row].components(separatedBy: ",")
        fields[lines[0].components(separatedBy: ",").firstIndex(of: column) ?? 0] = value
        lines[row] = fields.joined(separator: ",")
        return lines.joined(separator: "\r\n")
      }
    }
  }

  @Test(arguments: [
    Damage(
      title: "not an integer", change: Damage.field("import_ns", row: 2, "12.5"), line: 3,
      message: "import_ns: 12.5 is not an integer; use 0 to 1000000000000000"),
    Damage(
      title: "text", change: Damage.field("import_ns", row: 1, "fast"), line: 2,
      message: "import_ns: fast is not an integer; use 0 to 1000000000000000"),
    Damage(
      title: "negative", change: Damage.field("stall_ns_p99", row: 6, "-1"), line: 7,
      message: "stall_ns_p99: -1 is out of range; use 0 to 1000000000000000"),
    Damage(
      title: "negative in the other table", file: "trials.csv", change: Damage.field("stall_ns_p99", row: 6, "-1"),
      line: 7, message: "stall_ns_p99: -1 is out of range; use 0 to 1000000000000000"),
    Damage(
      title: "beyond the largest integer", change: Damage.field("import_ns", row: 1, "9223372036854775808"), line: 2,
      message: "import_ns: 9223372036854775808 is out of range; use 0 to 1000000000000000"),
    Damage(
      title: "an empty name", change: Damage.field("topology", row: 1, ""), line: 2, message: "topology is empty"),
    Damage(
      title: "a row twice", change: { $0 + $0.components(separatedBy: "\r\n")[1] + "\r\n" }, line: 8,
      message: "all-main appears twice"),
    Damage(
      title: "a row cut off", change: { String($0.dropLast(40)) }, line: 7, message: "81 fields where the header has 82"
    ),
    Damage(title: "no text", change: { _ in "" }, line: 1, message: "the file is empty; a header is expected"),
    Damage(
      title: "no manifest in it", file: "manifest.json", change: { _ in "{" }, message: "not a manifest of this tool"),
    Damage(
      title: "a newer manifest", file: "manifest.json",
      change: { _ in #"{"schema": 3, "versions": {"tool": "0.9.0"}, "all": "else"}"# }, code: .newerSchema,
      message: "schema 3, written by stackbench 0.9.0; this version reads schema 2"),
  ])
  func `damage is named with the file and the line`(_ damage: Damage) throws {
    let file = URL(fileURLWithPath: folder.path(of: damage.file))
    try Data(damage.change(String(contentsOf: file, encoding: .utf8)).utf8).write(to: file)
    let error = #expect(throws: FileError.self) { try GateResults(reading: folder) }
    #expect(error?.code == damage.code)
    #expect(error?.path == folder.path(of: damage.file))
    #expect(error?.line == damage.line)
    #expect(error?.message == damage.message)
  }

  @Test(arguments: [
    ("summary.csv", "import_ns", "duration_ns", ["no column import_ns, which", "a column duration_ns, which"]),
    ("trials.csv", "verified", "proven", ["no column verified, which", "a column proven, which"]),
  ])
  func `other columns are another schema, not damage`(
    file: String, column: String, other: String, messages: [String]
  ) throws {
    let url = URL(fileURLWithPath: folder.path(of: file))
    var lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\r\n")
    lines[0] = lines[0].components(separatedBy: ",").map { $0 == column ? other : $0 }.joined(separator: ",")
    try Data(lines.joined(separator: "\r\n").utf8).write(to: url)
    let results = try GateResults(reading: folder)
    #expect(results.mismatches.map(\.kind) == [.schema, .schema])
    for (mismatch, message) in zip(results.mismatches, messages) {
      #expect(mismatch.message.hasPrefix("\(folder.path(of: file)):1: \(message)"))
    }
    let comparison = GateComparison(
      of: "six", roles: MadeUpResults.roles, before: results, now: MadeUpGate.results(), tolerances: Tolerances())
    #expect(comparison.mismatches == results.mismatches)
    #expect(comparison.stacks.isEmpty)
  }

  @Test func `many other columns are one line`() throws {
    let url = URL(fileURLWithPath: folder.path(of: "summary.csv"))
    let header = SummaryTable.requiredColumns.prefix(10) + (1...5).map { "x\($0)" }
    try Data(header.joined(separator: ",").utf8).write(to: url)
    let rest = SummaryTable.requiredColumns.dropFirst(10)
    #expect(
      try GateResults(reading: folder).mismatches.map(\.message) == [
        "\(url.path):1: no columns \(rest.prefix(3).joined(separator: ", ")) and \(rest.count - 3) more, "
          + "which this version writes",
        "\(url.path):1: columns x1, x2, x3 and 2 more, which this version does not write",
      ])
  }

  @Test func `a manifest without a schema is of the first, and not of this`() throws {
    let file = URL(fileURLWithPath: folder.path(of: "manifest.json"))
    let text = try String(contentsOf: file, encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.contains("\"schema\"") })
    try Data(text.components(separatedBy: line + "\n").joined().utf8).write(to: file)
    let results = try GateResults(reading: folder)
    #expect(results.manifest.schemaVersion == 1)
    let comparison = GateComparison(
      of: "six", roles: MadeUpResults.roles, before: results, now: MadeUpGate.results(), tolerances: Tolerances())
    #expect(comparison.mismatches == [GateMismatch(.schema, "schema: 1 in the baseline, 2 now")])
  }

  @Test func `a folder without any of the files has no results; one that lacks a file is damaged`() throws {
    #expect(!GateResults.isMissing(from: folder))
    try FileManager.default.removeItem(atPath: folder.path(of: "summary.csv"))
    #expect(!GateResults.isMissing(from: folder))
    let error = #expect(throws: FileError.self) { try GateResults(reading: folder) }
    #expect(error?.code == .unreadable)
    #expect(error?.path == folder.path(of: "summary.csv"))
    for name in GateResults.fileNames { try? FileManager.default.removeItem(atPath: folder.path(of: name)) }
    #expect(GateResults.isMissing(from: folder))
  }
}
