import ContextEngine
import MachineCore
import Testing

@testable import Experiments

/// Each symptom is found in a side that shows it, with its figures, and in no other.
@Suite struct SymptomTests {
  /// A side in which the main thread fetches, waits for a worker's queue and finds a wrong value.
  private static let busy = Scenario.Side("busy") { bench in
    let coordinator = try bench.makeCoordinator()
    let main = ManagedObjectContext(.mainQueue, coordinator: coordinator, name: "main")
    let worker = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "worker")
    try main.storeNotes(0..<3)
    bench.begin()
    worker.perform { bench.spend(.milliseconds(30)) }
    main.perform {
      bench.spend(.milliseconds(2))
      worker.performAndWait {}
      bench.attempt("the fetch") { bench.observe("notes", try main.notes().count, right: 4) }
      bench.measure("work") { bench.spend(.milliseconds(10)) }
    }
    try bench.rest()
  }

  /// A side that measures the same in a fifth of the time and does no other work.
  private static let idle = Scenario.Side("idle") { bench in
    bench.begin()
    bench.machine.mainQueue.async {
      bench.measure("work") { bench.spend(.milliseconds(2)) }
      bench.observe("notes", 4, right: 4)
    }
    try bench.rest()
  }

  private static let symptoms: [Symptom] = [
    .mainBlocked(longerThan: .milliseconds(35)), .mainWaits(longerThan: .milliseconds(20)),
    .mainStatements(atLeast: 1), .mainWork(.rowStepped, atLeast: 3), .wrong("notes"), .slower("work", times: 5),
  ]

  @Test(arguments: symptoms)
  func `a side shows a symptom or not, whichever side it is compared with`(symptom: Symptom) throws {
    let busy = try Recorded.run(Self.busy)
    let idle = try Recorded.run(Self.idle)
    #expect(symptom.finding(in: busy, against: idle).isShown)
    #expect(!symptom.finding(in: idle, against: busy).isShown)
    if case .slower = symptom { #expect(!symptom.finding(in: busy, against: busy).isShown) }
  }

  @Test func `a finding has the figure and the limit`() throws {
    let busy = try Recorded.run(Self.busy)
    let idle = try Recorded.run(Self.idle)
    #expect(
      Symptom.slower("work", times: 3).finding(in: busy, against: idle).sentence
        == "work took 10.000 ms, 5.0 times the other side's 2.000 ms; the trouble begins at 3.0 times.")
    #expect(Symptom.wrong("notes").finding(in: busy, against: idle).sentence == "notes: 3 where 4 would be right.")
  }

  @Test func `an error of another number is not the declared one`() throws {
    let run = try Recorded.run(
      Scenario.Side("fails") { bench in
        bench.begin()
        bench.attempt("the call") { throw PersistenceError(.busy, "another connection has the lock") }
        try bench.rest()
      })
    #expect(Symptom.error(134181).finding(in: run, against: run).isShown)
    #expect(!Symptom.error(133020).finding(in: run, against: run).isShown)
  }

  @Test func `a trap and a deadlock are found by the end of the recording`() throws {
    let idle = try Recorded.run(Self.idle)
    let trapped = RecordedRun(idle.recording.trapped("a note was used after a reset"))
    #expect(Symptom.trap(containing: "reset").finding(in: trapped, against: idle).isShown)
    #expect(!Symptom.trap(containing: "queue").finding(in: trapped, against: idle).isShown)
    #expect(!Symptom.deadlock.finding(in: trapped, against: idle).isShown)
  }

  @Test func `an ending that is not declared makes the trouble fail`() throws {
    let idle = try Recorded.run(Self.idle)
    let trapped = RecordedRun(idle.recording.trapped("an accident"))
    let scenario = Scenario(
      "x", "X", group: .stop, sources: [], symptoms: [.slower("work", times: 1)], trouble: Self.busy, cure: Self.idle)
    #expect(ScenarioOutcome(scenario, trouble: try Recorded.run(Self.busy), cure: idle).isAsDeclared)
    #expect(!ScenarioOutcome(scenario, trouble: trapped, cure: idle).troubleOccurred)
    #expect(!ScenarioOutcome(scenario, trouble: try Recorded.run(Self.busy), cure: trapped).cureHelped)
  }
}
