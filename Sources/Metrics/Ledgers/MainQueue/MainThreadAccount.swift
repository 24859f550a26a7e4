import MachineCore

/// An account of the main thread's time, cut into labelled intervals that are summed up tick by tick as they pass.
///
/// `MainQueueLedger` keeps the only instance, which has no locks. An event costs an addition and a stack operation;
/// events themselves are not kept. Time is cut at the ticks and at w₀, so the sums between w₀ and any tick are exact.
struct MainThreadAccount {
  // The segments of time: segment 0 lies before t₀, and segment 1 + k is the interval after tick k, up to the interval
  // that w₀ divides in two. From its second part on, the numbers are greater by one.
  private var schedule: TickSchedule?
  /// The segment that ends at w₀.
  private var segmentBeforeWindow = Int.max
  private var segment = 0
  private var segmentEnd = Int64.max
  /// The instant up to which time has been summed up.
  private var cursor: Int64 = 0

  // The sums of each segment, `stride` numbers each: the labels' nanoseconds by raw value, then both kinds of CPU time,
  // then the number of SQL statements.
  private var sums: UnsafeMutablePointer<Int64>
  private var segmentCapacity: Int
  private static let labelCount = TimeLabel.allCases.count
  private static let stride = labelCount + 3
  private static let mainCPU = labelCount
  private static let frameCPU = labelCount + 1
  private static let statements = labelCount + 2

  // The labels of the open block, activities and waits; the top is `label`.
  private var label = TimeLabel.idle
  private var enclosing: UnsafeMutablePointer<TimeLabel>
  private var depth = 0
  private var depthCapacity = 256

  /// The labels of activities by their numbers.
  private var activityLabels: [TimeLabel?] = []

  // The open block.
  private(set) var isInBlock = false
  private var isFresh = false
  private var blockSegment = 0
  private var blockCPU: Int64 = 0
  private var isFrameBlock = false
  private var isFrameOpen = false
  /// The time that the open frame has waited.
  private var frameWait: Int64 = 0

  private(set) var frames: [PostedFrame] = []

  // The notes about the reason for which the next frame may start late.
  private var notes = StallNotes()
  /// The instant at which the tick of the next frame is due, or `Int64.max` once time has passed it. From that instant
  /// on, the notes describe the stall of that tick.
  private var notesStart = Int64.max
  /// The same instant for statements, whose instants run ahead of time.
  private var statementsStart = Int64.max
  /// The reasons for the frames that started more than one interval after their tick, keyed by the tick.
  private(set) var stallReasons: [Int: StallReason] = [:]

  init(tickCapacity: Int) {
    // The segments exceed the ticks by two, the one before t₀ and the one that w₀ cuts off; one more is spare.
    segmentCapacity = tickCapacity + 3
    sums = .allocate(capacity: segmentCapacity * Self.stride)
    sums.initialize(repeating: 0, count: segmentCapacity * Self.stride)
    enclosing = .allocate(capacity: depthCapacity)
    frames.reserveCapacity(tickCapacity)
  }

  func deallocate() {
    sums.deallocate()
    enclosing.deallocate()
    notes.deallocate()
  }

  mutating func start(_ schedule: TickSchedule) {
    guard self.schedule == nil else { trapMisuse("A main queue ledger measures one trial; it has already started.") }
    guard cursor <= schedule.start.nanoseconds else {
      trapMisuse("A main queue ledger must start before tick 0 is due.")
    }
    self.schedule = schedule
    segmentEnd = schedule.start.nanoseconds
    let windowTick = schedule.firstTick(atOrAfter: schedule.windowStart)
    segmentBeforeWindow = windowTick
    awaitTick(due: segmentEnd)
  }
}

// MARK: - Time

extension MainThreadAccount {
  /// Adds the time since the last event to the current label.
  @inline(__always)
  private mutating func pass(to instant: Int64) {
    if instant < segmentEnd {
      sums[segment &* Self.stride &+ Int(label.rawValue)] &+= instant &- cursor
      notes.passed(instant &- cursor)
      if label == .frameWait { frameWait &+= instant &- cursor }
      cursor = instant
    } else {
      passSegments(to: instant)
    }
  }

  @inline(never)
  private mutating func passSegments(to instant: Int64) {
    if label == .frameWait { frameWait += instant - cursor }
    while instant >= segmentEnd {
      sums[segment * Self.stride + Int(label.rawValue)] &+= segmentEnd &- cursor
      notes.passed(segmentEnd &- cursor)
      cursor = segmentEnd
      if cursor == notesStart { restartNotes() }
      segment += 1
      if segment == segmentCapacity { growSums() }
      segmentEnd = end(ofSegment: segment)
    }
    sums[segment * Self.stride + Int(label.rawValue)] += instant - cursor
    notes.passed(instant - cursor)
    cursor = instant
  }

  private func end(ofSegment segment: Int) -> Int64 {
    guard let schedule else { return .max }
    if segment < segmentBeforeWindow { return schedule.instant(ofTick: segment).nanoseconds }
    if segment == segmentBeforeWindow { return schedule.windowStart.nanoseconds }
    return schedule.instant(ofTick: segment - 1).nanoseconds
  }

  /// Returns the segment that begins at a tick.
  private func segment(ofTick tick: Int) -> Int {
    tick < segmentBeforeWindow ? tick + 1 : tick + 2
  }

  private mutating func growSums() {
    let old = segmentCapacity * Self.stride
    let grown = UnsafeMutablePointer<Int64>.allocate(capacity: 2 * old)
    grown.moveInitialize(from: sums, count: old)
    (grown + old).initialize(repeating: 0, count: old)
    sums.deallocate()
    sums = grown
    segmentCapacity *= 2
  }

  /// Returns the sums over a window whose end has passed. Traps if the window does not start at the schedule's w₀, does
  /// not end at a tick, or has not passed.
  func time(in window: Window) -> MainQueueTime {
    guard let schedule, window.start == schedule.windowStart else {
      trapMisuse("A main queue ledger has no sums for a time before its schedule's window.")
    }
    let endTick = schedule.firstTick(atOrAfter: window.end)
    guard schedule.instant(ofTick: endTick) == window.end else { trapMisuse("A window must end at a tick.") }
    guard cursor >= window.end.nanoseconds else {
      trapMisuse("The main queue must be observed until the window has ended.")
    }
    var time = MainQueueTime()
    for segment in (segmentBeforeWindow + 1)..<self.segment(ofTick: endTick) {
      let row = sums + segment * Self.stride
      for label in TimeLabel.allCases {
        time[label].nanoseconds += row[Int(label.rawValue)]
      }
      time.mainCPU.nanoseconds += row[Self.mainCPU]
      time.frameCPU.nanoseconds += row[Self.frameCPU]
      time.statementsCount += Int(row[Self.statements])
    }
    return time
  }
}

// MARK: - Blocks, activities, waits

extension MainThreadAccount {
  @inline(__always)
  mutating func blockBegan(at instant: Int64, cpu: Int64) {
    pass(to: instant)
    guard !isInBlock else { trapMisuse("A block of the main queue began inside another.") }
    isInBlock = true
    isFresh = true
    isFrameBlock = false
    blockSegment = segment
    blockCPU = cpu
    depth = 0
    label = .other
    notes.rest(in: label)
  }

  @inline(__always)
  mutating func blockEnded(at instant: Int64, cpu: Int64) {
    pass(to: instant)
    // A ledger that is installed inside a block receives the end of a block whose beginning it missed.
    guard isInBlock else { return }
    if isFrameOpen { trapMisuse("A frame's block ended before its frame did.") }
    sums[blockSegment * Self.stride + (isFrameBlock ? Self.frameCPU : Self.mainCPU)] += cpu - blockCPU
    isInBlock = false
    isFrameBlock = false
    depth = 0
    label = .idle
    notes.rest(in: label)
  }

  @inline(__always)
  mutating func activityBegan(_ activity: Activity, of objectCount: Int, in context: String?, at instant: Int64) {
    let own = label(of: activity)
    if isFresh || own == .frame { beginFirstActivity(own) }
    pass(to: instant)
    push(label.entering(own), of: objectCount, in: context)
  }

  mutating func objectsNoted(_ count: Int) {
    notes.noted(count)
  }

  mutating func statementBegan(_ statement: RunningStatement?, at instant: Int64) {
    if instant >= statementsStart { restartStatementNotes() }
    notes.statementBegan(statement, at: instant)
    if statement != nil { countStatement(at: instant) }
  }

  /// Counts a statement in the segment of its instant, which may lie ahead of the current segment.
  @inline(__always)
  private mutating func countStatement(at instant: Int64) {
    var place = segment
    var end = segmentEnd
    while instant >= end {
      place += 1
      if place == segmentCapacity { growSums() }
      end = self.end(ofSegment: place)
    }
    sums[place &* Self.stride &+ Self.statements] &+= 1
  }

  @inline(__always)
  mutating func waitBegan(for name: String, heldBy holder: TurnHolder?, at instant: Int64) {
    isFresh = false
    pass(to: instant)
    push(label.parked, of: 0, in: nil)
    notes.waitBegan(for: name, heldBy: holder, at: instant)
  }

  @inline(__always)
  mutating func waitEnded(at instant: Int64) {
    ended(at: instant)
    notes.waitEnded(at: instant)
  }

  /// Ends the activity or wait that began last.
  @inline(__always)
  mutating func ended(at instant: Int64) {
    pass(to: instant)
    guard depth > 0 else {
      if isInBlock { trapMisuse("An activity of the main thread ended in a block in which it had not begun.") }
      return
    }
    depth &-= 1
    label = enclosing[depth]
    notes.ended()
  }

  /// Returns the label of an activity's own time, which is looked up once for each activity.
  @inline(__always)
  private mutating func label(of activity: Activity) -> TimeLabel {
    let number = Int(activity.number)
    if number < activityLabels.count, let known = activityLabels[number] { return known }
    return lookUpLabel(of: activity)
  }

  @inline(never)
  private mutating func lookUpLabel(of activity: Activity) -> TimeLabel {
    let number = Int(activity.number)
    while activityLabels.count <= number { activityLabels.append(nil) }
    let label = TimeLabel(of: activity)
    activityLabels[number] = label
    return label
  }

  /// Marks the block as a frame if its first activity is one: the block's time then counts as the frame's from its
  /// first instant.
  @inline(never)
  private mutating func beginFirstActivity(_ own: TimeLabel) {
    if own == .frame, isInBlock, !isFrameBlock {
      guard isFresh else { trapMisuse("A frame must be the first activity of a main block of its own.") }
      isFrameBlock = true
      label = .frame
      notes.rest(in: label)
    }
    isFresh = false
  }

  @inline(__always)
  private mutating func push(_ entered: TimeLabel, of objectCount: Int, in context: String?) {
    notes.began(entered, outer: label, of: objectCount, in: context)
    if depth == depthCapacity { growStack() }
    enclosing[depth] = label
    depth &+= 1
    label = entered
  }

  private mutating func growStack() {
    let grown = UnsafeMutablePointer<TimeLabel>.allocate(capacity: 2 * depthCapacity)
    grown.moveInitialize(from: enclosing, count: depthCapacity)
    enclosing.deallocate()
    enclosing = grown
    depthCapacity *= 2
  }
}

// MARK: - Frames

extension MainThreadAccount {
  mutating func frameBegan(tick: Int, at instant: Int64) {
    beginFirstActivity(.frame)
    guard isFrameBlock, !isFrameOpen else {
      trapMisuse("A frame must begin only once, inside a main block of its own.")
    }
    pass(to: instant)
    isFrameOpen = true
    frameWait = 0
    let cause = cause(sinceTick: tick)
    frames.append(PostedFrame(tick: tick, start: Instant(nanoseconds: instant), end: nil, cause: cause))
    if let schedule,
      instant - schedule.instant(ofTick: tick).nanoseconds > schedule.interval(afterTick: tick).nanoseconds
    {
      stallReasons[tick] = notes.reason(for: cause)
    }
  }

  mutating func frameEnded(at instant: Int64) {
    pass(to: instant)
    guard isFrameOpen else { trapMisuse("A frame ended without having begun.") }
    isFrameOpen = false
    frames[frames.count - 1].end = Instant(nanoseconds: instant)
    frames[frames.count - 1].wait = TimeSpan(nanoseconds: frameWait)
    if let schedule {
      let next = schedule.firstTick(atOrAfter: Instant(nanoseconds: instant))
      awaitTick(due: schedule.instant(ofTick: next).nanoseconds)
    }
  }

  /// Prepares the notes for the next frame, whose tick is due at the given instant.
  private mutating func awaitTick(due instant: Int64) {
    notesStart = instant
    statementsStart = instant
    if cursor >= instant { restartNotes() }
  }

  private mutating func restartNotes() {
    notes.restart(at: notesStart)
    notesStart = .max
    if statementsStart < .max { restartStatementNotes() }
  }

  private mutating func restartStatementNotes() {
    notes.restartStatements(at: statementsStart)
    statementsStart = .max
  }

  /// Returns the label outside frames that took most of the time since a tick; of equal times, that of the label
  /// declared first; `.idle` if there was no such time.
  private func cause(sinceTick tick: Int) -> TimeLabel {
    var cause = TimeLabel.idle
    var longest: Int64 = 0
    let first = segment(ofTick: tick)
    guard first <= segment else { return cause }
    for label in TimeLabel.mainBusy {
      var total: Int64 = 0
      for segment in first...segment {
        total += sums[segment * Self.stride + Int(label.rawValue)]
      }
      if total > longest {
        cause = label
        longest = total
      }
    }
    return cause
  }
}
