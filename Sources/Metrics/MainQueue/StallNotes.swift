import MachineCore

/// What the main thread has done since the tick whose frame is to come: times and objects by label and context, waits, and
/// SQL statements.
///
/// Begun anew at that tick and read when the frame starts, so that it stays as small as there are contexts and statements,
/// however long a stall lasts. An event costs an addition; nothing is kept per event.
struct StallNotes {
  private static let labelCount = TimeLabel.allCases.count

  /// The names of contexts by their numbers; 0 is none.
  private var contexts = [""]
  // By context, then label: a cell each.
  private var times: UnsafeMutablePointer<Int64>
  private var objectCounts: UnsafeMutablePointer<Int>
  private var contextCapacity = 8
  /// Where the time goes now.
  private var cell = Int(TimeLabel.idle.rawValue)
  private var context = 0
  /// What is open, innermost last.
  private var open: [Open] = []

  /// The queue or lock and its holder's doing, with how long it was waited for.
  private var waits: [Wait] = []
  private var openWait: (index: Int, since: Int64)?

  private(set) var statements = StatementNotes()

  private struct Open {
    /// Where its own time goes.
    var cell: Int
    /// Where time goes, and the context, when it has ended.
    var outerCell: Int
    var outerContext: Int
    /// What it is about; 0 also of what only goes on with the activity around it.
    var objectCount = 0
    /// Whether the activity around it counts as the same: then its objects are that one's.
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

  /// Forgets everything but what is open.
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

  /// Between blocks, or at the beginning of one: nothing is open.
  @inline(__always)
  mutating func rest(in label: TimeLabel) {
    open.removeAll(keepingCapacity: true)
    context = 0
    cell = Int(label.rawValue)
  }
}

// MARK: - Activities and waits

extension StallNotes {
  /// An activity begins, or a wait; `label` is the one that holds inside it, `outer` the one that held until now.
  mutating func began(_ label: TimeLabel, outer: TimeLabel, of objectCount: Int, in name: String?) {
    let (outerCell, outerContext) = (cell, context)
    // What goes on with the same, such as a fetch by which a parent context answers a fetch, is the outermost one's.
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

  /// The innermost activity is about so many objects more.
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

  mutating func statementBegan(_ text: UnsafePointer<CChar>?, at instant: Int64) {
    statements.began(text, at: instant)
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
  /// Why the time since the restart was spent, most of it with `cause`; at equal times what came first.
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
      reason.waited = Span(nanoseconds: wait.time)
    }
    return reason
  }
}
