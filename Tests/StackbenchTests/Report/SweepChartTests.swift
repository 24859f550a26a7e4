import Foundation
import Reporting
import TestSupport
import Testing

/// Tests of the charts of a sweep and of the page that shows them.
@Suite(.serialized) struct SweepChartTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)"), encoding: .utf8)
  }

  @Test func `sweep charts have the titles of the tables, in two widths on the page`() async throws {
    let sweep = "\(folder.path)/sweep"
    let outcome = try await Program.run([
      "sweep", "--vary", "save-every=20,40", "--machine", "simulated", "--rows", "80", "--existing-rows", "40",
      "--topology", "all-main", "--topology", "three-tier", "--quiet", "--output", sweep,
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let names = (folder.contents(of: "sweep/charts") ?? []).map { $0.replacing(".svg", with: "") }
    let written = try FileManager.default.attributesOfItem(atPath: "\(sweep)/trial-000004.json")[.modificationDate]
    let day = try #require(written as? Date).formatted(.iso8601).prefix(10)
    let narrow = names.filter { $0.hasSuffix("-phone") }
    #expect(!narrow.isEmpty && names.count > 20)
    // A measure with one value has no chart.
    let lines = try text("sweep/sweep.csv").split(separator: "\r\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    for (index, column) in lines[0].enumerated() {
      let values = Set(lines.dropFirst().map { $0[index] })
      if names.contains(String(column)) { #expect(values.count > 1, "\(column)") }
    }
    for name in names {
      let svg = try text("sweep/charts/\(name).svg")
      let column = name.replacing("-phone", with: "")
      let title = MeasureTitle.of(column).sentenceCased
      #expect(svg.contains(">\(title)<") || svg.contains(">\(title) ("), "\(name): \(title)")
      // A narrow chart breaks the line, so that the labels are joined again.
      let labels = svg.matches(of: /<text>([^<]*)/).map { String($0.output.1) }.joined(separator: " ")
      #expect(labels.contains("simulated iphone-15-pro machine, 80 rows, \(day)"), "\(name)")
    }
    let report = try await Program.run(["report", sweep, "--quiet"])
    #expect(report.status == 0, "\(report.errors)")
    let page = try text("sweep/report.html")
    #expect(page.components(separatedBy: "<svg ").count - 1 == 2 * narrow.count)
    #expect(!page.contains(folder.path) && page.contains(", from sweep</p>"))
    #expect(page.contains(#"<td role="cell" data-label="import s" class="number">"#))
    #expect(page.contains(#"class="spoken">Stall p99</figcaption>"#))
  }

  @Test func `charts of drawn devices show medians with ranges, for seeds together`() async throws {
    for (flags, note) in [
      (["--vary", "save-every=20,40", "--draws", "3"], "bars: 5 to 95 % of the drawn devices; small marks: devices"),
      (["--vary", "save-every=20,40", "--vary", "seed=1,2"], "bars: least to greatest trial; small marks: trials"),
      (["--vary", "save-every=20,40"], "by save-every; a mark is a trial"),
    ] {
      let outcome = try await Program.run(
        ["sweep", "--rows", "80", "--existing-rows", "40", "--topology", "all-main", "--topology", "three-tier"]
          + ["--quiet", "--output", "\(folder.path)/sweep"] + flags)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let labels = try text("sweep/charts/import_ns.svg").matches(of: /<text>([^<]*)/).map { String($0.output.1) }
      #expect(labels.joined(separator: " ").contains(note), "\(labels)")
    }
  }

  @Test func `sweep charts draw values with spaces, quotes and per cent signs`() async throws {
    let names = [#"a "b" c.json"#, "d%d 'e'.json"]
    let feeds = try names.map { try folder.write(#"[{"id":1},{"id":2},{"id":3}]"#, to: $0) }
    let sweep = "\(folder.path)/sweep"
    let outcome = try await Program.run([
      "sweep", "--vary", "workload=\(feeds.joined(separator: ","))", "--vary", "topology=all-main,three-tier",
      "--quiet",
      "--output", sweep,
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    // A narrow chart writes the names of values vertically and without shortening them.
    for chart in ["main_busy_ns-phone", "import_ns-phone"] {
      let labels = try text("sweep/charts/\(chart).svg").matches(of: /<text>([^<]*)/).map { String($0.output.1) }
      let values = labels.compactMap { $0.hasSuffix(".json") ? $0.split(separator: "/").last.map(String.init) : nil }
      #expect(values.sorted() == ["a \u{201d}b\u{201d} c.json", "d\u{ff05}d 'e'.json"], "\(labels)")
      let stacks = labels.filter { $0 == "all-main" || $0 == "three-tier" }
      #expect(stacks.count == 2, "\(labels)")
    }
    #expect(try text("sweep/sweep.csv").contains(#"a ""b"" c.json""#))
  }
}
