import Foundation
import Scenarios
import TestSupport
import Testing

@testable import stackbench

/// The command `scenario`: both sides in processes of their own, its status, and its formats.
@Suite struct ScenarioCommandTests {
  /// A deadlock, an error, and each scenario whose trouble stops its process, which the tests of the library cannot run.
  private static let ids =
    ["wait-for-child-save", "sibling-conflict"]
    + ScenarioLibrary.all.filter { scenario in
      scenario.symptoms.contains { if case .trap = $0 { true } else { false } }
    }.map(\.id)

  @Test(arguments: ids)
  func `a scenario goes as declared, and the cure in the trouble's place gets status 1`(id: String) async throws {
    let outcome = try await Program.run(["scenario", id, "--format", "json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try await Program.run(["scenario", id, "--format", "json", "--cured"]).status == 1)
  }

  @Test func `a story is the same on every run, and names the circle of waits`() async throws {
    let first = try await Program.run(["scenario", "wait-for-child-save", "--format", "markdown"])
    let second = try await Program.run(["scenario", "wait-for-child-save", "--format", "markdown"])
    #expect(first.output == second.output && first.errors.isEmpty)
    #expect(first.output.contains("The thread of child has waited since"))
    #expect(first.output.contains("the thread of child has it"))
  }

  @Test func `misuse ends with its sentence, without a place in the sources`() async throws {
    let outcome = try await Program.run(["scenario", "lock-is-no-queue"])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("it belongs to the queue “main”"))
    #expect(!outcome.output.contains(".swift"))
  }

  @Test func `without a name the command lists the scenarios`() async throws {
    let outcome = try await Program.run(["scenario"])
    #expect(outcome.status == 0)
    for scenario in ScenarioLibrary.all { #expect(outcome.output.contains(scenario.id)) }
  }

  @Test func `JSON has the figures of both sides`() async throws {
    let outcome = try await Program.run(["scenario", "sibling-conflict", "--format", "json"])
    let document = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    let scenario = try #require((document?["scenarios"] as? [[String: Any]])?.first)
    #expect(scenario["as_declared"] as? Bool == true)
    let errors = try #require((scenario["trouble"] as? [String: Any])?["errors"] as? [[String: Any]])
    #expect(errors.map { $0["code"] as? Int } == [133020])
  }

  @Test func `an unknown scenario ends with 64 and names the nearest`() async throws {
    let outcome = try await Program.run(["scenario", "temporary-ids"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.count == 1 && outcome.errors[0].contains("did you mean temporary-id?"))
  }
}
