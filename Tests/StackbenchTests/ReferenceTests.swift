import Foundation
import TestSupport
import Testing

/// Tests of `--reference`, which compares the stacks of a result with one of them.
@Suite(.serialized) struct ReferenceTests {
  private static let small = [
    "--machine", "simulated", "--rows", "80", "--existing-rows", "40", "--batch-size", "40", "--draws", "3",
  ]
  /// Two private contexts below main, which no known stack has.
  private static let nested = """
    number: "#7"
    summary: a worker below a buffer below main
    contexts:
      - {name: main, queue: main, lifetime: app}
      - {name: buffer, queue: private, parent: main, lifetime: app}
      - {name: worker, queue: private, parent: buffer, lifetime: payload}
    uiContext: main
    importContext: worker
    rules:
      - {afterSaveOf: worker, save: buffer}
      - {afterSaveOf: buffer, save: main}
    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.nested, to: "mine.yaml")
  }

  private func run(_ arguments: [String]) async throws -> Program.Outcome {
    try await Program.run(arguments, in: folder.path)
  }

  private struct Document: Decodable {
    struct Ratio: Decodable {
      var topology: String
      var reference: String
      var measure: String
      var ratio_ppm: Int?
      var low_ppm: Int?
      var high_ppm: Int?
    }
    struct Side: Decodable {
      var ratios: [Ratio]
    }
    var ratios: [Ratio]?
    var before: Side?
  }

  private func document(_ arguments: [String]) async throws -> Document {
    let outcome = try await run(arguments + ["--format", "json"])
    #expect(outcome.errors.allSatisfy { !$0.hasPrefix("error") })
    return try JSONDecoder().decode(Document.self, from: Data(outcome.output.utf8))
  }

  @Test func `a stack of one's own is the reference, and show takes another one`() async throws {
    let ran = try await run(["run", "--topology", "all-main", "--topology", "mine.yaml"] + Self.small)
    #expect(ran.status == 0, "\(ran.errors)")
    #expect(ran.output.contains("How many times as much each stack takes as mine: the median over 3 drawn"))
    let shown = try await document(["show"]).ratios ?? []
    #expect(shown.map(\.topology) == [String](repeating: "all-main", count: shown.count))
    #expect(shown.allSatisfy { $0.reference == "mine" })
    let own = try #require(shown.first { $0.measure == "import_ns" }?.ratio_ppm)
    let other = try await document(["show", "--reference", "all-main"]).ratios ?? []
    let inverse = try #require(other.first { $0.measure == "import_ns" }?.ratio_ppm)
    // The median of three inverse ratios is the inverse of their median.
    #expect(abs(Double(own) * Double(inverse) / 1e12 - 1) < 0.001)
    let report = try await run(["report", "--output", "report.html"])
    #expect(report.status == 0, "\(report.errors)")
    let page = try String(contentsOfFile: "\(folder.path)/report.html", encoding: .utf8)
    #expect(page.contains("How many times as much each stack takes as mine"))
    let compared = try await document(["compare", "Results/latest", "Results/latest", "--reference", "mine.yaml"])
    #expect(compared.before?.ratios.count == shown.count)
  }

  @Test func `a run adds its reference, and two names of a stack are equal`() async throws {
    try folder.write(try await run(["topologies", "all-main", "--format", "yaml"]).output, to: "main.yaml")
    let alone = try await document(["run", "--topology", "all-main", "--reference", "mine.yaml"] + Self.small)
    #expect(Set((alone.ratios ?? []).map(\.topology)) == ["all-main"])
    let same = try await document(["run", "--topology", "three-tier", "--reference", "main.yaml"] + Self.small)
    #expect(Set((same.ratios ?? []).map(\.reference)) == ["all-main"])
  }

  @Test func `a sweep compares the stacks at each point`() async throws {
    let words = [
      "sweep", "--vary", "batch-size=20,40", "--vary", "topology=all-main,mine.yaml", "--rows", "80", "--existing-rows",
      "40", "--draws", "2", "--output", "sweep",
    ]
    let own = try await run(words)
    #expect(own.status == 0, "\(own.errors)")
    #expect(own.output.contains("as mine: the median over 2 drawn"))
    #expect(own.output.contains("12 of 12 trials"))
    let again = try await run(["show", "sweep", "--reference", "all-main", "--format", "markdown"])
    let rows = again.output.components(separatedBy: "as all-main").last?.split(separator: "\n") ?? []
    #expect(rows.filter { $0.hasPrefix("| 20 | mine |") || $0.hasPrefix("| 40 | mine |") }.count == 2)
  }

  @Test(
    arguments: [
      (["run", "--reference", "thre-tier"], "thre-tier: not a stack; did you mean three-tier?"),
      (
        ["sweep", "--vary", "batch-size=20,40", "--topology", "all-main", "--reference", "three-tier"],
        "--reference three-tier: the sweep has no trial of three-tier; use one of all-main"
      ),
      (
        ["show", "--reference", "three-tier"],
        "--reference three-tier: Results/latest has no trial of three-tier; use one of all-main, child-of-main"
      ),
      (
        ["compare", "Results/latest", "Results/latest", "--reference", "three-tier"],
        "--reference three-tier: Results/latest has no trial of three-tier; use one of all-main, child-of-main"
      ),
      (
        ["report", "--reference", "three-tier"],
        "--reference three-tier: Results/latest has no trial of three-tier; use one of all-main, child-of-main"
      ),
      (
        ["show", "compared", "--reference", "all-main"],
        "--reference all-main: compared holds a comparison, which has one already; leave it out"
      ),
    ])
  func `a reference that was not run is refused in one line`(words: [String], message: String) async throws {
    let stacks = ["--topology", "all-main", "--topology", "child-of-main"]
    #expect(try await run(["run"] + stacks + Self.small + ["--draws", "0"]).status == 0)
    #expect(try await run(["compare", "Results/latest", "Results/latest", "--output", "compared"]).status == 0)
    let outcome = try await run(words)
    #expect(outcome.status == 64)
    #expect(outcome.errors == ["error: \(message)"])
  }
}
