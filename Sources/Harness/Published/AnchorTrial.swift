import ContextEngine
import MachineCore
import Metrics

/// The published measurement of a phone, run again: one main-queue context that saves after each object, then fetches each.
///
/// Runs once, on a thread that is none of the machine's queues, and waits through the machine only.
package final class AnchorTrial: Sendable {
  private let plan: Plan
  private let machine: any Machine
  private let mainQueue: MainQueueLedger
  private let instruments: TrialInstruments

  package struct Plan: Sendable {
    package var objectCount: Int
    /// What counts of it: the store's connections, journal and syncs, and the refresh rate.
    package var options: RunOptions
    /// Where the trial makes its store; nothing is there yet.
    package var storePath: String

    package static let publishedObjectCount = 10_000

    package init(options: RunOptions, storePath: String, objectCount: Int = publishedObjectCount) {
      self.options = options
      self.storePath = storePath
      self.objectCount = objectCount
    }
  }

  package struct Outcome: Sendable {
    /// In the order of the phases.
    package let phases: [PhaseFigures]
    /// What is wrong with the data, as sentences; none where every fetch found its object.
    package let complaints: [String]
  }

  package struct PhaseFigures: Sendable {
    package let phase: AnchorComparison.Phase
    package let total: Span
    /// Of all threads.
    package let cpu: Span
    package let mainCPU: Span
  }

  /// How often the end of a phase is looked for. Shows in no figure.
  private static let pollInterval = Span.milliseconds(20)
  private static let leadTime = Span.milliseconds(10)

  /// - Parameter mainQueue: the machine's own observer, not started yet.
  package init(plan: Plan, machine: any Machine, mainQueue: MainQueueLedger, instruments: TrialInstruments) {
    self.plan = plan
    self.machine = machine
    self.mainQueue = mainQueue
    self.instruments = instruments
  }

  /// Inserts, fetches, closes the store. Blocks until all of it is done.
  ///
  /// - Throws: what stopped it; a fetch that does not find its object is a complaint.
  package func run() throws -> Outcome {
    let item = Item()
    let store = try instruments.openStore(machine, item.model, plan.storePath, plan.options)
    let context = ManagedObjectContext(
      .mainQueue, coordinator: PersistentStoreCoordinator(machine: machine, store: store), name: "main")
    // The ledger sums up by the ticks of a schedule; nothing else happens at them here.
    let schedule = machine.mainQueue.sync {
      let schedule = TickSchedule(start: machine.now + Self.leadTime, refreshRate: plan.options.refreshRate)
      mainQueue.start(schedule)
      return schedule
    }
    let progress = Progress()
    var phases: [PhaseFigures] = []
    for phase in AnchorComparison.Phase.allCases {
      let mainCPUBefore = phases.reduce(Span.zero) { $0 + $1.mainCPU }
      phases.append(
        try measure(phase, schedule, progress, mainCPUBefore) { [self] in
          switch phase {
          case .inserts: insert(0, item, context, progress)
          case .fetches: fetchAll(item, context, progress)
          }
        })
    }
    try store.close()
    let missing = progress.state.withLock { $0.missingCount }
    let complaints = missing == 0 ? [] : ["\(missing) of \(plan.objectCount) fetches did not find their object"]
    return Outcome(phases: phases, complaints: complaints)
  }

  private func measure(
    _ phase: AnchorComparison.Phase, _ schedule: TickSchedule, _ progress: Progress, _ mainCPUBefore: Span,
    _ begin: () -> Void
  ) throws -> PhaseFigures {
    machine.wait(until: schedule.windowStart)
    let start = machine.now
    let cpuBefore = instruments.processCPU()
    progress.state.withLock { $0.doneCount = 0 }
    begin()
    while true {
      let (done, failure) = progress.state.withLock { ($0.doneCount, $0.failure) }
      if let failure { throw failure }
      if done == plan.objectCount { break }
      machine.wait(until: machine.now + Self.pollInterval)
    }
    let cpu = instruments.processCPU() - cpuBefore
    let end = progress.state.withLock { $0.lastInstant }
    // From the first phase's start on: the ledger sums up from nowhere else.
    let window = Window(
      start: schedule.windowStart, end: schedule.instant(ofTick: schedule.firstTick(atOrAfter: end)))
    machine.wait(until: window.end)
    let mainTime = machine.mainQueue.sync { mainQueue.time(in: window) }
    return PhaseFigures(phase: phase, total: end - start, cpu: cpu, mainCPU: mainTime.mainCPU - mainCPUBefore)
  }
}

// MARK: - Phases

extension AnchorTrial {
  /// One entity of four attributes, and where they lie.
  private struct Item: Sendable {
    let model = ManagedObjectModel([
      ManagedObjectModel.Declaration(
        "Item",
        attributes: [
          AttributeDescription("number", .integer64), AttributeDescription("name", .string),
          AttributeDescription("amount", .double), AttributeDescription("createdAt", .date),
        ])
    ])

    var description: EntityDescription { model.entity("Item") }

    static func name(of number: Int) -> String { "item \(number)" }
  }

  private final class Progress: Sendable {
    struct State {
      var doneCount = 0
      var missingCount = 0
      var lastInstant = Instant(nanoseconds: 0)
      var failure: (any Error)?
    }

    let state = Guarded(State())

    func done(at instant: Instant, isMissing: Bool = false) {
      state.withLock { state in
        state.doneCount += 1
        state.missingCount += isMissing ? 1 : 0
        state.lastInstant = instant
      }
    }
  }

  /// Inserts and saves object `number` in a block of its own, which posts the next.
  private func insert(_ number: Int, _ item: Item, _ context: ManagedObjectContext, _ progress: Progress) {
    guard number < plan.objectCount else { return }
    context.perform { [self] in
      let entity = item.description
      do throws(PersistenceError) {
        try machine.during(.importing) { () throws(PersistenceError) in
          let object = context.insert(entity)
          object[entity.path("number")] = .integer(Int64(number))
          object[entity.path("name")] = .string(Item.name(of: number))
          object[entity.path("amount")] = .double(Double(number) / 4)
          object[entity.path("createdAt")] = .date(Double(number))
          try context.save()
        }
      } catch {
        progress.state.withLock { $0.failure = error }
        return
      }
      progress.done(at: machine.now)
      insert(number + 1, item, context, progress)
    }
  }

  /// Posts all fetches at once, as they were.
  private func fetchAll(_ item: Item, _ context: ManagedObjectContext, _ progress: Progress) {
    for number in 0..<plan.objectCount {
      context.perform { [self] in
        let entity = item.description
        let request = FetchRequest(
          entity, predicate: .equal(entity.path("number"), .integer(Int64(number))),
          sortDescriptors: [SortDescriptor(entity.path("name"))])
        do throws(PersistenceError) {
          let found = try context.fetch(request)
          let isRight = found.count == 1 && found[0][entity.path("name")] == .string(Item.name(of: number))
          progress.done(at: machine.now, isMissing: !isRight)
        } catch {
          progress.state.withLock { $0.failure = error }
        }
      }
    }
  }
}
