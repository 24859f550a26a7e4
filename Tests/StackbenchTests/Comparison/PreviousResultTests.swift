import Foundation
import TestSupport
import Testing

/// Tests of `compare` with one folder or without folders, which finds the earlier result of the folder.
@Suite(.serialized) struct PreviousResultTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Runs the program with the test's folder as its working folder.
  private func run(_ arguments: [String]) async throws -> Program.Outcome {
    try await Program.run(arguments, in: folder.path)
  }

  /// Simulates a stack that saves after the given number of records. The number changes the figures of a run, but not
  /// its workload.
  private func simulate(saveEvery: Int, _ arguments: String...) async throws {
    let outcome = try await run(
      [
        "run", "--machine", "simulated", "--draws", "0", "--topology", "all-main", "--rows", "80", "--existing-rows",
        "40", "--batch-size", "40", "--save-every", "\(saveEvery)", "--quiet",
      ] + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// Returns the lines in which a comparison names the folders, and the line with the flag by which the runs differ.
  private func compared(_ arguments: String...) async throws -> [String] {
    let outcome = try await run(["compare"] + arguments)
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n").map(String.init)
    return [1, 2].map { lines[$0].replacing(" (stackbench 0.1.0)", with: "") }
      + lines.filter { $0.hasPrefix("Differs: --save-every") }
  }

  /// Returns the path of the folder whose name consists of a day and the given number.
  private func moved(_ number: Int, in parent: String = "Results") throws -> String {
    let names = folder.contents(of: parent) ?? []
    return "\(parent)/" + (try #require(names.first { $0.hasSuffix("-\(number)") }))
  }

  @Test func `compare with one folder uses the previous result of the folder`() async throws {
    try await simulate(saveEvery: 40)
    try await simulate(saveEvery: 20)
    try await simulate(saveEvery: 10)
    let expected = [
      "Before:  \(try moved(2)), the result before it", "After:   Results/latest",
      "Differs: --save-every: 20, then 10.",
    ]
    #expect(try await compared() == expected)
    #expect(try await compared("Results/latest/") == [expected[0], "After:   Results/latest/", expected[2]])
    // A result that has been moved is compared with the one before it.
    #expect(
      try await compared(try moved(2)) == [
        "Before:  \(try moved(1)), the result before it", "After:   \(try moved(2))",
        "Differs: --save-every: 40, then 20.",
      ])
    let absolute = "\(folder.path)/Results/latest"
    #expect(
      try await compared(absolute) == [
        "Before:  \(folder.path)/\(try moved(2)), the result before it", "After:   \(absolute)", expected[2],
      ])
  }

  @Test func `the previous result has the same folder and kind, and is older`() async throws {
    try await simulate(saveEvery: 40)
    try await simulate(saveEvery: 40, "--output", "Results/mine")
    try await simulate(saveEvery: 20)
    // The newest folder comes from Results/mine.
    try await simulate(saveEvery: 10, "--output", "Results/mine")
    #expect(
      try await compared() == [
        "Before:  \(try moved(1)), the result before it", "After:   Results/latest",
        "Differs: --save-every: 40, then 20.",
      ])
    #expect(try await compared("Results/mine")[0] == "Before:  \(try moved(2)), the result before it")
    // Results of killed apps have no measures, so that the run before them is used.
    try await simulate(saveEvery: 20, "--kill-at", "5")
    try await simulate(saveEvery: 5)
    #expect(try await compared()[0] == "Before:  \(try moved(3)), the result before it")
    // The first number is free again. The result that receives it is still the latest one.
    try FileManager.default.removeItem(atPath: "\(folder.path)/\(try moved(1))")
    try await simulate(saveEvery: 4)
    #expect(try await compared().last == "Differs: --save-every: 5, then 4.")
    #expect(try await compared()[0] == "Before:  \(try moved(1)), the result before it")
  }

  @Test func `a result that is moved twice keeps its first folder as origin`() async throws {
    try await simulate(saveEvery: 40)
    try await simulate(saveEvery: 20)
    let first = try moved(1)
    // The new result replaces the oldest one, which is moved again.
    try await simulate(saveEvery: 5, "--output", first)
    #expect(try await compared().last == "Differs: --save-every: 40, then 20.")
    #expect(try await compared()[0] == "Before:  \(try moved(2)), the result before it")
    let alone = try await run(["compare", try moved(2)])
    #expect(alone.status == 64)
  }

  @Test func `compare without a previous result prints one line with a hint`() async throws {
    let nothing = try await run(["compare"])
    #expect(nothing.status == 64)
    #expect(
      nothing.errors == [
        "error: Results/latest: not a folder; use one that 'stackbench run' wrote, or --live for revisions"
      ])
    try await simulate(saveEvery: 40, "--name", "one two")
    let alone = try await run(["compare", "Results/one two"])
    #expect(alone.status == 64)
    #expect(alone.output.isEmpty)
    #expect(
      alone.errors == [
        "error: Results/one two: it has no earlier result; run again with this folder, which keeps the present "
          + "result, or give two folders"
      ])
    try await simulate(saveEvery: 20, "--output", "Results/one two")
    #expect(try await compared("Results/one two").last == "Differs: --save-every: 40, then 20.")
  }
}
