import MachineCore
import Reporting

/// Turns the recorded events of a machine into the steps of each thread, which contain the steps that were taken inside
/// them.
package struct ScheduleSteps {
  /// The outermost steps of each thread, in the order in which they ended.
  package private(set) var threads: [[ScheduleStep]] = []
  /// The instant at which the story begins. Outermost steps that began earlier are left out.
  package private(set) var start: Instant
  /// The instant of the last event of a thread other than the driver's.
  package private(set) var end = Instant(nanoseconds: 0)
  /// The notes in the order in which they were recorded.
  package private(set) var notes: [Note] = []
  private var states = ScheduleThreads()
  /// The steps that each thread has begun and not ended, with the innermost last.
  private var open: [[ScheduleStep]] = []
  /// The number of open bodies on each thread that are left out.
  private var mutedDepth: [Int] = []
  /// The instants at which the blocks were posted that have not begun, by the numbers of the blocks.
  private var postInstants: [Int: Instant] = [:]
  /// True after the note of the story's end. Then only notes count.
  private var hasRested = false

  /// The labels of the queues that observe the app. Their blocks are left out, but the blocks that they post to other
  /// queues are not.
  private static let mutedQueues = ["display"]

  /// Finds the steps in recorded events.
  ///
  /// - Parameters:
  ///   - events: The events in the order in which they were recorded.
  ///   - start: The instant at which the story begins, unless a note moves it.
  ///   - cutsOff: True if the steps that had not ended are among the steps. They are marked as unfinished.
  package init(
    _ events: [RecordedEvent], from start: Instant = Instant(nanoseconds: 0), cutsOff: Bool = false
  ) {
    self.start = start
    for (order, event) in events.enumerated() { take(event, order) }
    guard cutsOff else { return }
    for strand in open.indices {
      while let last = open[strand].indices.last {
        open[strand][last].isUnfinished = true
        finish(strand, max(end, open[strand][last].begin), Int.max)
      }
    }
  }

  private mutating func take(_ event: RecordedEvent, _ order: Int) {
    if case .noted(let note) = event.content { notes.append(note) }
    if hasRested { return }
    let strand = event.strand
    if strand != ScheduleThreads.driver { end = max(end, event.instant) }
    while open.count <= strand {
      open.append([])
      mutedDepth.append(0)
      threads.append([])
    }
    switch event.content {
    case .bodyBegan(let queue, let post, let caller): beginBody(queue, post, caller, event, order)
    case .bodyEnded where mutedDepth[strand] > 0: mutedDepth[strand] -= 1
    case .activityBegan(let title): begin(.activity(title), title, event, order)
    case .waitBegan(let label, let holder): beginWait(label, holder, event, order)
    case .bodyEnded, .activityEnded, .waitEnded:
      if mutedDepth[strand] == 0 { finish(strand, event.instant, order) }
    case .posted(let queue, let number, let isDelayed):
      postInstants[number] = event.instant
      if !isDelayed { add(.post, "posts a block to \(queue)", event, order) }
    case .statement(let connection, let sql):
      add(.statement, "SQL on \(connection): \(StatementText.shortened(sql))", sql: sql, event, order)
    case .repeated(let count):
      guard mutedDepth[strand] == 0, let outer = open[strand].indices.last,
        let last = open[strand][outer].children.indices.last
      else { break }
      open[strand][outer].children[last].count += count
    case .noted(let note): take(note, event, order)
    }
    states.take(event.content, strand: strand)
  }

  private mutating func take(_ note: Note, _ event: RecordedEvent, _ order: Int) {
    switch note {
    case .began: start = event.instant
    case .rested: hasRested = true
    case .called(let call): add(.call, call, event, order)
    case .failed(let failure): add(.moment, "\(failure.call) fails: error \(failure.code)", event, order)
    case .observed(let observation): add(.moment, "finds \(observation.text)", event, order)
    case .measured, .worked, .ended: break
    }
  }

  private mutating func beginBody(
    _ queue: String, _ post: Int?, _ caller: Int?, _ event: RecordedEvent, _ order: Int
  ) {
    let strand = event.strand
    let asker = states.cause(post.map { .post($0) } ?? .call(from: caller ?? ScheduleThreads.driver))
    let isPosted = post != nil
    let isWatcher = asker.strand == ScheduleThreads.driver && !isPosted
    if mutedDepth[strand] > 0 || isWatcher || ScheduleSteps.mutedQueues.contains(queue) {
      mutedDepth[strand] += 1
      return
    }
    let asking = asker.strand == ScheduleThreads.driver ? nil : asker.queue
    let text: String
    if !isPosted {
      text = asker.strand == strand ? "takes \(queue): sync" : "runs a sync of \(asker.text)"
    } else {
      text =
        asking.map { asker.text.hasPrefix("block") ? "block, posted by \($0)" : "block, posted in \(asker.text)" }
        ?? "block"
    }
    let thread = strand > ScheduleThreads.driver && open[strand].isEmpty ? queue : states.name(of: strand)
    var step = ScheduleStep(
      .body(askedBy: asking, isPosted: isPosted), text, queue: queue, thread: thread, strand: strand,
      at: event.instant, order: order)
    if let post {
      step.asked = postInstants.removeValue(forKey: post)
    } else if let caller, open.indices.contains(caller), let wait = open[caller].last, wait.kind == .wait {
      step.asked = wait.begin
    }
    open[strand].append(step)
  }

  private mutating func beginWait(_ label: String, _ holder: Int?, _ event: RecordedEvent, _ order: Int) {
    let name = holder.map(states.name)
    var text = "waits for \(label)"
    if let holder, let name {
      let doing = states.textWithWait(of: holder)
      let shown = holder == ScheduleThreads.main ? "the \(name)" : name
      text += doing == "idle" ? ", where \(shown) is idle" : ", which \(shown) has: \(doing)"
    }
    let wait = ScheduleStep.Wait(
      label: label, holder: holder, holderName: name, place: states.text(of: event.strand))
    begin(.wait, text, wait: label == "clock" ? nil : wait, event, order)
  }

  /// Begins a step inside the innermost one of its thread, or none if no step is open.
  private mutating func begin(
    _ kind: ScheduleStep.Kind, _ text: String, sql: String? = nil, wait: ScheduleStep.Wait? = nil,
    _ event: RecordedEvent, _ order: Int
  ) {
    guard mutedDepth[event.strand] == 0, let outer = open[event.strand].last else { return }
    var step = ScheduleStep(
      kind, text, queue: outer.queue, thread: outer.thread, strand: event.strand, at: event.instant, order: order)
    step.sql = sql
    step.wait = wait
    open[event.strand].append(step)
  }

  /// Adds a step without duration to the innermost one of its thread.
  private mutating func add(
    _ kind: ScheduleStep.Kind, _ text: String, sql: String? = nil, _ event: RecordedEvent, _ order: Int
  ) {
    begin(kind, text, sql: sql, event, order)
    if mutedDepth[event.strand] == 0 { finish(event.strand, event.instant, order) }
  }

  private mutating func finish(_ strand: Int, _ instant: Instant, _ order: Int) {
    guard var step = open[strand].popLast() else { return }
    step.end = instant
    step.endOrder = order
    step.duration = step.end - step.begin
    if let last = open[strand].indices.last {
      open[strand][last].children.append(step)
    } else if step.begin >= start {
      threads[strand].append(step)
    }
  }
}

extension Note.Observation {
  /// The value, and the right one if it is another.
  fileprivate var text: String {
    guard let right, differs else { return "\(name): \(found)" }
    return "\(name): \(found), and \(right) would be right"
  }
}
