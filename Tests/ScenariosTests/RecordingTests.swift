import ContextEngine
import MachineCore
import TestSupport
import Testing
import TrialProcesses

@testable import Experiments

/// Recordings have everything that a side did, in the same bytes on every run.
@Suite struct RecordingTests {
  @Test(arguments: ["sibling-conflict", "wait-for-child-save", "stops-sometimes"], [nil, 7] as [UInt64?])
  func `a side records the same entries on every run`(id: String, seed: UInt64?) throws {
    let scenario = try #require(ScenarioLibrary.all.first { $0.id == id })
    let first = try Recorded.recording(of: scenario.trouble, seed: seed)
    let isEqual = try Recorded.recording(of: scenario.trouble, seed: seed) == first
    #expect(isEqual && first.count > 5)
  }

  @Test func `a recording reads back from its file as it was written`() throws {
    let folder = try TemporaryFolder()
    let scenario = try #require(ScenarioLibrary.all.first { $0.id == "sibling-conflict" })
    let recording = try Recorded.recording(of: scenario.trouble)
    let file = "\(folder.path)/recording.jsonl"
    try Recorded.record(scenario.trouble, with: try StepRecorder(file: file))
    let isEqual = try Recording(file: file) == recording
    #expect(isEqual)
  }

  @Test func `a damaged line of a recording is named by its number`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("{}\n", to: "recording.jsonl")
    #expect { try Recording(file: file) } throws: { "\($0)".contains("line 1 of the recording") }
  }

  @Test func `equal statements in a row are recorded once with their count`() throws {
    let run = try Recorded.run(
      Scenario.Side("inserts") { bench in
        let coordinator = try bench.makeCoordinator()
        let worker = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "worker")
        bench.begin()
        worker.perform {
          for key in 0..<50 { worker.insertNote(key) }
          bench.attempt("the save") { try worker.save() }
        }
        try bench.rest()
      })
    let inserts = run.steps.filter { $0.sql?.hasPrefix("INSERT INTO ZNOTE") ?? false }
    #expect(inserts.map(\.count) == [50])
    let written = run.recording.count {
      if case .statement(_, let sql) = $0.content { sql.hasPrefix("INSERT INTO ZNOTE") } else { false }
    }
    #expect(written == 1)
  }

  @Test func `what happens before the beginning and after the rest is not part of the story`() throws {
    let run = try Recorded.run(
      Scenario.Side("reads") { bench in
        let coordinator = try bench.makeCoordinator()
        let main = ManagedObjectContext(.mainQueue, coordinator: coordinator, name: "main")
        try main.storeNotes(0..<3)
        bench.begin()
        main.perform { bench.attempt("the fetch") { bench.observe("notes", try main.notes().count, right: 3) } }
        try bench.rest()
        main.performAndWait { bench.attempt("another fetch") { bench.observe("again", try main.notes().count) } }
      })
    #expect(run.mainStatementCount == 1)
    #expect(run.observations.map(\.name) == ["notes", "again"])
    #expect(run.end - run.start < .seconds(1))
    #expect(run.ending == .completed)
  }

  @Test func `an error of the program ends the recording`() throws {
    let run = try Recorded.run(
      Scenario.Side("fails") { bench in
        bench.begin()
        throw PersistenceError(.unsupportedRequest, "this is not possible")
      })
    #expect(run.ending == .stopped(message: "this is not possible (134091)"))
  }
}
