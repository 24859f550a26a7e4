import ContextEngine
import MachineCore

/// What SQLite tells a connection while it works, and what the connection's work adds up to until it is reported.
///
/// Belongs to the connection's owner of the moment, like the connection.
final class SQLiteConnectionEvents {
  private let machine: any Machine
  private let busyLimit: Span
  private let onStatement: (@Sendable (_ sql: String) -> Void)?
  private let onConnectionUse: (@Sendable (_ connection: String, SQLiteStoreConfiguration.ConnectionUse) -> Void)?
  /// Of the connection, as traces name it; set by the pool.
  var label = ""
  /// When the wait that is going on began.
  private var waitingSince = Instant(nanoseconds: 0)
  /// The asynchronous fetch that is read for, and how many rows of it have come.
  private var followed: (progress: FetchProgress, rowCount: Int)?
  /// Off while a store closes: what is locked then is left to whoever holds it.
  var waitsForLocks = true

  // Unchecked exclusivity: as for `SQLiteStatement`.
  /// The statement that the machine was told of last and that still runs, and how many had been prepared by then: as long
  /// as that is so, no other text can have come to lie where this one does.
  @exclusivity(unchecked)
  private var noted: (text: UnsafePointer<CChar>, preparedCount: Int)?
  /// Off while a connection is opened, which is no work of any request.
  @exclusivity(unchecked)
  private var isReporting = false
  @exclusivity(unchecked)
  private(set) var statementsRun = 0
  @exclusivity(unchecked)
  var statementsPrepared = 0
  @exclusivity(unchecked)
  var valuesBound = 0
  @exclusivity(unchecked)
  var keysListed = 0
  @exclusivity(unchecked)
  var indexEntriesWritten = 0
  @exclusivity(unchecked)
  var rowsStepped = 0
  /// Bytes of the values read: 8 a number, as many as its UTF-8 has a string, none for nothing.
  @exclusivity(unchecked)
  var bytesStepped = 0
  @exclusivity(unchecked)
  var requests = 0
  @exclusivity(unchecked)
  var rowsScanned = 0
  @exclusivity(unchecked)
  var rowsSorted = 0
  @exclusivity(unchecked)
  var rowsWritten = 0
  /// Bytes of the values bound to the statements that wrote, counted likewise.
  @exclusivity(unchecked)
  var bytesWritten = 0

  init(_ machine: any Machine, configuration: SQLiteStoreConfiguration) {
    self.machine = machine
    busyLimit = configuration.busyLimit
    onStatement = configuration.onStatement
    onConnectionUse = configuration.onConnectionUse
  }

  /// Forgets the work of opening and reports all that comes.
  func beginReporting() {
    statementsPrepared = 0
    valuesBound = 0
    keysListed = 0
    rowsScanned = 0
    isReporting = true
  }

  /// Hands the machine all work since the last report. Called before the connection's lock is given back.
  func report() {
    guard isReporting else { return }
    report(.storeRequest, &requests)
    report(.statementPrepared, &statementsPrepared)
    report(.statementRun, &statementsRun)
    report(.valueBound, &valuesBound)
    report(.keyListed, &keysListed)
    report(.rowStepped, &rowsStepped, &bytesStepped)
    report(.rowScanned, &rowsScanned)
    report(.rowSorted, &rowsSorted)
    report(.rowWritten, &rowsWritten, &bytesWritten)
    report(.indexEntryWritten, &indexEntriesWritten)
  }

  private func report(_ kind: Work.Kind, _ count: inout Int) {
    var noBytes = 0
    report(kind, &count, &noBytes)
  }

  private func report(_ kind: Work.Kind, _ count: inout Int, _ bytes: inout Int) {
    guard count > 0 else { return }
    machine.account(Work(kind, count: count, bytes: bytes))
    count = 0
    bytes = 0
  }
}

// MARK: - Callbacks

extension SQLiteConnectionEvents {
  /// A statement begins to run; `text` is its SQL.
  func statementBegins(_ text: UnsafePointer<CChar>) {
    guard !Self.isPragma(text) else { return }
    statementsRun += 1
    if noted?.text != text || noted?.preparedCount != statementsPrepared { note(text) }
    if let onStatement {
      onStatement(String(cString: text))
    }
    onConnectionUse?(label, .statement(String(cString: text)))
  }

  /// The request has done its work: no statement runs any more. Called before the work is reported.
  func requestEnds() {
    if noted == nil { return }
    noted = nil
    machine.note(statement: nil, after: { unreportedWork(statementsBegun: 0) })
  }

  /// Tells the machine which statement runs, once for as long as it runs over and over.
  private func note(_ text: UnsafePointer<CChar>) {
    // What a trigger does comes as a comment, and counts as part of the statement that set it off.
    if UInt8(bitPattern: text.pointee) == UInt8(ascii: "-") { return }
    noted = (text, statementsPrepared)
    machine.note(statement: text, after: { unreportedWork(statementsBegun: 1) })
  }

  /// - Parameter statementsBegun: how many that have been counted have not run yet.
  private func unreportedWork(statementsBegun: Int) -> [Work] {
    guard isReporting else { return [] }
    return [
      Work(.storeRequest, count: requests), Work(.statementPrepared, count: statementsPrepared),
      Work(.statementRun, count: statementsRun - statementsBegun), Work(.valueBound, count: valuesBound),
      Work(.keyListed, count: keysListed), Work(.rowStepped, count: rowsStepped, bytes: bytesStepped),
      Work(.rowScanned, count: rowsScanned),
      Work(.rowSorted, count: rowsSorted), Work(.rowWritten, count: rowsWritten, bytes: bytesWritten),
      Work(.indexEntryWritten, count: indexEntriesWritten),
    ]
  }

  /// What is read from here on is for an asynchronous fetch, or no longer.
  func follow(_ progress: FetchProgress?) {
    followed = progress.map { ($0, 0) }
  }

  /// A statement has come to a row.
  func rowArrives() {
    guard let known = followed else { return }
    followed = (known.progress, known.rowCount + 1)
    known.progress.advance(to: known.rowCount + 1)
  }

  /// Whether whoever waits for the rows has given up.
  var isCancelled: Bool { followed?.progress.isCancelled ?? false }

  /// A transaction that may have written is about to become visible.
  ///
  /// Reported with all work so far and settled by a call of the machine, while SQLite still holds the lock: what a
  /// transaction costs has passed before others can see it, the statement that commits it included.
  func transactionCommits() {
    report()
    machine.account(Work(.commit))
    _ = machine.now
  }

  /// Waits a little for a lock that another connection holds; false = long enough.
  ///
  /// Waits 0.1 ms at first, twice as long each time, at most 5 ms: a lock given back is noticed soon, and a long wait
  /// does not spin.
  func waitForLock(attempt: Int32) -> Bool {
    guard waitsForLocks else { return false }
    let now = machine.now
    if attempt == 0 { waitingSince = now }
    let limit = waitingSince + busyLimit
    guard now < limit else { return false }
    let interval = min(Span.microseconds(100 << Int64(min(attempt, 10))), .milliseconds(5))
    machine.wait(until: min(now + interval, limit))
    return true
  }

  private static func isPragma(_ text: UnsafePointer<CChar>) -> Bool {
    // Statements that begin with P are rare: one comparison decides nearly always. Zero ends the text and the loop.
    var position = text
    for character in "PRAGMA".utf8 {
      guard UInt8(bitPattern: position.pointee) & 0xdf == character else { return false }
      position += 1
    }
    return true
  }
}
