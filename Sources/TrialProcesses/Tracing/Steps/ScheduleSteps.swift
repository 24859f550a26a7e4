import MachineCore
import MachineSimulated
import Reporting

/// Turns the recorded events of a machine into the steps of each thread, which contain the steps that were taken inside
/// them.
package struct ScheduleSteps {
  private var threads = ScheduleThreads()
  /// The steps that each thread has begun and not ended, with the innermost last.
  private var open: [[ScheduleStep]] = []
  /// The number of open bodies on each thread that are left out.
  private var mutedDepth: [Int] = []
  /// The instants at which the blocks were posted that have not begun, by the numbers of the blocks.
  private var postInstants: [Int: Instant] = [:]
  /// The outermost steps that each thread has ended.
  private var ended: [[ScheduleStep]] = []
  private let start: Instant

  /// The labels of the queues that observe the app. Their blocks are left out, but the blocks that they post to other
  /// queues are not.
  private static let mutedQueues = ["display"]

  /// Creates a builder.
  ///
  /// - Parameter start: The instant at which the steps begin. Outermost steps that began earlier are left out.
  package init(from start: Instant) {
    self.start = start
  }

  /// Returns the outermost steps of each thread, in the order in which they ended.
  package mutating func steps(of events: [RecordedEvent]) -> [[ScheduleStep]] {
    for (order, event) in events.enumerated() { take(event, order) }
    return ended
  }

  /// Returns the outermost steps of each thread that have ended, and then those that have not. The latter are marked as
  /// unfinished and end at an instant.
  package mutating func steps(cutOffAt instant: Instant) -> [[ScheduleStep]] {
    for strand in open.indices {
      while let last = open[strand].last {
        open[strand][open[strand].count - 1].isUnfinished = true
        end(RecordedEvent(event: .waitEnded, strand: strand, instant: max(instant, last.begin)), Int.max)
      }
    }
    return ended
  }

  /// Adds a moment to the innermost step of a thread, or to no step if none is open.
  package mutating func note(_ text: String, strand: Int, at instant: Instant, _ order: Int) {
    guard strand < open.count else { return }
    let moment = RecordedEvent(event: .waitEnded, strand: strand, instant: instant)
    begin(.moment, text, moment, order)
    end(moment, order, unlessMuted: true)
  }

  /// Takes the next event, whose position among all events is `order`.
  package mutating func take(_ heard: RecordedEvent, _ order: Int) {
    defer { threads.take(heard.event, strand: heard.strand) }
    let strand = heard.strand
    while open.count <= strand {
      open.append([])
      mutedDepth.append(0)
      ended.append([])
    }
    if case .posted(_, let number, _, _) = heard.event { postInstants[number] = heard.instant }
    switch heard.event {
    case .bodyBegan(let queue, _, let cause):
      beginBody(queue, cause, heard, order)
    case .bodyEnded:
      if mutedDepth[strand] > 0 { mutedDepth[strand] -= 1 } else { end(heard, order) }
    case .activityBegan(let activity):
      begin(.activity(activity), activity.title, heard, order)
    case .waitBegan(let label, let holder):
      begin(.wait, waitText(label, holder), heard, order)
    case .activityEnded, .waitEnded:
      end(heard, order, unlessMuted: true)
    case .posted(let queue, _, _, nil):
      begin(.post, "posts a block to \(queue.label)", heard, order)
      end(heard, order, unlessMuted: true)
    case .connection(let name, .statement(let sql)):
      begin(.statement, "SQL on \(name): \(StatementText.shortened(sql))", heard, order)
      end(heard, order, unlessMuted: true)
    case .posted, .connection, .coreTaken, .coreLeft, .storageBegan, .storageEnded, .worked, .noted: break
    }
  }

  private mutating func beginBody(
    _ queue: ScheduleQueue, _ cause: ScheduleEvent.BodyCause, _ heard: RecordedEvent, _ order: Int
  ) {
    let strand = heard.strand
    let asker = threads.cause(cause)
    var isPosted = false
    if case .post = cause { isPosted = true }
    let isWatcher = asker.strand == ScheduleThreads.driver && !isPosted
    if mutedDepth[strand] > 0 || isWatcher || ScheduleSteps.mutedQueues.contains(queue.label) {
      mutedDepth[strand] += 1
      return
    }
    let asking = asker.strand == ScheduleThreads.driver ? nil : asker.queue
    let text: String
    if !isPosted {
      text = asker.strand == strand ? "takes \(queue.label): sync" : "runs a sync of \(asker.text)"
    } else {
      text =
        asking.map { asker.text.hasPrefix("block") ? "block, posted by \($0)" : "block, posted in \(asker.text)" }
        ?? "block"
    }
    let thread = strand > ScheduleThreads.driver && open[strand].isEmpty ? queue.label : threads.name(of: strand)
    open[strand].append(
      ScheduleStep(
        kind: .body(askedBy: asking, isPosted: isPosted), queue: queue.label, thread: thread, text: text,
        begin: heard.instant, beginOrder: order, end: heard.instant, endOrder: order, asked: asked(cause),
        duration: .zero))
  }

  /// Returns the instant at which a body was asked for, or nil if the story does not contain it.
  private mutating func asked(_ cause: ScheduleEvent.BodyCause) -> Instant? {
    switch cause {
    case .post(let number): return postInstants.removeValue(forKey: number)
    case .call(let strand):
      guard open.indices.contains(strand), let step = open[strand].last, step.kind == .wait else { return nil }
      return step.begin
    }
  }

  private mutating func begin(_ kind: ScheduleStep.Kind, _ text: String, _ heard: RecordedEvent, _ order: Int) {
    guard mutedDepth[heard.strand] == 0, let outer = open[heard.strand].last else { return }
    open[heard.strand].append(
      ScheduleStep(
        kind: kind, queue: outer.queue, thread: outer.thread, text: text, begin: heard.instant, beginOrder: order,
        end: heard.instant, endOrder: order, duration: .zero))
  }

  private mutating func end(_ heard: RecordedEvent, _ order: Int, unlessMuted: Bool = false) {
    if unlessMuted && mutedDepth[heard.strand] > 0 { return }
    guard var step = open[heard.strand].popLast() else { return }
    step.end = heard.instant
    step.endOrder = order
    step.duration = step.end - step.begin
    if let last = open[heard.strand].indices.last {
      open[heard.strand][last].children.append(step)
    } else if step.begin >= start {
      ended[heard.strand].append(step)
    }
  }

  private func waitText(_ label: String, _ holder: Int?) -> String {
    guard let holder else { return "waits for \(label)" }
    let doing = threads.textWithWait(of: holder)
    let name = threads.name(of: holder) == "main thread" ? "the main thread" : threads.name(of: holder)
    return doing == "idle"
      ? "waits for \(label), where \(name) is idle" : "waits for \(label), which \(name) has: \(doing)"
  }
}
