import ContextEngine
import Harness
import MachineCore
import Metrics
import Topologies

/// A run of one row of a published table: its steps through one stack, on any machine.
///
/// A trial runs once, on a thread that does not belong to the machine's queues, and waits through the machine only.
package final class PublishedTrial: Sendable {
  let plan: Plan
  let machine: any Machine
  let instruments: TrialInstruments
  let reading: @Sendable () -> ThreadReading

  package struct Plan: Sendable {
    package var table: PublishedTable
    /// The place of the row in the table.
    package var row: Int
    /// The options of the store, its contexts and the seed.
    package var options: RunOptions
    /// The path at which the trial makes its store. The file must not exist.
    package var storePath: String
  }

  /// The measurements of a row.
  package struct Outcome: Sendable {
    /// The measurements of the row's figures, in their order.
    package let measurements: [PublishedMeasurement]
    /// Sentences that say what is wrong with the data; empty if it is right.
    package let complaints: [String]
    /// The digest of the store that a two-phase import left, or nil after other steps.
    package let storeDigest: String?
  }

  /// The time between two checks for the end of a step. It does not affect any figure.
  private static let pollInterval = TimeSpan.milliseconds(20)

  /// Creates a run of the plan's row.
  ///
  /// - Parameters:
  ///   - plan: The row and the options of the run.
  ///   - machine: The machine on which the row runs.
  ///   - instruments: The functions that the run needs in addition to the machine.
  ///   - reading: Returns the totals of the machine's threads so far; callable inside blocks.
  package init(
    plan: Plan, machine: any Machine, instruments: TrialInstruments, reading: @escaping @Sendable () -> ThreadReading
  ) {
    self.plan = plan
    self.machine = machine
    self.instruments = instruments
    self.reading = reading
  }

  var row: PublishedTable.Row { plan.table.rows[plan.row] }

  /// Runs the set-up and the steps, checks the rows of the store, and closes it. Blocks until all of it is done.
  ///
  /// - Throws: The error that stopped a step, or `VerificationError`. Wrong data are complaints.
  package func run() throws -> Outcome {
    if let importing = twoPhaseImport { return try run(importing) }
    let script = PublishedScript(
      PublishedModel(plan.table, seed: plan.options.seed), seed: plan.options.seed, topology: row.topology)
    var stage = try open(script.model)
    for step in row.setUp { _ = try run(step, script, &stage) }
    if let list = stage.list { try show(list, on: stage) }
    var times: [StepTimes] = []
    for step in row.steps { times.append(try run(step, script, &stage)) }
    let complaints = try script.findings.all + check(script, stage)
    script.held.release(.importing)
    script.held.release(.ui)
    for store in stage.stores { try store.close() }
    return Outcome(measurements: measurements(of: times), complaints: complaints, storeDigest: nil)
  }

  /// The two-phase import of the row, or nil if its first step is another.
  private var twoPhaseImport: PublishedStep.TwoPhaseImport? {
    guard case .importInTwoPhases(let importing)? = row.steps.first?.action else { return nil }
    return importing
  }
}

// MARK: - Opening

extension PublishedTrial {
  func open(_ model: PublishedModel) throws -> PublishedStage {
    let stores: [any PersistentStore] =
      switch row.store {
      case .sqlite: try openStores(of: model.model)
      case .memory: [InMemoryStore(machine, model: model.model, identifier: plan.storePath)]
      }
    let (stack, watch) = wire(stores, shown: row.list.map { model.entity($0.entity).description.index })
    let list = row.list.map { list in
      let entity = model.entity(list.entity)
      var request = FetchRequest(
        entity.description, sortDescriptors: list.sortAttributes.map { FetchSortDescriptor(entity.attribute($0).path) })
      request.fetchBatchSize = list.batchSize
      return PublishedList(request, in: stack.uiContext(ofScreen: 0))
    }
    return PublishedStage(
      stores: stores, stack: stack, watch: watch, importContext: stack.beginPayload(lane: 0), list: list)
  }

  /// Opens the row's file once for each coordinator of its stack.
  func openStores(of model: ManagedObjectModel) throws -> [any PersistentStore] {
    var options = plan.options
    if !row.topology.otherCoordinators.isEmpty { options.tracksHistory = true }
    var stores: [any PersistentStore] = []
    for number in 0...row.topology.otherCoordinators.count {
      if number > 0 { options.storeName = "store \(number + 1)" }
      stores.append(try instruments.openStore(machine, model, plan.storePath, options))
    }
    return stores
  }

  /// Returns the row's stack, wired to its stores, and the watch that is its delegate. `shown` is the index of the entity
  /// that the UI shows, or nil if it shows no list.
  func wire(_ stores: [any PersistentStore], shown: Int?) -> (stack: WiredStack, watch: StackWatch) {
    let watch = StackWatch(machine: machine)
    let coordinators = stores.map { PersistentStoreCoordinator(machine: machine, store: $0) }
    let stack = WiredStack(
      row.topology, coordinator: coordinators[0], otherCoordinators: Array(coordinators.dropFirst()),
      options: WiringOptions(
        mergePolicy: plan.options.mergePolicy, laneCount: 1,
        screenEntities: shown.map { [$0] } ?? []),
      delegate: watch)
    return (stack, watch)
  }

  /// Fetches the list that the UI shows, and fetches it again whenever the stack requires it.
  private func show(_ list: PublishedList, on stage: PublishedStage) throws {
    let (context, watch) = (stage.uiContext, stage.watch)
    try context.performAndWait { () throws(PersistenceError) in try list.fetch() }
    watch.onRefetch {
      do throws(PersistenceError) { try list.fetch() } catch { watch.fail(error) }
    }
  }
}

// MARK: - Steps

extension PublishedTrial {
  private func run(
    _ step: PublishedStep, _ script: PublishedScript, _ stage: inout PublishedStage
  ) throws -> StepTimes {
    if case .reopen = step.action { return try reopen(script, &stage) }
    let runner = ScriptRunner(machine: machine)
    var lists: [[ScriptPart]] = []
    if case .together(let importing, let ui) = step.action {
      let both = script.parts(importing: importing, ui: ui, on: stage)
      lists = [both.importing, both.ui]
    } else {
      lists = [script.parts(of: step, on: stage)]
    }
    let end = StepEnd(listCount: lists.count)
    return try measure(
      end, WatchedStack(stage.stack, contexts: stage.contexts, watch: stage.watch), failure: { runner.failure }
    ) { [self] in
      for parts in lists { runner.run(parts) { [self] in end.note(machine.now, reading()) } }
    }
  }

  /// Measures the blocks that `begin` posts, until the last of them has ended, and until all following work has ended.
  /// Blocks until then.
  ///
  /// `failure` returns the error that stopped the step's own blocks, or nil. The error is thrown, as is an error of the
  /// stack if there is no other. The time of rest ends at the later of the step's end and the stack's last activity. The
  /// memory of both ends is that of rest. The peaks of several coordinators are added up.
  func measure(
    _ end: StepEnd, _ stack: WatchedStack, failure: () -> (any Error)?, _ begin: () -> Void
  ) throws -> StepTimes {
    let bytesAtStart = stack.footprints.reduce(0) { $0 + $1.restart() }
    let start = machine.now
    let before = reading()
    begin()
    while end.end == nil {
      if let error = failure() ?? stack.watch.failure { throw error }
      machine.wait(until: machine.now + Self.pollInterval)
    }
    guard let done = end.end else { trapMisuse("a step that has ended has no end") }
    let resting = try restingReading(stack)
    var times = StepTimes(
      done: PublishedMeasurement(wall: done.instant - start, from: before, to: done.reading),
      rest: PublishedMeasurement(wall: max(done.instant, stack.watch.lastActivity) - start, from: before, to: resting))
    let peakBytes = stack.footprints.reduce(0) { $0 + $1.figures.peakBytes }
    times.rest.memory = PublishedMeasurement.Memory(bytesAtStart: bytesAtStart, peakBytes: peakBytes)
    times.done.memory = times.rest.memory
    return times
  }

  /// Waits until no save or merge is running, and returns the totals of the threads at that time.
  ///
  /// The check waits for each context's queue, which wakes threads. The totals are therefore read before it.
  private func restingReading(_ stack: WatchedStack) throws -> ThreadReading {
    while true {
      machine.wait(until: machine.now + Self.pollInterval)
      let totals = reading()
      let activityCount = stack.watch.activityCount
      for _ in 0..<2 {
        for context in stack.contexts { _ = context.isDirty }
      }
      if let error = stack.watch.failure { throw error }
      if stack.watch.activityCount == activityCount { return totals }
    }
  }

  /// Closes the store and opens it again, on the calling thread.
  private func reopen(_ script: PublishedScript, _ stage: inout PublishedStage) throws -> StepTimes {
    script.held.release(.importing)
    script.held.release(.ui)
    script.expected.reset(.importing)
    script.expected.reset(.ui)
    let start = machine.now
    let before = reading()
    for store in stage.stores { try store.close() }
    stage = try open(script.model)
    let measurement = PublishedMeasurement(wall: machine.now - start, from: before, to: reading())
    if let list = stage.list { try show(list, on: stage) }
    return StepTimes(done: measurement, rest: measurement)
  }

  /// Returns the measurement of each figure, which is the sum of the measurements of its steps.
  func measurements(of times: [StepTimes]) -> [PublishedMeasurement] {
    row.figures.map { figure in
      figure.steps.reduce(PublishedMeasurement()) { sum, step in
        sum + (figure.end == .done ? times[step].done : times[step].rest)
      }
    }
  }

  /// Returns sentences about wrong numbers of rows in the store, and about contexts with unsaved changes.
  private func check(_ script: PublishedScript, _ stage: PublishedStage) throws -> [String] {
    var complaints = stage.contexts.filter(\.isDirty).map {
      "the row ends with unsaved changes in context \($0.name); end it with a step that saves or resets"
    }
    let context = ManagedObjectContext(.privateQueue, coordinator: stage.stack.coordinator, name: "check")
    for entity in script.model.allEntities {
      let name = entity.description.name
      guard let expected = script.expected.savedCount(of: name) else { continue }
      let count = try context.performAndWait { () throws(PersistenceError) in
        try context.count(for: FetchRequest(entity.description))
      }
      if count != expected {
        complaints.append("the store has \(count) rows of \(name) and should have \(expected)")
      }
    }
    return complaints
  }
}
