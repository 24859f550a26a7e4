import ContextEngine
import Foundation
import MachineCore
import MachineLive
import SQLitePersistence
import TestSupport
import Testing
import Topologies

/// A topology wired over a real store in a temporary folder, on the live machine, driven one step at a time.
///
/// Its steps are called from a thread that does not belong to the machine.
final class StackUnderTest: Sendable {
  struct Options: Sendable {
    /// The number of products that the store has at the start.
    var products = 20
    var screenEntities = [Product.entity.index]
    var laneCount = 1
    var poolSize = 4
    var hasBackgroundWork = false
  }

  let ledger = WorkLedger()
  let mainThread = MainThreadRecorder()
  let machine: LiveMachine
  let file: StoreFile
  let store: SQLiteStore
  /// The stores of all coordinators except the first one. They use the same file.
  let otherStores: [SQLiteStore]
  let screens: Screens
  let stack: WiredStack
  /// Every statement since the stack was wired.
  let statements: Journal<Statement>
  /// The events of contexts and rules, and each COMMIT, in order.
  let events: Journal<String>
  private let hook: Hook
  private let made: MadeContexts

  /// The closures that are called with statements. `body` is called with each one before it runs, on its thread.
  private final class Hook: Sendable {
    let body = Guarded<(@Sendable (Statement) -> Void)?>(nil)
    /// The closure that is called with each statement that meets a lock of another connection.
    let onBusy = Guarded<(@Sendable () -> Void)?>(nil)
  }

  /// The contexts made so far, parents before children. They are not retained, because they retain the store, whose
  /// callback retains this object.
  private final class MadeContexts: Sendable {
    struct Reference: Sendable {
      weak var context: ManagedObjectContext?
    }

    let list = Journal<Reference>()
    var living: [ManagedObjectContext] { list.entries.compactMap(\.context) }

    /// The names of the contexts whose queues the calling thread holds.
    var heldNames: [String] {
      var names: [String] = []
      for context in living where context.queue.isCurrent && !names.contains(context.name) {
        names.append(context.name)
      }
      return names
    }
  }

  /// Creates a stack on a live machine, with products in its store. `onMake` is called with each context of the stack
  /// before it is used.
  init(
    _ topology: Topology, _ options: Options = Options(),
    onMake: @escaping @Sendable (ManagedObjectContext) -> Void = { _ in }
  ) throws {
    let machine = LiveMachine(ledger: ledger, observer: mainThread)
    let statements = Journal<Statement>()
    let events = Journal<String>()
    let made = MadeContexts()
    let hook = Hook()
    let file = try StoreFile()
    let mainThreadID = machine.mainQueue.sync { pthread_self() }
    var configuration = SQLiteStoreConfiguration(
      path: file.path, poolSize: options.poolSize, synchronous: .off,
      onStatement: { sql in
        let place = Statement.Place(
          isOnMain: pthread_equal(pthread_self(), mainThreadID) != 0, holding: made.heldNames)
        let statement = Statement(sql: sql, place: place)
        // The statements of the queue of remote changes belong to no context.
        if !topology.otherCoordinators.isEmpty, !place.isOnMain, place.holding.isEmpty { return }
        statements.write(statement)
        if sql.hasPrefix("COMMIT") { events.write(place.isOnMain ? "COMMIT on main" : "COMMIT") }
        hook.body.withLock { $0 }?(statement)
      })
    configuration.onBusy = { hook.onBusy.withLock { $0 }?() }
    configuration.tracksHistory = !topology.otherCoordinators.isEmpty
    store = try SQLiteStore(machine, model: Catalogue.model, configuration: configuration)
    otherStores = try topology.otherCoordinators.map { [configuration] _ in
      try SQLiteStore(machine, model: Catalogue.model, configuration: configuration)
    }
    let coordinator = PersistentStoreCoordinator(machine: machine, store: store, checksConcurrency: true)
    let seeding = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "seeding")
    try seeding.performAndWait {
      try seeding.apply((0..<options.products).map { .insert($0) })
      try seeding.save()
    }
    screens = Screens(
      mainThread,
      onMake: { context in
        made.list.write(MadeContexts.Reference(context: context))
        Self.observe(context, events)
        onMake(context)
      }, onEvent: events.write)
    stack = WiredStack(
      topology, coordinator: coordinator,
      otherCoordinators: otherStores.map {
        PersistentStoreCoordinator(machine: machine, store: $0, checksConcurrency: true)
      },
      options: WiringOptions(
        mergePolicy: .objectTrump, laneCount: options.laneCount, screenEntities: options.screenEntities,
        hasBackgroundWork: options.hasBackgroundWork),
      delegate: screens)
    statements.clear()
    self.machine = machine
    self.file = file
    self.statements = statements
    self.events = events
    self.hook = hook
    self.made = made
  }

  private static func observe(_ context: ManagedObjectContext, _ events: Journal<String>) {
    _ = context.observeDidChange { events.write($0.sentence) }
    _ = context.observeDidSave { events.write($0.sentence) }
    _ = context.observeMerges { events.write("\($0.context.name) merge \($0.stage)") }
  }

  /// The contexts that exist at the moment, parents before children.
  var contexts: [ManagedObjectContext] { made.living }

  func uiContext(_ screen: Int = 0) -> ManagedObjectContext { stack.uiContext(ofScreen: screen) }

  /// Calls `body` with each statement before it runs, on its thread.
  func onStatement(_ body: (@Sendable (Statement) -> Void)?) {
    hook.body.withLock { $0 = body }
  }

  /// Calls `body` with each statement that meets a lock of another connection, before it waits.
  func onBusy(_ body: (@Sendable () -> Void)?) {
    hook.onBusy.withLock { $0 = body }
  }

  // MARK: Steps

  /// Posts a payload's units, each a block of the import's context, and returns at once.
  func post(_ units: [[Change]], number: Int = 0) {
    let context = stack.beginPayload(lane: 0)
    let entities = Set(units.joined().map(\.entity.index)).sorted()
    for (index, unit) in units.enumerated() {
      context.post { [self] in
        machine.recorder.during(.importing) {
          do throws(PersistenceError) {
            try context.apply(unit)
            try context.save()
          } catch {
            screens.failures.write("\(error)")
          }
        }
        if index == units.count - 1 { stack.payloadImported(number, touching: entities) }
      }
    }
  }

  /// Imports a payload and waits until all its work has ended.
  func importPayload(_ units: [[Change]], number: Int = 0) {
    post(units, number: number)
    settle()
  }

  /// Sets the note of a product in a screen's context, or in a form, and saves that, in one block of the main queue. It
  /// does not wait for the work that follows.
  func edit(_ id: Int, note: String, screen: Int = 0) throws {
    let context = uiContext(screen)
    try onMain {
      try machine.recorder.during(.edit) {
        try context.event {
          let product = try #require(try context.products([id]).first)
          let form = stack.beginEdit(ofScreen: screen)
          guard form !== context else {
            product[Product.note] = .string(note)
            return try context.save()
          }
          try form.event {
            form.object(with: product.objectID)[Product.note] = .string(note)
            try stack.saveEdit(in: form, ofScreen: screen)
          }
        }
      }
    }
  }

  /// Opens all screens, each in an event of its context.
  func openScreens() throws {
    for screen in stack.options.screenEntities.indices {
      try onMain { try uiContext(screen).event { try screens.open(screen, stack) } }
    }
  }

  func onMain<Result>(_ body: () throws -> Result) rethrows -> Result {
    try machine.mainQueue.sync(body)
  }

  /// Waits until every queue has run its blocks and all blocks that follow from them.
  ///
  /// A rule posts at most one block for each event that it reacts to, and a chain of rules is at most as long as the
  /// number of contexts.
  func settle(sourceLocation: SourceLocation = #_sourceLocation) {
    waitForMerges()
    let dirty = contexts.filter(\.isDirty).map(\.name)
    #expect(dirty.isEmpty, "unsaved changes are left", sourceLocation: sourceLocation)
    #expect(screens.failures.entries.isEmpty, sourceLocation: sourceLocation)
  }

  /// Waits as `settle()` does, and leaves unsaved changes alone.
  func waitForMerges() {
    repeat {
      for _ in 0...contexts.count {
        for context in contexts.reversed() { context.run {} }
      }
    } while !hasMergedRemoteChanges
  }

  /// True if no remote change waits to be merged.
  private var hasMergedRemoteChanges: Bool {
    do throws(PersistenceError) {
      return try stack.hasMergedRemoteChanges()
    } catch {
      screens.failures.write("\(error)")
      return true
    }
  }

  /// Runs a body with a new context on the store.
  func inStore<Result>(_ body: (ManagedObjectContext) throws -> Result) throws -> Result {
    let context = ManagedObjectContext(.privateQueue, coordinator: stack.coordinator, name: "reading")
    return try context.performAndWait { try body(context) }
  }
}

// MARK: - Sentences

extension ChangeNotification {
  fileprivate var sentence: String {
    let counts = [
      (inserted.count, "inserted"), (updated.count, "updated"), (deleted.count, "deleted"),
      (refreshed.count, "refreshed"),
    ]
    let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return (["\(context.name) did-change, \(origin.sentence)"] + parts).joined(separator: ", ")
  }
}

extension ChangeNotification.Origin {
  fileprivate var sentence: String {
    switch self {
    case .processing: "own"
    case .push(let child): "push from \(child.name)"
    case .merge: "merge"
    case .reset: "reset"
    }
  }
}

extension SaveNotification {
  fileprivate var sentence: String {
    let kinds = Set(insertedIDs.map { $0.isTemporaryID ? "temporary" : "permanent" }).sorted()
    return (["\(context.name) did-save"] + kinds).joined(separator: ", ")
  }
}

extension Topology: CustomTestStringConvertible {
  /// The name of the test's argument in its output.
  public var testDescription: String { title }
}

/// Topologies, grouped by their properties.
enum Those {
  /// The topologies whose UI context receives each save, so that their controllers follow it.
  static let following = Topology.known.filter { topology in
    !topology.tolerates.contains(.staleRows) && !topology.rules.contains { $0.trigger == .payloadImported }
  }

  /// The topologies whose UI context merges saves.
  static let merging = Topology.known.filter(\.mergesSaves)

  /// The merging topologies whose UI context ignores changes of objects that it has not realised.
  static let passingOver = merging.filter { topology in
    topology.otherCoordinators.isEmpty
      && topology.context(named: topology.uiContext)?.firesUpdatedObjectsBeforeMerging == false
  }

  /// The topologies whose import writes off the main thread.
  static let writingOffMain = Topology.known.filter { $0.chain(from: $0.importContext).last?.queue == .private }
}
