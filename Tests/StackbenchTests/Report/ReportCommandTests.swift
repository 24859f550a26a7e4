import Foundation
import Metrics
import Reporting
import Subprocess
import SystemPackage
import TestSupport
import Testing
import TrialSupport

/// Tests of `report` with folders that a simulated run wrote.
@Suite(.serialized) struct ReportCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  private func run(to name: String) async throws {
    try await Simulator.copySmallResults(to: path(name))
  }

  private func report(_ arguments: String..., environment: Environment = .inherit) async throws -> Program.Outcome {
    try await Program.run(["report"] + arguments, environment: environment)
  }

  private func manifest(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path("\(name)/manifest.json")))
    return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private func page(_ name: String) throws -> String {
    try String(contentsOf: URL(fileURLWithPath: path(name)), encoding: .utf8)
  }

  @Test func `report writes one reproducible file beside the tables`() async throws {
    try await run(to: "run")
    let outcome = try await report(path("run"))
    #expect(outcome.status == 0)
    #expect(outcome.output == "Report: \(path("run"))/report.html\n")
    #expect(outcome.errors.isEmpty)
    let first = try page("run/report.html")
    // Four charts in two widths, and the picture of the stack.
    #expect(first.components(separatedBy: "<svg ").count - 1 == 9)
    #expect(!first.contains(folder.path) && first.contains(", from run</p>"))
    // Each drawing contains the machine, the number of rows and the day.
    let day = try #require(try manifest("run")["started_at"] as? String).prefix("2026-07-29".count)
    for words in ["machine, 120 rows,", "\(day)<"] {
      #expect(first.components(separatedBy: words).count - 1 == 8, "\(words)")
    }
    for name in ["all-main", "worker-merge/notification", "per-view-controller"] { #expect(first.contains(name)) }
    #expect(first.contains("<code><span>stackbench run</span> <span>--"))
    #expect(try await report(path("run"), "--quiet").output.isEmpty)
    #expect(try page("run/report.html") == first)
    // The folder contains no other files.
    #expect(
      folder.contents(of: "run")
        == ["frames.csv", "manifest.json", "report.html", "stalls.csv", "summary.csv", "trials.csv"])
  }

  @Test func `a report of a baseline marks the parts without tables`() async throws {
    try await run(to: "run")
    for name in ["frames.csv", "stalls.csv"] { try FileManager.default.removeItem(atPath: path("run/\(name)")) }
    let outcome = try await report(path("run"), "--output", path("page.html"))
    #expect(outcome.status == 0)
    #expect(
      outcome.errors
        == ["warning: \(path("run")) has no frames.csv and no stalls.csv; the report names the missing parts"])
    let page = try page("page.html")
    #expect(page.components(separatedBy: "Not drawn: the folder lacks frames.csv.").count - 1 == 2)
    #expect(page.contains("has no stalls.csv."))
    #expect(page.components(separatedBy: "<svg ").count - 1 == 5)
  }

  @Test func `a report without gnuplot is complete and mentions the missing charts`() async throws {
    try await run(to: "run")
    let outcome = try await report(path("run"), environment: .inherit.updating(["PATH": FilePath(folder.path).string]))
    #expect(outcome.status == 0)
    #expect(outcome.errors.count == 1 && outcome.errors[0].hasPrefix("warning: no charts: gnuplot is not installed"))
    let page = try page("run/report.html")
    #expect(page.components(separatedBy: "gnuplot was not installed").count - 1 == 4)
    #expect(page.hasSuffix("</html>\n"))
  }

  @Test func `a folder name with markup is escaped on the page`() async throws {
    let name = "<b>&\"'"
    try await run(to: name)
    let outcome = try await report(path(name), "--output", path("page.html"))
    #expect(outcome.status == 0, "\(outcome.errors)")
    let page = try page("page.html")
    #expect(page.contains("&lt;b&gt;&amp;&quot;&#39;"))
    #expect(!page.contains("<b>"))
    #expect(page.components(separatedBy: "<svg ").count - 1 == 9)
  }

  @Test func `a report of unverified data has a verdict about the data`() async throws {
    try ComparedResults.write(to: path("wrong"), trials: 1) { measures, topology, _ in
      if topology == "three-tier" { measures.verified = 0 }
    }
    let outcome = try await report(path("wrong"))
    #expect(outcome.status == 0)
    #expect(try page("wrong/report.html").contains("<li>three-tier: its data did not verify"))
  }
}

// MARK: - The answer

extension ReportCommandTests {
  /// Returns the facts of an answer by their terms. The last one names the place of the figures.
  private func facts(_ html: String) -> [String: String] {
    let facts = html.matches(of: /<div><dt>([A-Z][a-z]+)<\/dt><dd>(.*?)<\/dd><\/div>/).map {
      (String($0.output.1), String($0.output.2).replacing("&#39;", with: "'"))
    }
    return Dictionary(facts) { first, _ in first }
  }

  @Test func `the first screen has the sentences of advise for the same trials`() async throws {
    let settings = [
      "--rows", "300", "--existing-rows", "100", "--batch-size", "100", "--draws", "4", "--topology", "all",
    ]
    let ran = try await Program.run(
      ["run", "--machine", "simulated", "--quiet", "--output", path("run")] + settings)
    #expect(ran.status == 0, "\(ran.errors)")
    #expect(try await report(path("run")).status == 0)
    let shown = facts(try page("run/report.html"))
    let advised = try await Program.run(["advise", "--format", "markdown", "--scratch", folder.path] + settings)
    #expect(advised.status == 0, "\(advised.errors)")
    for term in ["Take", "Frames", "Best", "Smooth"] {
      let sentence = try #require(shown[term], "\(term)")
      #expect(advised.output.replacing("\\#", with: "#").contains(sentence), "\(term): \(sentence)")
    }
    #expect(shown["Changes"] == nil && shown["Next"]?.hasSuffix("the sections below have all figures.") == true)
    // The command for the code has the settings that the user chose, and no others.
    let code = try #require(try page("run/report.html").firstMatch(of: /<span>(stackbench topologies [^<]*)<\/span>/))
    #expect(code.output.1.hasSuffix(" --format swift --batch-size 100"), "\(code.output.1)")
  }

  @Test func `the commands of the page work in the folder of the run`() async throws {
    try FileManager.default.createDirectory(atPath: path("app"), withIntermediateDirectories: false)
    try FileManager.default.createDirectory(atPath: path("my feeds"), withIntermediateDirectories: false)
    _ = try folder.write(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#, to: "my feeds/feed.json")
    let ran = try await Program.run(
      [
        "run", "--machine", "simulated", "--draws", "0", "--topology", "worker-merge", "--topology", "all-main",
        "--workload", "../my feeds/feed.json", "--quiet", "--output", "result",
      ], in: path("app"))
    #expect(ran.status == 0, "\(ran.errors)")
    #expect(try await Program.run(["report", "result"], in: path("app")).status == 0)
    let page = try page("app/result/report.html")
    let commands = page.matches(of: /<code><span>stackbench (.*?)<\/span><\/code>/).map { match in
      match.output.1.replacing("</span> <span>", with: " ").replacing("&#39;", with: "'").replacing(
        "&quot;", with: "\"")
    }
    #expect(commands.count == 2)
    for command in commands {
      let again = command.hasPrefix("run") ? " --quiet --output again" : ""
      let outcome = try await Program.shell("\(command)\(again)", in: path("app"))
      #expect(outcome.status == 0, "\(command): \(outcome.errors)")
    }
    let names = ["frames.csv", "stalls.csv", "summary.csv", "trials.csv"]
    for name in names { #expect(try self.page("app/again/\(name)") == self.page("app/result/\(name)"), "\(name)") }
  }
}

// MARK: - Charts alone

extension ReportCommandTests {
  @Test func `charts are written in a format and a size`() async throws {
    try await run(to: "run")
    let png = try await report(
      path("run"), "--charts", path("png"), "--chart-format", "png", "--chart-size", "900x1000")
    #expect(png.status == 0 && png.output == "4 charts: \(path("png"))\n", "\(png.errors)")
    let names = ["import-vs-hitch", "lateness", "main-queue", "percentiles"]
    #expect(folder.contents(of: "png") == names.map { "\($0).png" })
    for name in names {
      // The size of a PNG is in its first chunk.
      let data = try #require(FileManager.default.contents(atPath: path("png/\(name).png")))
      #expect(Array(data[16..<24]) == [0, 0, 3, 132, 0, 0, 3, 232], "\(name)")
    }
    #expect(try await report(path("run"), "--charts", path("svg"), "--quiet", "--chart-size", "1000x1100").status == 0)
    for name in names { #expect(try page("svg/\(name).svg").contains("viewBox=\"0 0 1000 1100\""), "\(name)") }
    #expect(folder.contents(of: "run")?.contains("report.html") == false)
  }

  @Test func `charts that cannot be drawn as asked are refused`() async throws {
    try await run(to: "run")
    expectRefusal(
      try await report(path("run"), "--charts", path("charts"), "--chart-size", "900x300"),
      "cannot be drawn: gnuplot: the chart needs ")
    expectRefusal(
      try await report(path("run"), "--charts", path("charts"), "--chart-size", "900"),
      "not a size; use a width and a height in pixels, as 1200x800")
    expectRefusal(
      try await report(path("run"), "--chart-format", "png"), "--chart-format png: concerns charts that are written")
    for name in ["summary.csv", "frames.csv"] { try FileManager.default.removeItem(atPath: path("run/\(name)")) }
    expectRefusal(try await report(path("run"), "--charts", path("charts")), "percentiles: not drawn: ")
    #expect(folder.contents(of: "charts") == nil)
  }
}

// MARK: - Bad input

extension ReportCommandTests {
  private func expectRefusal(
    _ outcome: Program.Outcome, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.status == 64, sourceLocation: sourceLocation)
    #expect(outcome.errors.count == 1, "\(outcome.errors)", sourceLocation: sourceLocation)
    #expect(
      outcome.errors.first?.contains(text) == true, "\(outcome.errors)", sourceLocation: sourceLocation)
    #expect(outcome.output.isEmpty, sourceLocation: sourceLocation)
  }

  @Test func `a missing folder or one without results prints one line`() async throws {
    expectRefusal(try await report(path("none")), "\(path("none")): not a folder; use one that 'stackbench run' wrote")
    try FileManager.default.createDirectory(atPath: path("empty"), withIntermediateDirectories: false)
    expectRefusal(try await report(path("empty")), "\(path("empty")): holds no results;")
    let file = try folder.write("", to: "file")
    expectRefusal(try await report(file), "\(file): not a folder;")
    #expect(folder.contents(of: "empty") == [])
  }

  @Test func `an unwritable target prints one line`() async throws {
    try ComparedResults.write(to: path("run"), trials: 1)
    expectRefusal(
      try await report(path("run"), "--output", folder.path), "--output \(folder.path): is a folder; use the name of a")
    expectRefusal(
      try await report(path("run"), "--output", path("none/page.html")),
      "--output \(path("none/page.html")): cannot be written: No such file or directory;")
    #expect(folder.contents(of: "")?.sorted() == ["run"])
  }

  @Test(arguments: ["trials.csv", "summary.csv", "frames.csv", "stalls.csv"])
  func `a damaged table prints one line and leaves no page`(name: String) async throws {
    try ComparedResults.write(to: path("run"), trials: 1)
    let file = path("run/\(name)")
    let text = try String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8)
    try Data((text + "damaged\r\n").utf8).write(to: URL(fileURLWithPath: file))
    let line = text.components(separatedBy: "\r\n").count
    expectRefusal(try await report(path("run")), "\(file):\(line): ")
    #expect(folder.contents(of: "run")?.contains("report.html") == false)
  }

  @Test func `a result of a later version prints one line with its schema`() async throws {
    try ComparedResults.write(to: path("run"), trials: 1)
    let file = URL(fileURLWithPath: path("run/manifest.json"))
    let text = try String(contentsOf: file, encoding: .utf8)
    try Data(text.replacing("\"schema\" : 2", with: "\"schema\" : 99").utf8).write(to: file)
    expectRefusal(try await report(path("run")), "manifest.json: schema 99, written by stackbench 0.1.0;")
  }

  @Test func `a result of killed apps is refused`() async throws {
    let outcome = try await Program.run(Simulator.small + ["--kill-at", "20", "--output", path("killed")])
    #expect(outcome.status == 0, "\(outcome.errors)")
    expectRefusal(try await report(path("killed")), "its apps were killed")
  }
}
