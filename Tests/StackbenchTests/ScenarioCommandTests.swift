import Experiments
import Foundation
import TestSupport
import Testing

@testable import stackbench

/// The command `scenario`: both sides in separate processes, its status, and its formats.
@Suite struct ScenarioCommandTests {
  /// Each scenario whose trouble stops its process or leaves its threads behind. The tests of scenarios run the others.
  private static let ids = ScenarioLibrary.all.filter { scenario in
    scenario.symptoms.contains { symptom in
      switch symptom {
      case .trap, .deadlock: true
      default: false
      }
    }
  }.map(\.id)

  @Test(arguments: ids, ["simulated", "live"])
  func `a scenario goes as declared`(id: String, machine: String) async throws {
    let scenario = try #require(ScenarioLibrary.all.first { $0.id == id })
    guard scenario.machines.map(\.rawValue).contains(machine) else { return }
    let outcome = try await Program.run(["scenario", id, "--machine", machine, "--format", "json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test(arguments: ["sibling-conflict", "lock-is-no-queue", "wait-for-child-save"], ["simulated", "live"])
  func `the cure in the trouble's place gets status 1`(id: String, machine: String) async throws {
    #expect(try await Program.run(["scenario", id, "--machine", machine, "--cured"]).status == 1)
  }

  @Test func `a scenario whose trouble is a time is refused on the live machine`() async throws {
    let outcome = try await Program.run(["scenario", "one-commit", "--machine", "live"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.count == 1 && outcome.errors[0].contains("one-commit runs on simulated devices only"))
  }

  @Test(arguments: [(1, 1, "none of the seeds"), (4, 0, "2 of 4 seeds, and with the cure on none")])
  func `several seeds are counted`(count: Int, status: Int, words: String) async throws {
    let outcome = try await Program.run(["scenario", "stops-sometimes", "--seeds", "\(count)"])
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.output.contains("The trouble showed up on \(words)."))
  }

  @Test(arguments: [["--seed", "1"], ["--machine", "live"], ["--cured"], ["--summary"]])
  func `flags that contradict several seeds are refused`(flags: [String]) async throws {
    let outcome = try await Program.run(["scenario", "sibling-conflict", "--seeds", "2"] + flags)
    #expect(outcome.status == 64)
    #expect(outcome.errors.count == 1 && outcome.errors[0].contains(flags.joined(separator: " ")))
  }

  @Test func `several seeds need a scenario`() async throws {
    let outcome = try await Program.run(["scenario", "--seeds", "2"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.count == 1 && outcome.errors[0].contains("--seeds 2"))
  }

  @Test(arguments: [["--profile", "iphone-6s"], ["--seed", "1"]])
  func `flags of simulated devices are refused on the live machine`(flags: [String]) async throws {
    let outcome = try await Program.run(["scenario", "sibling-conflict", "--machine", "live"] + flags)
    #expect(outcome.status == 64)
    #expect(outcome.errors.count == 1 && outcome.errors[0].contains(flags.joined(separator: " ")))
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
