import MachineCore
import MachineSimulated
import Testing

/// Schedules that are explored.
@Suite struct ExploringTests {
  /// The notes of a run, its decisions and the number of its order.
  private struct Run {
    var notes: [String]
    var decisions: [ScheduleExplorer.Decision]
    var order: UInt64
    var failure: SimulationFailure?
  }

  /// Runs threads under a schedule. Each takes some locks, one after the other, or one inside the other if they are
  /// nested.
  private func run(_ search: ScheduleSearch, _ threads: [[String]], nested: Bool = false) throws -> Run {
    let explorer = ScheduleExplorer(search)
    let machine = Toy.machine(Toy.device(), SimulatedMachineOptions(eventLimit: 100_000, explorer: explorer))
    let notes = Notes()
    var failure: SimulationFailure?
    do {
      try machine.run {
        let names = ["left", "right"]
        let locks = names.map { machine.makeLock(label: $0) }
        @Sendable func take(_ taken: [String], by thread: Int) {
          guard let name = taken.first, let place = names.firstIndex(of: name) else { return }
          locks[place].withLock {
            notes.add("\(thread)")
            if nested { take(Array(taken.dropFirst()), by: thread) }
          }
          if !nested { take(Array(taken.dropFirst()), by: thread) }
        }
        let queues = threads.indices.map { machine.makeSerialQueue(label: "queue \($0)") }
        for (thread, queue) in queues.enumerated() { queue.async { take(threads[thread], by: thread) } }
        // A timer so far ahead fires only if no thread can go on.
        machine.wait(until: machine.now + .seconds(60))
      }
    } catch let found as SimulationFailure {
      failure = found
    }
    return Run(notes: notes.lines, decisions: explorer.decisions, order: explorer.order, failure: failure)
  }

  @Test func `an exhaustive search finds each order in which two threads take a lock`() throws {
    let search = ExhaustiveSearch(deviationLimit: 4)
    var found: Set<[String]> = []
    var next: [Int]? = []
    var runCount = 0
    while let choices = next {
      let run = try run(.deviations(ExhaustiveSearch.deviations(choices)), [["left", "left"], ["left", "left"]])
      found.insert(run.notes)
      next = search.schedule(after: run.decisions)
      runCount += 1
      try #require(runCount < 20_000)
    }
    #expect(
      Set(found.map { $0.joined() }) == ["0011", "0101", "0110", "1001", "1010", "1100"])
  }

  @Test(arguments: [
    ScheduleSearch.random(seed: 3), .random(seed: 4), .priorities(seed: 3, depth: 2, length: 30),
    .priorities(seed: 4, depth: 2, length: 30),
  ])
  func `the deviations of a schedule repeat it`(search: ScheduleSearch) throws {
    let threads = [["left", "right"], ["right", "left"], ["left", "left"]]
    let first = try run(search, threads)
    let again = try run(.deviations(first.decisions.deviations), threads)
    #expect(again.notes == first.notes && again.decisions == first.decisions && again.order == first.order)
  }

  @Test func `runs have the same order exactly if each lock passes on in the same order`() throws {
    var notes: [UInt64: Set<String>] = [:]
    for seed in 1...60 as ClosedRange<UInt64> {
      let run = try run(.random(seed: seed), [["left", "left"], ["left", "left"]])
      notes[run.order, default: []].insert(run.notes.joined())
    }
    #expect(notes.values.allSatisfy { $0.count == 1 } && notes.count > 3)
  }

  @Test func `a timer may fire before a thread that can run goes on`() throws {
    var found: Set<[String]> = []
    for seed in 1...40 as ClosedRange<UInt64> {
      let machine = Toy.machine(
        Toy.device(), SimulatedMachineOptions(explorer: ScheduleExplorer(.random(seed: seed))))
      let notes = Notes()
      try machine.run {
        let worker = machine.makeSerialQueue(label: "worker")
        machine.mainQueue.async(at: machine.now + .milliseconds(5)) { notes.add("timer") }
        worker.async {
          machine.account(Work(Toy.storage))
          notes.add("worker")
        }
        machine.wait(until: machine.now + .seconds(60))
      }
      found.insert(notes.lines)
    }
    #expect(found == [["timer", "worker"], ["worker", "timer"]])
  }

  @Test(arguments: [SeededSearch.Kind.random, .priorities])
  func `a planted deadlock is found and shortened to a few choices`(kind: SeededSearch.Kind) async throws {
    let threads = [["left", "right"], ["right", "left"]]
    #expect(try run(.deviations([]), threads, nested: true).failure == nil)
    let search = SeededSearch(kind, depth: 2, length: 20)
    let found = try (1...100 as ClosedRange<UInt64>).lazy
      .map { try run(search.schedule(of: $0), threads, nested: true) }.first { $0.failure?.code == .deadlock }
    let shortest = try await ScheduleShortening(runLimit: 1_000).shortest(
      try #require(found).decisions.deviations
    ) { deviations in
      let again = try run(.deviations(deviations), threads, nested: true)
      return again.failure == nil ? nil : again.decisions.deviations
    }
    #expect(shortest.count <= 3)
    #expect(try run(.deviations(shortest), threads, nested: true).failure?.code == .deadlock)
  }
}
