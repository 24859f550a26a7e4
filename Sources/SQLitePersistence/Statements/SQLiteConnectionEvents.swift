import ContextEngine
import Glibc
import MachineCore

/// The events that SQLite reports to a connection while it works, and the work of the connection that has not been
/// reported to the machine yet.
///
/// Like the connection, it belongs to the connection's current owner.
final class SQLiteConnectionEvents {
  private let machine: any Machine
  private let recorder: any ActivityRecorder
  private let busyLimit: TimeSpan
  private let onStatement: (@Sendable (_ sql: String) -> Void)?
  private let onBusy: (@Sendable () -> Void)?
  private let onConnectionUse: (@Sendable (_ connection: String, SQLiteStoreConfiguration.ConnectionUse) -> Void)?
  /// The name of the connection in traces, which the pool sets.
  var label = ""
  /// The time at which the current wait for a lock began.
  private var waitingSince = Instant(nanoseconds: 0)
  /// The asynchronous fetch for which the connection reads, and the number of its rows that have been read.
  private var followed: (progress: FetchProgress, rowCount: Int)?
  /// The texts that are shown for statements with another text, as zero-terminated strings, by the texts of SQLite.
  private var shownTexts: [UnsafePointer<CChar>: UnsafeMutablePointer<CChar>] = [:]
  /// Indicates whether statements wait for locks. This is false while a store closes: a file that is locked then is
  /// left to the owner of the lock.
  var waitsForLocks = true

  /// The running statement that was last noted on the machine, and the number of statements that had been prepared by
  /// then. As long as that number is unchanged, no other text can have taken the address of this text.
  private var noted: (text: UnsafePointer<CChar>, preparedCount: Int)?
  /// Indicates whether work is reported. This is false while a connection is opened, since that work does not belong to
  /// a request.
  private var isReporting = false
  private(set) var statementsRun = 0
  var statementsPrepared = 0
  var valuesBound = 0
  var keysListed = 0
  var indexEntriesWritten = 0
  var rowsStepped = 0
  /// The number of bytes of the values read: 8 for a number, the number of UTF-8 bytes for a string, 0 for NULL.
  var bytesStepped = 0
  var requests = 0
  var rowsScanned = 0
  var rowsSorted = 0
  var rowsWritten = 0
  /// The number of bytes of the values bound to statements that wrote, counted in the same way.
  var bytesWritten = 0
  var batchRowsWritten = 0
  var textsTested = 0

  init(_ machine: any Machine, configuration: SQLiteStoreConfiguration) {
    self.machine = machine
    recorder = machine.recorder
    busyLimit = configuration.busyLimit
    onStatement = configuration.onStatement
    onBusy = configuration.onBusy
    onConnectionUse = configuration.onConnectionUse
  }

  deinit {
    for text in shownTexts.values { free(text) }
  }

  /// Replaces the text that observers see for a statement. With nil, they see the statement's own text again.
  func show(_ shown: String?, insteadOf text: UnsafePointer<CChar>?) {
    guard let text else { return }
    if let old = shownTexts.removeValue(forKey: text) { free(old) }
    shownTexts[text] = shown.flatMap { strdup($0) }
  }

  /// Discards the work of opening the connection, and starts to report work.
  func beginReporting() {
    statementsPrepared = 0
    valuesBound = 0
    keysListed = 0
    rowsScanned = 0
    isReporting = true
  }

  /// Reports all work since the last report to the machine. Called before the connection's lock is released.
  func report() {
    guard isReporting else { return }
    report(.storeRequest, count: &requests)
    report(.statementPrepared, count: &statementsPrepared)
    report(.statementRun, count: &statementsRun)
    report(.valueBound, count: &valuesBound)
    report(.keyListed, count: &keysListed)
    report(.rowStepped, count: &rowsStepped, bytes: &bytesStepped)
    report(.rowScanned, count: &rowsScanned)
    report(.rowSorted, count: &rowsSorted)
    report(.rowWritten, count: &rowsWritten, bytes: &bytesWritten)
    report(.indexEntryWritten, count: &indexEntriesWritten)
    report(.batchRowWritten, count: &batchRowsWritten)
    report(.textTested, count: &textsTested)
  }

  private func report(_ kind: Work.Kind, count: inout Int) {
    var noBytes = 0
    report(kind, count: &count, bytes: &noBytes)
  }

  private func report(_ kind: Work.Kind, count: inout Int, bytes: inout Int) {
    guard count > 0 else { return }
    machine.account(Work(kind, count: count, bytes: bytes))
    count = 0
    bytes = 0
  }
}

// MARK: - Callbacks

extension SQLiteConnectionEvents {
  /// Handles the beginning of a statement's run; `sql` is its text in SQLite.
  func statementBegins(_ sql: UnsafePointer<CChar>) {
    guard !Self.isPragma(sql) else { return }
    let text = shownTexts.isEmpty ? sql : shownTexts[sql].map { UnsafePointer($0) } ?? sql
    statementsRun += 1
    if noted?.text != text || noted?.preparedCount != statementsPrepared { note(text) }
    if let onStatement {
      onStatement(String(cString: text))
    }
    onConnectionUse?(label, .statement(String(cString: text)))
  }

  /// Handles the end of a request, when its statements have ended. Called before the work is reported.
  func requestEnds() {
    if noted == nil { return }
    noted = nil
    recorder.begin(nil, after: { unreportedWork(statementsBegun: 0) })
  }

  /// Notes the running statement on the machine, once for as long as the same statement runs repeatedly.
  private func note(_ text: UnsafePointer<CChar>) {
    // SQLite reports a trigger's statement as a comment. It counts as part of the statement that fired the trigger.
    if UInt8(bitPattern: text.pointee) == UInt8(ascii: "-") { return }
    noted = (text, statementsPrepared)
    recorder.begin(RunningStatement(text: text), after: { unreportedWork(statementsBegun: 1) })
  }

  /// Returns the work that has not been reported yet. `statementsBegun` is the number of counted statements that have
  /// not run yet; their runs are left out.
  private func unreportedWork(statementsBegun: Int) -> [Work] {
    guard isReporting else { return [] }
    return [
      Work(.storeRequest, count: requests), Work(.statementPrepared, count: statementsPrepared),
      Work(.statementRun, count: statementsRun - statementsBegun), Work(.valueBound, count: valuesBound),
      Work(.keyListed, count: keysListed), Work(.rowStepped, count: rowsStepped, bytes: bytesStepped),
      Work(.rowScanned, count: rowsScanned),
      Work(.rowSorted, count: rowsSorted), Work(.rowWritten, count: rowsWritten, bytes: bytesWritten),
      Work(.indexEntryWritten, count: indexEntriesWritten), Work(.batchRowWritten, count: batchRowsWritten),
      Work(.textTested, count: textsTested),
    ]
  }

  /// Starts to read for an asynchronous fetch or, if `progress` is nil, stops.
  func follow(_ progress: FetchProgress?) {
    followed = progress.map { ($0, 0) }
  }

  /// Handles a row that a statement has reached.
  func rowArrives() {
    guard let known = followed else { return }
    followed = (known.progress, known.rowCount + 1)
    known.progress.advance(to: known.rowCount + 1)
  }

  /// Indicates whether the asynchronous fetch has been cancelled.
  var isCancelled: Bool { followed?.progress.isCancelled ?? false }

  /// Handles the commit of a transaction that may have written and is about to become visible.
  ///
  /// The commit is reported with all work so far, and a call of the machine settles it while SQLite still holds the
  /// lock. The cost of a transaction, including the statement that commits it, has therefore passed before other
  /// connections can see the transaction.
  func transactionCommits() {
    report()
    machine.account(Work(.commit))
    _ = machine.now
  }

  /// Waits briefly for a lock that another connection holds. Returns false if the waiting time is over, or if
  /// statements do not wait for locks.
  ///
  /// The first wait takes 0.1 ms, and each further one twice as long, up to 5 ms. A released lock is therefore noticed
  /// soon, and a long wait does not spin.
  func waitForLock(attempt: Int32) -> Bool {
    guard waitsForLocks else { return false }
    let now = machine.now
    if attempt == 0 {
      waitingSince = now
      onBusy?()
    }
    let limit = waitingSince + busyLimit
    guard now < limit else { return false }
    let interval = min(TimeSpan.microseconds(100 << Int64(min(attempt, 10))), .milliseconds(5))
    machine.wait(until: min(now + interval, limit))
    return true
  }

  private static func isPragma(_ text: UnsafePointer<CChar>) -> Bool {
    // Few statements begin with P, so one comparison is nearly always enough. The zero at the end of the text ends the
    // loop.
    var position = text
    for character in "PRAGMA".utf8 {
      guard UInt8(bitPattern: position.pointee) & 0xdf == character else { return false }
      position += 1
    }
    return true
  }
}
