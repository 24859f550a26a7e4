import MachineCore

/// The main thread's work since the tick of the next frame: times and objects by label and context, waits, and SQL
/// statements.
///
/// The notes are restarted at that tick and read when the frame starts. Their size depends on the number of contexts
/// and statements, not on the length of a stall. An event costs an addition; events themselves are not kept.
struct StallNotes {
  private static let labelCount = TimeLabel.allCases.count

  /// The names of contexts by their numbers; number 0 represents the absence of a context.
  private var contexts = [""]
  // The cells: one for each label of each context, ordered by context and then by label.
  private var times: UnsafeMutablePointer<Int64>
  private var objectCounts: UnsafeMutablePointer<Int>
  private var contextCapacity = 8
  /// The index of the cell to which passing time is added.
  private var cell = Int(TimeLabel.idle.rawValue)
  private var context = 0
  /// The open activities and waits, innermost last.
  private var open: [Open] = []

  /// The waits, one for each pair of a queue or lock and its holder's state, with their total times.
  private var waits: [Wait] = []
  private var openWait: (index: Int, since: Int64)?

  private(set) var statements = StatementNotes()

  private struct Open {
    /// The index of the cell to which the time of the entry itself is added.
    var cell: Int
    /// The index of the cell to which time is added after the entry has ended.
    var outerCell: Int
    var outerContext: Int
    /// The number of objects that the activity concerns; 0 for a nested entry.
    var objectCount = 0
    /// Indicates whether the surrounding activity has the same label and therefore keeps the objects' number.
    var isNested: Bool
  }

  private struct Wait {
    var label: String
    var holder: TurnHolder?
    var time: Int64 = 0
  }

  init() {
    let count = contextCapacity * Self.labelCount
    times = .allocate(capacity: count)
    times.initialize(repeating: 0, count: count)
    objectCounts = .allocate(capacity: count)
    objectCounts.initialize(repeating: 0, count: count)
    open.reserveCapacity(64)
  }

  func deallocate() {
    times.deallocate()
    objectCounts.deallocate()
    statements.deallocate()
  }
}

// MARK: - Time

extension StallNotes {
  @inline(__always)
  func passed(_ nanoseconds: Int64) {
    times[cell] &+= nanoseconds
  }

  /// Resets all notes except for the open entries.
  mutating func restart(at instant: Int64) {
    let count = contexts.count * Self.labelCount
    times.update(repeating: 0, count: count)
    objectCounts.update(repeating: 0, count: count)
    for entry in open { objectCounts[entry.cell] += entry.objectCount }
    let waiting = openWait.map { waits[$0.index] }
    waits.removeAll(keepingCapacity: true)
    if var waiting {
      waiting.time = 0
      waits.append(waiting)
      openWait = (0, instant)
    }
  }

  /// Empties the stack of open entries, between blocks or at the beginning of one.
  @inline(__always)
  mutating func rest(in label: TimeLabel) {
    open.removeAll(keepingCapacity: true)
    context = 0
    cell = Int(label.rawValue)
  }
}

// MARK: - Activities and waits

extension StallNotes {
  /// Records the beginning of an activity or a wait.
  ///
  /// - Parameters:
  ///   - label: The label that applies inside it.
  ///   - outer: The label that applied until now.
  ///   - objectCount: The number of objects that it concerns.
  ///   - name: The name of its context, or nil if it has no context. It is not used if `label` is the same as `outer`
  ///     and a context is known, because the outermost context then counts.
  mutating func began(_ label: TimeLabel, outer: TimeLabel, of objectCount: Int, in name: String?) {
    let (outerCell, outerContext) = (cell, context)
    // An entry of the same label, such as a fetch by which a parent context answers a fetch, belongs to the outermost
    // context.
    if let name, label != outer || context == 0 { context = number(ofContext: name) }
    cell = context &* Self.labelCount &+ Int(label.rawValue)
    open.append(Open(cell: cell, outerCell: outerCell, outerContext: outerContext, isNested: label == outer))
    if objectCount > 0 { noted(objectCount) }
  }

  @inline(__always)
  mutating func ended() {
    guard let entry = open.popLast() else { return }
    cell = entry.outerCell
    context = entry.outerContext
  }

  /// Adds to the number of objects that the innermost activity concerns, unless it is nested.
  mutating func noted(_ objectCount: Int) {
    guard let innermost = open.indices.last, !open[innermost].isNested else { return }
    open[innermost].objectCount += objectCount
    objectCounts[cell] += objectCount
  }

  mutating func waitBegan(for label: String, heldBy holder: TurnHolder?, at instant: Int64) {
    let known = waits.firstIndex { $0.label == label && $0.holder == holder }
    if known == nil { waits.append(Wait(label: label, holder: holder)) }
    openWait = (known ?? waits.count - 1, instant)
  }

  @inline(__always)
  mutating func waitEnded(at instant: Int64) {
    guard let wait = openWait else { return }
    waits[wait.index].time += instant - wait.since
    openWait = nil
  }

  mutating func statementBegan(_ statement: RunningStatement?, at instant: Int64) {
    statements.began(statement, at: instant)
  }

  mutating func restartStatements(at instant: Int64) {
    statements.restart(at: instant)
  }

  private mutating func number(ofContext name: String) -> Int {
    for number in 1..<max(1, contexts.count) where contexts[number] == name { return number }
    if contexts.count == contextCapacity { grow() }
    contexts.append(name)
    return contexts.count - 1
  }

  private mutating func grow() {
    let old = contextCapacity * Self.labelCount
    contextCapacity *= 2
    times = Self.grown(times, from: old)
    objectCounts = Self.grown(objectCounts, from: old)
  }

  private static func grown<Number: FixedWidthInteger>(
    _ cells: UnsafeMutablePointer<Number>, from count: Int
  ) -> UnsafeMutablePointer<Number> {
    let grown = UnsafeMutablePointer<Number>.allocate(capacity: 2 * count)
    grown.moveInitialize(from: cells, count: count)
    (grown + count).initialize(repeating: 0, count: count)
    cells.deallocate()
    return grown
  }
}

// MARK: - The reason

extension StallNotes {
  /// Returns the reason for the time since the restart, most of which was spent with the label `cause`. Of equal times,
  /// the one that was recorded first counts.
  func reason(for cause: TimeLabel) -> StallReason {
    var reason = StallReason()
    var longest: Int64 = 0
    for context in contexts.indices {
      let cell = context * Self.labelCount + Int(cause.rawValue)
      guard times[cell] > longest else { continue }
      longest = times[cell]
      reason.context = context == 0 ? nil : contexts[context]
      reason.objectCount = objectCounts[cell] > 0 ? objectCounts[cell] : nil
    }
    reason.statement = statements.longest
    var parked: Int64 = 0
    for wait in waits where wait.time > parked {
      parked = wait.time
      reason.waitedFor = StallReason.text(of: wait.label, heldBy: wait.holder)
      reason.waited = TimeSpan(nanoseconds: wait.time)
    }
    return reason
  }
}
