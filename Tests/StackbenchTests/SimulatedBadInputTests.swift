import Foundation
import TestSupport
import Testing

/// Tests of the errors of simulated runs for input that they cannot use.
@Suite(.serialized) struct SimulatedBadInputTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let phone = "Tests/StackbenchTests/Goldens/phone.yaml"
  /// The text of a valid constant in that profile, which tests replace with an invalid one.
  private static let commit = #"cpu: {value: 90000, low: 45000, high: 180000, source: "assumption: made up"}"#

  @Test func `an invalid constant of a profile prints one line with its key`() async throws {
    let text = try Repository.text(Self.phone)
    try #require(text.contains(Self.commit))
    let negative = #"cpu: {value: -1, low: -2, high: 1, source: "assumption"}"#
    let profile = try folder.write(text.replacing(Self.commit, with: negative, maxReplacements: 1), to: "mine.yaml")
    let outcome = try await run("--machine", "simulated", "--profile", profile)
    try expectLine(outcome, 64, mentioning: ["mine.yaml", "costs.commit.cpu.value: -1 is negative"])
    #expect(folder.contents(of: "results") == nil)
  }

  @Test func `a simulated trial over its limit of CPU time is killed`() async throws {
    // The trial simulates 180,000 frames with 2,000 cells each.
    let outcome = try await run(
      "--machine", "simulated", "--draws", "0", "--rows", "2", "--existing-rows", "200", "--batch-size", "1",
      "--arrival-interval", "3000000", "--view-controllers", "20", "--visible-rows", "100", "--time-limit", "1",
      "--topology", "all-main")
    try expectLine(
      outcome, 1,
      mentioning: [
        "no trial succeeded, so no result was written: all-main, trial 1: used up its processor time; use --time-limit if "
          + "it only needs more"
      ])
    #expect(folder.contents(of: "results") == nil)
  }

  @Test func `a trial that reaches an hour of virtual time prints one line`() async throws {
    let slow = #"cpu: {value: 1e10, low: 1e10, high: 1e10, source: "assumption: made up"}"#
    let text = try Repository.text(Self.phone).replacing(Self.commit, with: slow)
    let rows = text.replacing(
      /( rowStepped:\n    )cpu: [^\n]*/, with: { "\($0.output.1)\(slow)" })
    let profile = try folder.write(rows, to: "slow.yaml")
    let outcome = try await run(
      "--machine", "simulated", "--draws", "0", "--profile", profile, "--rows", "50", "--existing-rows", "400",
      "--topology", "three-tier", "--refresh-rate", "1")
    #expect(outcome.status == 1)
    try expectLine(
      outcome, 1,
      mentioning: [
        "no trial succeeded, so no result was written: three-tier, trial 1: the limit of 3600 s of virtual time was reached"
      ])
    #expect(folder.contents(of: "results") == nil)
  }

  @Test func `a failed draw ends the run with status 1`() async throws {
    let text = try Repository.text(Self.phone).replacing(
      /( rowStepped:\n    )cpu: [^\n]*/,
      with: { "\($0.output.1)cpu: {value: 1, low: 0, high: 1e10, source: \"assumption: made up\"}" })
    let profile = try folder.write(text, to: "wide.yaml")
    let outcome = try await run(
      "--machine", "simulated", "--profile", profile, "--rows", "400", "--existing-rows", "400", "--batch-size", "200",
      "--mix", "10:90:0", "--user-edit-interval", "0", "--scroll-speed", "0", "--draws", "3", "--topology", "all-main",
      "--refresh-rate", "1")
    #expect(outcome.status == 1, "\(outcome.errors)")
    #expect(!outcome.errors.isEmpty)
    #expect(outcome.errors.allSatisfy { $0.hasPrefix("error: all-main, draw ") && $0.contains("virtual time") })
    #expect(folder.contents(of: "results")?.contains("draws.csv") == true)
  }

  private func run(_ arguments: String...) async throws -> Program.Outcome {
    try await run(arguments)
  }

  private func run(_ arguments: [String]) async throws -> Program.Outcome {
    try await Program.run(["run", "--output", "\(folder.path)/results", "--quiet"] + arguments)
  }

  private func expectLine(
    _ outcome: Program.Outcome, _ status: Int, mentioning parts: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(outcome.status == status, sourceLocation: sourceLocation)
    #expect(outcome.errors.count == 1, "\(outcome.errors)", sourceLocation: sourceLocation)
    let line = try #require(outcome.errors.first, sourceLocation: sourceLocation)
    #expect(line.hasPrefix("error: "), sourceLocation: sourceLocation)
    for part in parts { #expect(line.contains(part), "\(line)", sourceLocation: sourceLocation) }
  }
}
