import ContextEngine
import MachineCore
import MachineSimulated
import SQLitePersistence
import TrialProcesses

/// The machine, the store and the recorder of one side, which the side's program uses.
///
/// The program runs on a thread that is not the main thread. It may call `performAndWait` in its
/// preparations; what it does after `begin()` should be done in blocks that it posts.
package final class Bench: Sendable {
  /// The machine on which the side runs.
  package var machine: any Machine { sideMachine.machine }
  private let sideMachine: SideMachine
  /// The framework of the simulated device's time, or nil on the live machine.
  private let era: FrameworkEra?
  private let folder: String
  private let seed: UInt64
  private let recorder: StepRecorder
  private let work: (main: WorkLedger, all: WorkLedger)
  /// The counts of work at the beginning of the story.
  private let before = Guarded<[(onMain: Int, onAll: Int)]>([])

  /// The contexts of the program.
  private let contexts = Guarded<[ManagedObjectContext]>([])

  init(
    _ machine: SideMachine, era: FrameworkEra?, folder: String, seed: UInt64, recorder: StepRecorder,
    work: (main: WorkLedger, all: WorkLedger)
  ) {
    sideMachine = machine
    self.era = era
    self.folder = folder
    self.seed = seed
    self.recorder = recorder
    self.work = work
  }

  /// Returns a generator of random numbers for one purpose, which follows from the schedule seed.
  package func random(for purpose: String) -> SeededRandom {
    SeededRandom(seed: seed, stream: purpose)
  }

  /// The path of the store's file.
  package var storePath: String { "\(folder)/store.sqlite" }

  /// The kinds of work whose counts a recording contains.
  static let countedWork: [Work.Kind] = [
    .perform, .statementRun, .rowStepped, .rowScanned, .objectRegistered, .faultFired, .objectTested, .objectPushed,
    .insertionPushed, .insertionMerged, .changeMergedRealised, .recordDecoded, .commit,
  ]
}

// MARK: - Stacks

extension Bench {
  /// Creates a coordinator over the store's file, which the first coordinator makes, with the settings of the framework
  /// of the simulated device's time. On the live machine the store has a write-ahead log and four connections for
  /// readers, as on current devices.
  ///
  /// - Parameters:
  ///   - model: The model of the store.
  ///   - connections: The number of connections for readers, or nil for the number of the device's time.
  ///   - usesLog: True if the store has a write-ahead log even if the device's time had none.
  ///   - keepsHistory: True if the store keeps persistent history.
  ///   - checksConcurrency: True if contexts trap when they are used off their queues.
  /// - Returns: The coordinator.
  /// - Throws: `PersistenceError` if the store cannot be created.
  package func makeCoordinator(
    _ model: ManagedObjectModel = Notes.model, connections: Int? = nil, usesLog: Bool = false,
    keepsHistory: Bool = false, checksConcurrency: Bool = false
  ) throws(PersistenceError) -> PersistentStoreCoordinator {
    var random = SeededRandom(seed: seed, stream: "scenario store")
    var configuration = try SQLiteStoreConfiguration(
      path: storePath, poolSize: connections ?? era?.connectionPool ?? 4,
      journalModeName: usesLog ? "wal" : era?.journalMode ?? "wal", synchronousName: era?.synchronous ?? "normal")
    configuration.fullfsync = era?.fullfsync ?? false
    configuration.identifier = "scenario-\(random.below(1_000_000))"
    configuration.fileAccess = era == nil ? .direct : .counted(passesSyncsOn: false)
    configuration.tracksHistory = keepsHistory
    configuration.onConnectionUse = { [sideMachine] connection, use in
      if case .statement(let sql) = use { sideMachine.note(.statement(sql), connection) }
    }
    return PersistentStoreCoordinator(
      machine: machine, store: try SQLiteStore(machine, model: model, configuration: configuration),
      checksConcurrency: checksConcurrency)
  }
}

// MARK: - Contexts

extension Bench {
  /// Keeps a context until the end of the side, and returns it.
  ///
  /// Otherwise the optimiser would decide when a context is released, and with it its objects and query generation, so
  /// that debug and release builds would record different sides.
  package func keep(_ context: ManagedObjectContext) -> ManagedObjectContext {
    contexts.withLock { $0.append(context) }
    return context
  }

  /// Creates a coordinator with a context of the main queue, and keeps the context.
  package func makeMain() throws(PersistenceError) -> ManagedObjectContext {
    keep(ManagedObjectContext(.mainQueue, coordinator: try makeCoordinator(), name: "main"))
  }

  /// Creates a coordinator with a context of the main queue and one of a private queue, and keeps the contexts.
  package func makeMainAndWorker() throws(PersistenceError) -> (
    main: ManagedObjectContext, worker: ManagedObjectContext
  ) {
    let main = try makeMain()
    return (main, keep(ManagedObjectContext(.privateQueue, coordinator: main.coordinator, name: "worker")))
  }

  /// Releases the contexts. Call it on a thread of the machine, since a context reports work when it is released.
  func releaseContexts() {
    let kept = contexts.withLock { contexts in
      defer { contexts = [] }
      return contexts
    }
    withExtendedLifetime(kept) {}
  }
}

// MARK: - The course of a program

extension Bench {
  /// Ends the preparations. The story and its counts begin here.
  package func begin() {
    before.withLock { $0 = counts }
    recorder.add(.began, on: machine)
  }

  /// Blocks until everything that the program posted has come to rest, and ends the story. Afterwards the program may
  /// only observe.
  ///
  /// - Throws: An error that ends the program if threads of a live machine wait for each other in a circle.
  package func rest() throws {
    try sideMachine.rest()
    noteWork()
    recorder.add(.rested, on: machine)
  }

  /// Notes a call that the machine does not record, such as the insertion of an object.
  package func note(_ call: String) {
    recorder.add(.called(call), on: machine)
  }

  /// Uses processor time on the calling thread.
  package func spend(_ span: TimeSpan) { sideMachine.spend(span) }

  /// Blocks until the clock reads a number of milliseconds after the call.
  package func wait(milliseconds: Int64) {
    machine.wait(until: machine.now + .milliseconds(milliseconds))
  }

  /// Runs a call that may fail, and notes its error.
  ///
  /// - Parameters:
  ///   - call: The words of the story for the call.
  ///   - body: The call.
  /// - Returns: The result of the call, or nil if it failed.
  @discardableResult
  package func attempt<Result>(_ call: String, _ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch let error as PersistenceError {
      recorder.noteFailure(of: error)
      recorder.add(.failed(Note.Failure(call, error)), on: machine)
    } catch {
      recorder.add(.failed(Note.Failure(call: call, code: 0, message: "\(error)", objects: [])), on: machine)
    }
    return nil
  }

  /// Notes a value that the program found, and the value that is right.
  package func observe(
    _ name: String, _ found: some CustomStringConvertible, right: (any CustomStringConvertible)? = nil
  ) {
    recorder.add(
      .observed(Note.Observation(name: name, found: "\(found)", right: right.map { "\($0)" })), on: machine)
  }

  /// Runs a part of the program and notes the time that it took.
  package func measure<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
    let start = machine.now
    let result = try body()
    recorder.add(.measured(name: name, span: machine.now - start), on: machine)
    return result
  }

  /// Notes the work that was done since the beginning.
  private func noteWork() {
    let before = before.withLock { $0 }
    for (index, kind) in Self.countedWork.enumerated() {
      let now = counts[index]
      guard now.onAll > before[index].onAll else { continue }
      recorder.add(
        .worked(
          kind: "\(kind)", onMain: now.onMain - before[index].onMain, onAll: now.onAll - before[index].onAll),
        on: machine)
    }
  }

  private var counts: [(onMain: Int, onAll: Int)] {
    Self.countedWork.map { (work.main.count($0), work.all.count($0)) }
  }
}

extension Note.Failure {
  init(_ call: String, _ error: PersistenceError) {
    let conflicts = error.conflicts.map { conflict in
      "\(Notes.name(conflict.objectID)) (version \(conflict.oldVersion) was read, "
        + (conflict.newVersion == 0 ? "the row is deleted)" : "version \(conflict.newVersion) is stored)")
    }
    let objects = conflicts.isEmpty ? error.objectIDs.map(Notes.name) : conflicts
    self.init(call: call, code: error.code.rawValue, message: error.message, objects: objects)
  }
}
