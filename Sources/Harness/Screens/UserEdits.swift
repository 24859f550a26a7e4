import ContextEngine
import MachineCore
import Metrics
import Topologies
import Workloads

/// The edits of a user, who changes the note of a visible row, or of several rows, and saves at fixed intervals.
///
/// Each edit has an intended instant, which does not depend on earlier edits (open loop). If the main queue is busy
/// then, the edit waits, and the wait is part of its response time.
///
/// If the stack has forms, the user opens a form for each edit, and cancels every third form. A cancelled edit is not
/// acknowledged and has no response time; its note must not appear anywhere.
final class UserEdits: Sendable {
  private let machine: any Machine
  private let options: RunOptions
  private let stack: WiredStack
  private let screens: [Screen]
  private let ledger: EditLedger
  private let tracker: FreshnessTracker
  private let archive: WorkloadArchive
  private let queue: any SerialQueue
  private let windowStart: Instant
  /// The number of the first edit.
  private let first: Int
  private let journalFile: AppJournal?
  /// The computations whose dialogs keep the user from editing, or nil if the run has none.
  private let inFlight: WorkInFlight?
  private let state: Guarded<State>

  private struct State {
    var isStopped = false
    /// The number of edits that were posted to the main queue and have not been made.
    var underWayCount = 0
    /// The number of the next edit.
    var next: Int
    var journal = EditJournal()
    var failure: PersistenceError?
  }

  /// The number of attempts to save an edit under the error policy.
  private static let attemptLimit = 5

  init(
    machine: any Machine, options: RunOptions, stack: WiredStack, screens: [Screen], archive: WorkloadArchive,
    windowStart: Instant, ledger: EditLedger, tracker: FreshnessTracker, journal: AppJournal?,
    inFlight: WorkInFlight? = nil, first: Int = 0
  ) {
    self.first = first
    state = Guarded(State(next: first))
    self.inFlight = inFlight
    journalFile = journal
    self.machine = machine
    self.options = options
    self.stack = stack
    self.screens = screens
    self.archive = archive
    self.windowStart = windowStart
    self.ledger = ledger
    self.tracker = tracker
    queue = machine.makeSerialQueue(label: "user")
  }

  private static let notePrefix = "edit "

  /// Returns the note that an edit writes.
  static func note(ofEdit edit: Int) -> String { notePrefix + "\(edit)" }

  /// Returns the number of the edit that wrote a note, or nil if no edit wrote it.
  static func number(ofNote note: String) -> Int? {
    note.hasPrefix(notePrefix) ? Int(note.dropFirst(notePrefix.count)) : nil
  }

  /// Schedules the first edit, and returns at once.
  func start() {
    guard options.userEditInterval > .zero, !screens.isEmpty else { return }
    schedule(first, random: SeededRandom(seed: options.seed, stream: "edits"))
  }

  /// Prevents further edits. An edit that is already on the main queue still runs; see `isIdle`.
  func stop() {
    state.withLock { $0.isStopped = true }
  }

  /// True if no further edit is due.
  var hasStopped: Bool { state.withLock { $0.isStopped } }

  /// The number of the edit that is due next.
  var next: Int { state.withLock { $0.next } }

  /// True if no edit waits on the main queue.
  var isIdle: Bool { state.withLock { $0.underWayCount == 0 } }

  /// The acknowledged edits, in order.
  var journal: EditJournal { state.withLock { $0.journal } }

  /// The error of an edit that could not be saved, or nil if no edit has failed.
  var failure: PersistenceError? { state.withLock { $0.failure } }

  /// Schedules an edit. The k-th edit is due at w₀ + k intervals + a seeded offset below one refresh interval, where k is
  /// counted from 0.
  private func schedule(_ edit: Int, random: SeededRandom) {
    var random = random
    let offset = TimeSpan(nanoseconds: Int64(random.below(1_000_000_000 / options.refreshRate)))
    let due = windowStart + options.userEditInterval * Int64(edit - first) + offset
    let next = random
    queue.async(at: due) { [self] in
      let isDue = state.withLock { state in
        if !state.isStopped { (state.underWayCount, state.next) = (state.underWayCount + 1, edit + 1) }
        return !state.isStopped
      }
      guard isDue else { return }
      let action: @Sendable () -> Void = { [self] in
        perform(edit, intended: due)
        state.withLock { $0.underWayCount -= 1 }
      }
      machine.mainQueue.async { [self] in
        if let inFlight { inFlight.whenNotModal(action) } else { action() }
      }
      schedule(edit + 1, random: next)
    }
  }
}

// MARK: - One edit

extension UserEdits {
  private func perform(_ edit: Int, intended: Instant) {
    let screen = screens[edit % screens.count]
    machine.recorder.during(.edit, of: 1, in: screen.context.name) {
      screen.context.event {
        guard screen.entity.edited != nil else { return }
        let rows = editableRows(of: screen)
        guard !rows.isEmpty else { return }
        let context = stack.beginEdit(ofScreen: screen.number)
        guard context === screen.context || !Self.isCancelled(edit) else {
          cancel(edit, on: rows, in: context, screen: screen)
          return
        }
        let isBeside = context !== screen.context && context.parent !== screen.context
        ledger.performed(edit, intended: intended, isHeld: !isBeside)
        tracker.enter(.edit(edit), in: context)
        do throws(PersistenceError) {
          try save(edit, on: rows, in: context, screen: screen)
        } catch {
          state.withLock { $0.failure = error }
        }
      }
    }
  }

  /// Returns the rows that an edit changes: the topmost visible ones that no payload deletes, and further rows below the
  /// visible ones if an edit changes more.
  private func editableRows(of screen: Screen) -> [ManagedObject] {
    let count = options.editRows
    var rows: [ManagedObject] = []
    for row in screen.visibleRows where rows.count < count && isEditable(row, on: screen) { rows.append(row) }
    guard rows.count < count else { return rows }
    for row in screen.rowsBelow where isEditable(row, on: screen) {
      rows.append(row)
      if rows.count == count { break }
    }
    return rows
  }

  private func isEditable(_ row: ManagedObject, on screen: Screen) -> Bool {
    guard !row.isDeleted, let key = key(of: row, screen) else { return false }
    return !archive.isEverDeleted(screen.entity.description.index, key)
  }

  private func key(of row: ManagedObject, _ screen: Screen) -> RecordKey? {
    screen.entity.key(of: row, among: archive.numberedRows)
  }

  /// Sets the note of rows in a context and saves the edit. Under the error policy, it rolls back, refreshes and
  /// retries, in a new form if the stack has forms.
  private func save(
    _ edit: Int, on rows: [ManagedObject], in first: ManagedObjectContext, screen: Screen
  ) throws(PersistenceError) {
    let note = Self.note(ofEdit: edit)
    var context = first
    for attempt in 1... {
      if attempt > 1 { context = stack.beginEdit(ofScreen: screen.number) }
      do throws(PersistenceError) {
        if context === screen.context {
          for row in rows { row[screen.entity.note] = .string(note) }
          try screen.context.save()
        } else {
          defer { tracker.forget(context) }
          try context.event { () throws(PersistenceError) in
            for row in rows { context.object(with: row.objectID)[screen.entity.note] = .string(note) }
            try stack.saveEdit(in: context, ofScreen: screen.number)
          }
        }
        for row in rows { acknowledge(edit, on: row, note: note, screen: screen) }
        return
      } catch {
        guard error.code == .managedObjectMerge, attempt < Self.attemptLimit else { throw error }
        screen.context.rollback()
        for row in rows { try screen.context.refresh(row, mergeChanges: false) }
      }
    }
  }

  /// Sets the note of rows in a form, and discards the form.
  private func cancel(_ edit: Int, on rows: [ManagedObject], in form: ManagedObjectContext, screen: Screen) {
    form.event {
      for row in rows { form.object(with: row.objectID)[screen.entity.note] = .string(Self.note(ofEdit: edit)) }
    }
    tracker.forget(form)
  }

  /// Returns true if the user cancels the form of an edit.
  static func isCancelled(_ edit: Int) -> Bool { edit % cancelledShare == cancelledShare - 1 }

  /// The number of forms of which the user cancels one.
  private static let cancelledShare = 3

  private func acknowledge(_ edit: Int, on row: ManagedObject, note: String, screen: Screen) {
    guard let key = key(of: row, screen) else { return }
    let entity = screen.entity.description
    ledger.acknowledged(.init(edit: edit, entity: entity.name, key: key.description, value: note), at: machine.now)
    state.withLock { $0.journal.append(.init(entity: entity.index, key: key, value: note)) }
    journalFile?.write(.acknowledged(edit: edit, entity: entity.index, key: AppJournal.Key(key)))
  }
}
