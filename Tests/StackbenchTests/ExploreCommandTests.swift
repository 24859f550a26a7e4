import Foundation
import TestSupport
import Testing

/// The command that runs imports and scenarios under many orders of their threads.
@Suite struct ExploreCommandTests {
  private struct Answer: Decodable {
    struct Subject: Decodable {
      var name: String
      var schedules_count: Int
      var failures_count: Int
      var is_exhausted: Bool
      var complaint: String?
      var replay: String?
    }

    var subjects: [Subject]
  }

  private func explore(_ arguments: [String]) async throws -> (status: Int, answer: Answer) {
    let outcome = try await Program.run(["explore"] + arguments + ["--format", "json"])
    return (outcome.status, try JSONDecoder().decode(Answer.self, from: Data(outcome.output.utf8)))
  }

  @Test func `the printed command repeats a schedule that shows a trouble`() async throws {
    let found = try await explore(["stops-sometimes", "--schedules", "40"])
    let subject = found.answer.subjects[0]
    #expect(found.status == 1 && subject.failures_count > 0)
    let words = try #require(subject.replay).split(separator: " ").map(String.init)
    #expect(words.prefix(2) == ["stackbench", "explore"])
    let repeated = try await explore(Array(words.dropFirst(2)))
    #expect(repeated.status == 1 && repeated.answer.subjects[0].complaint == subject.complaint)
    #expect(try await explore(["stops-sometimes", "--choices", "none"]).status == 0)
  }

  @Test func `a program that misuse stops is a failure on each seed`() async throws {
    let found = try await explore(["lock-is-no-queue", "--schedules", "3", "--keep-going"])
    #expect(found.status == 1 && found.answer.subjects[0].failures_count == 3)
    #expect(try #require(found.answer.subjects[0].complaint).contains("was used on no context's queue"))
  }

  @Test func `the six stacks are explored in their order`() async throws {
    let found = try await explore(["all", "--schedules", "2", "--search", "exhaustive", "--rows", "2"])
    #expect(found.status == 0 && found.answer.subjects.map(\.schedules_count) == Array(repeating: 2, count: 6))
    #expect(found.answer.subjects.allSatisfy { !$0.is_exhausted })
    let whole = try await explore(["all-main", "--search", "exhaustive", "--depth", "1", "--rows", "1"])
    #expect(whole.answer.subjects[0].is_exhausted)
  }

  @Test(arguments: [
    (["all-main", "--choices", "3"], "3: not a choice"), (["all-main", "--choices", "3:0"], "3:0: not a choice"),
    (["all-main", "--cured"], "concerns scenarios"),
    (["one-commit", "--schedules", "1"], "its trouble is a time"),
    (["nothing"], "not a stack"), (["stop-sometimes"], "did you mean stops-sometimes?"),
    (["two-coordinators/processes"], "a simulated machine has one process"),
  ])
  func `bad usage is refused`(arguments: [String], message: String) async throws {
    let outcome = try await Program.run(["explore"] + arguments)
    #expect(outcome.status == 64 && outcome.errors.contains { $0.contains(message) }, "\(outcome.errors)")
  }
}
