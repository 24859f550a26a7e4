import Foundation
import Subprocess
import TestSupport
import Testing
import TrialSupport

@testable import Experiments
@testable import Validation
@testable import stackbench

/// Tests of output that only a terminal receives. The tool `script` provides the terminal.
@Suite struct TerminalTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let run = [
    "run", "--machine", "simulated", "--draws", "0", "--topology", "all-main", "--topology", "worker-merge", "--trials",
    "2", "--rows",
    "300", "--existing-rows", "100", "--batch-size", "100",
  ]

  /// Returns the text that a command with an output folder writes to a terminal of 60 columns.
  private func shown(_ arguments: [String], _ environment: [Environment.Key: String?] = [:]) async throws -> String {
    try await typescript(arguments + ["--output", "\(folder.path)/results"], columns: 60, environment)
  }

  /// Returns the text that a command writes to a terminal.
  private func typescript(
    _ arguments: [String], columns: Int, _ environment: [Environment.Key: String?] = [:]
  ) async throws -> String {
    let words = ([Program.path] + arguments).map { "'\($0)'" }
    let command = "stty cols \(columns); " + words.joined(separator: " ")
    let plain: [Environment.Key: String?] = ["NO_COLOR": nil, "TERM": "xterm"]
    let outcome = try await Program.run(
      .name("script"), ["--quiet", "--return", "--command", command, "\(folder.path)/typescript"],
      environment: .inherit.updating(plain.merging(environment) { $1 }))
    #expect(outcome.status == 0, "\(outcome.output)")
    return outcome.output
  }

  private static var colour: Regex<Substring> { #/\u{1b}\[[0-9;]+m/# }
  private static let erasing = "\r\u{1b}[K"

  @Test func `a terminal shows colour and a progress line that is erased at the end`() async throws {
    let text = try await shown(Self.run)
    #expect(text.contains(Self.colour))
    let steps = text.components(separatedBy: Self.erasing)
    #expect(steps.contains { $0.contains(#/of 4, about [0-9]+ s left$/#) }, "\(steps)")
    #expect(steps.dropLast().allSatisfy { $0.count < 60 && !$0.contains("\n") })
    #expect(steps.last?.hasPrefix("catalog, 300 rows") == true)
  }

  @Test(arguments: [(nil, 60...80), ("100", 81...100), ("0", 60...80)] as [(String?, ClosedRange<Int>)])
  func `a table in a pipe is as wide as COLUMNS allows, or 80 columns`(
    columns: String?, widths: ClosedRange<Int>
  ) async throws {
    let outcome = try await Program.run(
      Self.run + ["--output", "\(folder.path)/results"], environment: Program.environment.updating(["COLUMNS": columns])
    )
    let lines = outcome.output.split(separator: "\n")
    let last = try #require(lines.firstIndex { $0.hasPrefix("Results:") })
    #expect(widths.contains(lines[..<last].map(\.count).max() ?? 0))
  }

  @Test(arguments: [(["NO_COLOR": "1"], true), (["NO_COLOR": ""], true), (["TERM": "dumb"], false)])
  func `NO_COLOR disables colour, and TERM=dumb disables progress`(
    variables: [String: String], showsProgress: Bool
  ) async throws {
    let environment = Dictionary(
      uniqueKeysWithValues: variables.map { (Environment.Key(stringLiteral: $0), String?($1)) })
    let text = try await shown(Self.run, environment)
    #expect(text.contains(Self.colour) == (variables["NO_COLOR"] == ""))
    #expect(text.contains(Self.erasing) == showsProgress)
  }

  @Test func `--quiet prints nothing on a terminal`() async throws {
    #expect(try await shown(Self.run + ["--quiet"]).isEmpty)
  }

  @Test(arguments: [(45, 2), (60, 1), (120, 1)])
  func `the tables of a comparison use the width of the terminal`(columns: Int, tableCount: Int) async throws {
    for name in ["a", "b"] { try ComparedResults.write(to: "\(folder.path)/\(name)", machine: "simulated", trials: 1) }
    let text = try await typescript(
      ["compare", "\(folder.path)/a", "\(folder.path)/b"], columns: columns, ["NO_COLOR": "1"])
    let lines = text.split(whereSeparator: \.isNewline)
    #expect(lines.count { $0.contains(" verdict") && $0.contains(" before ") } == tableCount, "\(text)")
    let table = lines.filter { $0.contains(" ms ") || $0.contains("_ns") }
    #expect(table.count > 12 && table.allSatisfy { $0.count <= columns }, "\(table)")
  }

  @Test func `output to a pipe has neither colour nor progress`() async throws {
    let outcome = try await Program.run(Self.run + ["--output", "\(folder.path)/results"])
    #expect(outcome.status == 0)
    #expect(!outcome.output.contains("\u{1b}"))
    #expect(outcome.errors.isEmpty)
  }
}
