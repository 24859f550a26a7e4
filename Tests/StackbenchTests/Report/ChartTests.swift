import Foundation
import TestSupport
import Testing

/// Tests of the charts of `plots/`, as `make plots` draws them.
@Suite(.serialized) struct ChartTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let charts = ["import-vs-hitch", "lateness", "main-queue", "percentiles"]

  private func text(_ name: String) throws -> String {
    try String(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)"), encoding: .utf8)
  }

  /// Returns the texts of a drawing, in their order.
  private func labels(_ name: String) throws -> [String] {
    try text(name).matches(of: /<text>([^<]*)/).map { $0.output.1.trimmingCharacters(in: .whitespaces) }
  }

  private func draw(_ results: String, to out: String) async throws -> Program.Outcome {
    try await Program.run(
      .name("make"), ["--no-print-directory", "-C", Repository.root.path, "plots", "FROM=\(results)", "TO=\(out)"],
      environment: .inherit.updating(["MAKEFLAGS": nil, "MFLAGS": nil, "MAKELEVEL": nil]))
  }

  private func run(to name: String) async throws -> String {
    let path = "\(folder.path)/\(name)"
    try await Simulator.copySmallResults(to: path)
    return path
  }

  @Test func `every chart is drawn as SVG and PNG`() async throws {
    let outcome = try await draw(try await run(to: "results"), to: "\(folder.path)/charts")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(folder.contents(of: "charts") == Self.charts.flatMap { ["\($0).png", "\($0).svg"] })
    for name in folder.contents(of: "charts") ?? [] {
      let start = FileManager.default.contents(atPath: "\(folder.path)/charts/\(name)")?.prefix(5) ?? Data()
      #expect(name.hasSuffix(".svg") ? start == Data("<?xml".utf8) : start.dropFirst().starts(with: Data("PNG".utf8)))
    }
  }

  @Test func `a chart without its table is skipped with a message`() async throws {
    let results = try await run(to: "baseline")
    try FileManager.default.removeItem(atPath: "\(results)/frames.csv")
    let outcome = try await draw(results, to: "\(folder.path)/charts")
    #expect(outcome.status == 0)
    #expect(
      outcome.errors == ["lateness", "percentiles"].map { "\($0): not drawn: \(results) has no frames.csv" })
    #expect(
      folder.contents(of: "charts")
        == ["import-vs-hitch.png", "import-vs-hitch.svg", "main-queue.png", "main-queue.svg"])
  }

  @Test func `charts draw names with spaces, quotes and per cent signs unchanged`() async throws {
    let results = try await run(to: "results")
    for name in try #require(folder.contents(of: "results")) where name.hasSuffix(".csv") {
      let table = try text("results/\(name)").replacing("\r\nall-main,", with: "\r\n\"a \"\"b\"\" 5%d 'c', d\",")
      _ = try folder.write(table, to: "results/\(name)")
    }
    let outcome = try await draw(results, to: "\(folder.path)/charts")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let reported = try await Program.run(["report", results, "--quiet"])
    #expect(reported.status == 0 && reported.errors.isEmpty, "\(reported.errors)")
    let name = "a \u{201d}b\u{201d} 5%d 'c'\u{201a} d"
    for chart in Self.charts { #expect(try labels("charts/\(chart).svg").contains(name), "\(chart)") }
    #expect(try text("results/report.html").components(separatedBy: "<text>\(name)").count > 8)
  }

  @Test func `a folder without results prints one line and draws no charts`() async throws {
    let outcome = try await draw("\(folder.path)/none", to: "\(folder.path)/charts")
    #expect(outcome.status != 0)
    #expect(outcome.errors.first?.hasPrefix("error: \(folder.path)/none: has no summary.csv; use a folder") == true)
    #expect(folder.contents(of: "charts") == nil)
  }

  @Test func `charts order stacks like the tables`() async throws {
    let results = try await run(to: "results")
    let outcome = try await draw(results, to: "\(folder.path)/charts")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let rows = try text("results/summary.csv").components(separatedBy: "\r\n").dropLast()
    let header = rows[0].split(separator: ",", omittingEmptySubsequences: false)
    let fields = rows.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    func number(_ row: [Substring], _ column: String) -> Int {
      header.firstIndex { $0 == column }.flatMap { Int(row[$0]) } ?? .max
    }
    let ranked = fields.sorted {
      (number($0, "hitch_total_ns"), number($0, "import_ns")) < (number($1, "hitch_total_ns"), number($1, "import_ns"))
    }.map { $0[1].isEmpty ? String($0[0]) : "\($0[0])/\($0[1])" }
    #expect(ranked != fields.map { $0[1].isEmpty ? String($0[0]) : "\($0[0])/\($0[1])" })
    for chart in ["main-queue", "lateness"] {
      #expect(try labels("charts/\(chart).svg").filter(ranked.contains) == ranked, "\(chart)")
    }
  }

  @Test func `a stack has the same colour whichever other stacks a chart shows`() async throws {
    let results = try await run(to: "results")
    let rows = try text("results/summary.csv").components(separatedBy: "\r\n")
    _ = try await draw(results, to: "\(folder.path)/all")
    let own = rows.filter { $0.hasPrefix("topology,") || $0.hasPrefix("three-tier,") }
    try Data((own.joined(separator: "\r\n") + "\r\n").utf8)
      .write(to: URL(fileURLWithPath: "\(results)/summary.csv"))
    let outcome = try await draw(results, to: "\(folder.path)/one")
    #expect(outcome.status == 0, "\(outcome.errors)")
    for chart in ["import-vs-hitch", "percentiles"] {
      let colours = try ["all", "one"].map { try text("\($0)/\(chart).svg").contains("rgb(230, 159,   0)") }
      #expect(colours == [true, true], "\(chart)")
    }
  }

  @Test func `the bars show the median trial of each stack`() async throws {
    let results = try await run(to: "results")
    let rows = try text("results/trials.csv").components(separatedBy: "\r\n").filter { !$0.isEmpty }
    let header = rows[0].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    func row(_ trial: Int, hitch: Int, window: Int) throws -> String {
      var fields = rows[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      for (name, value) in [("trial", trial), ("hitch_total_ns", hitch), ("window_ns", window)] {
        fields[try #require(header.firstIndex(of: name))] = "\(value)"
      }
      return fields.joined(separator: ",")
    }
    // The second trial is the median. The axis ends with its window of 2 seconds.
    let trials = [
      rows[0], try row(1, hitch: 900, window: 9_000_000_000), try row(2, hitch: 500, window: 2_000_000_000),
      try row(3, hitch: 100, window: 7_000_000_000),
    ]
    let summary = try text("results/summary.csv").components(separatedBy: "\r\n").prefix(2)
    for (name, lines) in [("trials", trials), ("summary", Array(summary))] {
      try Data((lines.joined(separator: "\r\n") + "\r\n").utf8)
        .write(to: URL(fileURLWithPath: "\(results)/\(name).csv"))
    }
    let outcome = try await draw(results, to: "\(folder.path)/charts")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let labels = try labels("charts/main-queue.svg")
    #expect(labels.contains("2") && !labels.contains("3"), "\(labels)")
  }

  @Test func `a narrow panel draws the largest lateness of each group of ticks`() async throws {
    let results = try await run(to: "long")
    let rows = try text("long/summary.csv").components(separatedBy: "\r\n")
    try Data(rows.prefix(2).joined(separator: "\r\n").utf8).write(to: URL(fileURLWithPath: "\(results)/summary.csv"))
    let topology = try #require(rows[1].split(separator: ",", omittingEmptySubsequences: false).first)
    let frames =
      ["topology,variant,tick,due_ns,posted,start_ns,end_ns,shown_tick,late_ns,lateness_ns,missed,cause,wait_ns"]
      // One tick of 50,000 is half a second late.
      + (0..<50_000).map { "\(topology),,\($0),\($0 * 8_333_333),1,,,,,\($0 == 31_113 ? 500_000_000 : 3_000_000),,," }
    try Data(frames.joined(separator: "\r\n").utf8).write(to: URL(fileURLWithPath: "\(results)/frames.csv"))
    let outcome = try await draw(results, to: "\(folder.path)/charts")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let svg = try text("charts/lateness.svg")
    #expect(svg.utf8.count < 60_000)
    #expect(svg.contains("a mark is the latest frame of 100 ticks"))
    // The marks have two heights: one mark is at 500 ms, all others are at 3 ms. The last may be cut at the edge.
    let marks = svg.matches(of: /M([0-9.]+),([0-9.]+) L([0-9.]+),([0-9.]+)/).filter {
      $0.output.2 == $0.output.4 && abs((Double($0.output.3) ?? 0) - (Double($0.output.1) ?? 0) - 2) < 0.5
    }
    let heights = Dictionary(grouping: marks, by: \.output.2).mapValues(\.count)
    #expect(heights.count == 2 && heights.values.min() == 1 && (499...500).contains(marks.count), "\(heights)")
  }

  /// Tests a run with known lateness: 100 ticks that are 1, 2, … 100 ms late.
  @Test func `a percentile chart uses the nearest rank`() async throws {
    let results = try await run(to: "known")
    let summary = try String(contentsOf: URL(fileURLWithPath: "\(results)/summary.csv"), encoding: .utf8)
    let rows = summary.components(separatedBy: "\r\n")
    try Data(rows.prefix(2).joined(separator: "\r\n").utf8).write(to: URL(fileURLWithPath: "\(results)/summary.csv"))
    let topology = try #require(rows[1].split(separator: ",", omittingEmptySubsequences: false).first)
    let frames =
      ["topology,variant,tick,due_ns,posted,start_ns,end_ns,shown_tick,late_ns,lateness_ns,missed,cause,wait_ns"]
      + (1...100).shuffledByHalves.map { "\(topology),,\($0),\($0)000000,0,,,,,\($0)000000,,," }
    try Data(frames.joined(separator: "\r\n").utf8).write(to: URL(fileURLWithPath: "\(results)/frames.csv"))
    let outcome = try await draw(results, to: "\(folder.path)/charts")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let svg = try String(contentsOf: URL(fileURLWithPath: "\(folder.path)/charts/percentiles.svg"), encoding: .utf8)
    let scale = try ChartScale(svg)
    for percentile in [75, 90, 95, 99] {
      // The line rises from the value of this rank to the value of the next one.
      let rise = try #require(scale.rises(atPercentile: Double(percentile)).first, "\(percentile)")
      #expect(abs(rise.from - Double(percentile)) < 0.5, "\(rise)")
      #expect(abs(rise.to - Double(percentile + 1)) < 0.5, "\(rise)")
    }
  }
}

extension ClosedRange<Int> {
  /// The even numbers followed by the odd ones, so that the order is not sorted.
  fileprivate var shuffledByHalves: [Int] { filter { $0 % 2 == 0 } + filter { $0 % 2 == 1 } }
}

/// The scale of a percentile chart, which is derived from the positions of the numbers on its axes.
private struct ChartScale {
  /// The position of the 90th percentile, which is one decade from the origin, and the width of a decade.
  private let across: (x: Double, decade: Double)
  /// The position of 1 ms and the height of a decade.
  private let up: (y: Double, decade: Double)
  let longestPath: [Point]

  struct Point {
    var x: Double
    var y: Double
  }

  init(_ svg: String) throws {
    let numbers = svg.matches(of: /translate\(([0-9.]+),([0-9.]+)\)"[^>]*>\s*<text>([0-9.,]+)<\/text>/)
    func place(of number: String) throws -> Point {
      let label = try #require(numbers.first { $0.output.3 == number }, "no \(number)").output
      return Point(x: try #require(Double(label.1)), y: try #require(Double(label.2)))
    }
    // 50 % is log10(2) decades from the origin, and 90 % is one decade from it.
    let ninety = try place(of: "90").x
    across = (ninety, (ninety - (try place(of: "50").x)) / (1 - log10(2)))
    // The baseline of every number is the same distance below its mark.
    let foot = 4.88
    let one = try place(of: "1").y
    up = (one - foot, one - (try place(of: "10").y))
    let paths = svg.matches(of: /d='M([^']+)'/).map { String($0.output.1) }
    longestPath = Self.points(of: paths.max { $0.count < $1.count } ?? "")
  }

  private static func points(of path: String) -> [Point] {
    path.split { $0.isWhitespace || $0 == "L" || $0 == "M" }.compactMap { pair in
      let parts = pair.split(separator: ",").compactMap { Double($0) }
      return parts.count == 2 ? Point(x: parts[0], y: parts[1]) : nil
    }
  }

  private func milliseconds(_ point: Point) -> Double { pow(10, (up.y - point.y) / up.decade) }

  /// Returns the vertical parts of the line at a percentile, each with its first and last value in milliseconds.
  func rises(atPercentile percentile: Double) -> [(from: Double, to: Double)] {
    let x = across.x + (-log10(1 - percentile / 100) - 1) * across.decade
    return zip(longestPath, longestPath.dropFirst()).compactMap { before, after in
      abs(before.x - x) < 1 && before.x == after.x ? (milliseconds(before), milliseconds(after)) : nil
    }
  }
}
