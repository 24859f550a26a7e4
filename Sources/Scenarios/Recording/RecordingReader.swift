import MachineCore
import TrialProcesses

/// Reads the entries of a recording in order and collects what they contain.
struct RecordingReader {
  private(set) var start = Instant(nanoseconds: 0)
  private(set) var end = Instant(nanoseconds: 0)
  var builder = ScheduleSteps(from: Instant(nanoseconds: 0))
  private(set) var ending: Note.Ending?
  private(set) var calls: [RecordedRun.Call] = []
  private(set) var failures: [Note.Failure] = []
  private(set) var observations: [Note.Observation] = []
  private(set) var measurements: [(name: String, span: TimeSpan)] = []
  private(set) var work: [(kind: String, onMain: Int, onAll: Int)] = []
  private(set) var statements: [RecordedRun.Statement] = []
  private var threads = ScheduleThreads()
  private var waits: [RecordedRun.Wait] = []
  /// The index of the open wait of each thread.
  private var openWaits: [Int: Int] = [:]
  private var lastStatement: Entry?
  /// True after the end of the story. Then only notes count.
  private var hasRested = false

  /// The waits, of which those that have not ended last until the end of the recording.
  var closedWaits: [RecordedRun.Wait] {
    waits.map { wait in
      guard wait.isUnfinished else { return wait }
      var wait = wait
      wait.span = end - wait.begin
      return wait
    }
  }

  mutating func take(_ entry: Entry, _ order: Int) {
    if case .noted(let note) = entry.content { return take(note, entry, order) }
    if hasRested { return }
    if entry.thread != ScheduleThreads.driver { end = max(end, entry.instant) }
    switch entry.content {
    case .noted: return
    case .repeated(let count):
      guard let lastStatement else { return }
      note(lastStatement, times: count)
      // The statement is one step for each of its few repetitions, so that equal neighbours are counted. The steps
      // share its memory.
      for _ in 0..<count { step(lastStatement, order) }
    case .statement:
      lastStatement = entry
      note(entry, times: 1)
      step(entry, order)
    case .waitBegan(let label, let holder):
      begin(label, holder, entry)
      step(entry, order)
    case .waitEnded:
      if let index = openWaits.removeValue(forKey: entry.thread) {
        waits[index].isUnfinished = false
        waits[index].span = entry.instant - waits[index].begin
      }
      step(entry, order)
    default:
      step(entry, order)
    }
  }

  private mutating func step(_ entry: Entry, _ order: Int) {
    guard let event = entry.content.event else { return }
    builder.take(RecordedEvent(event: event, strand: entry.thread, instant: entry.instant), order)
    threads.take(event, strand: entry.thread)
  }

  private mutating func note(_ entry: Entry, times count: Int) {
    guard entry.thread != ScheduleThreads.driver, case .statement(_, let sql) = entry.content else { return }
    if let index = statements.firstIndex(where: { $0.thread == entry.thread && $0.sql == sql }) {
      statements[index].count += count
    } else {
      statements.append(RecordedRun.Statement(thread: entry.thread, sql: sql, count: count))
    }
  }

  private mutating func begin(_ label: String, _ holder: Int?, _ entry: Entry) {
    guard entry.thread != ScheduleThreads.driver, label != "clock" else { return }
    openWaits[entry.thread] = waits.count
    waits.append(
      RecordedRun.Wait(
        thread: entry.thread, threadName: threads.name(of: entry.thread), place: threads.text(of: entry.thread),
        label: label, holder: holder, holderName: holder.map(threads.name), begin: entry.instant, span: .zero,
        isUnfinished: true))
  }

  private mutating func show(_ text: String, _ entry: Entry, _ order: Int) {
    guard !hasRested else { return }
    if entry.thread != ScheduleThreads.driver { end = max(end, entry.instant) }
    builder.note(text, strand: entry.thread, at: entry.instant, order)
  }

  private mutating func take(_ note: Note, _ entry: Entry, _ order: Int) {
    switch note {
    case .began: start = entry.instant
    case .rested: hasRested = true
    case .called(let call):
      show(call, entry, order)
      guard !hasRested, let queue = threads.queue(of: entry.thread) else { return }
      calls.append(RecordedRun.Call(queue: queue.label, text: call, instant: entry.instant))
    case .failed(let failure):
      failures.append(failure)
      show("\(failure.call) fails: error \(failure.code)", entry, order)
    case .observed(let observation):
      observations.append(observation)
      show("finds \(observation.text)", entry, order)
    case .measured(let name, let span): measurements.append((name, span))
    case .worked(let kind, let onMain, let onAll): work.append((kind, onMain, onAll))
    case .ended(let ending): self.ending = ending
    }
  }
}

extension Note.Observation {
  /// The value, and the right one if it is another.
  var text: String {
    guard let right, differs else { return "\(name): \(found)" }
    return "\(name): \(found), and \(right) would be right"
  }
}
