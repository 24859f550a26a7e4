import ContextEngine
import MachineCore
import MachineSimulated
import Metrics
import OutputFiles
import Reporting

/// Writes the work of a machine as the events of one process of a trace.
///
/// Each core, each connection and each label of a queue has a track. Further tracks show payloads, edits, and frames as
/// they were due and as they ran. Flows lead from saves to their merges, and counters show the heap and pending
/// changes.
///
/// A slice is written when it ends or when something inside it is written. Memory therefore holds open slices, the
/// current uses of cores and connections, the beginning of each flow, the state of each counter, and at the end the
/// trial's ledgers.
// `@unchecked Sendable`: the machine calls it from one thread at a time, and `finish` comes after the run.
package final class TraceRecorder: TrialTrace, @unchecked Sendable {
  private let part: TracePart
  /// The first error. No event is written after it.
  private var failure: FileError?
  private var threads = ScheduleThreads()
  private var tracks: TraceTracks
  /// The open slices of each thread, innermost last.
  private var open: [[Slice]] = []
  private var cores: [CoreUse] = []
  private var connections: [String: ConnectionUse] = [:]
  private var notes: TraceNotes
  private var timeline: TraceTimeline?

  private struct Slice {
    var name: String
    var track: Int
    var start: Instant
    var arguments: [(String, TraceValue)]
    var isWritten = false
    /// Indicates whether the slice is left out if it takes no time and no event is written inside it.
    var isIdle = false
    /// The track that the slice occupies for a body of a queue, or nil for other slices.
    var held: TraceTracks.Place?
    /// Indicates whether the next outer slice ends together with this one.
    var isTwin = false
  }

  private struct CoreUse {
    var strand = -1
    var start = Instant(nanoseconds: 0)
    var isPaused = false
  }

  private struct ConnectionUse {
    var track: Int
    var start: Instant
    var arguments: [(String, TraceValue)]
    var isWritten = false
    var sql: String?
    var sqlStart = Instant(nanoseconds: 0)
    var runCount: Int64 = 0
  }

  /// Makes the file of a process.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - process: The number of the process in the trace.
  ///   - name: The name of the process in the trace.
  /// - Throws: `FileError` if the file cannot be made.
  package init(path: String, process: Int, name: String) throws(FileError) {
    part = try TracePart(path: path, process: process)
    tracks = TraceTracks()
    notes = TraceNotes(process: process)
    try part.write(TraceEvent(.metadata, "process_name", track: 0, [("name", .text(name))]))
    try part.write(TraceEvent(.metadata, "process_sort_index", track: 0, [("sort_index", .number(Int64(process)))]))
  }

  /// Writes the events of the ledgers and closes the file. Call it once, after the run.
  ///
  /// - Throws: `FileError` if an event could not be written, now or earlier. The file is not closed in this case.
  package func finish() throws(FileError) {
    timeline?.events.forEach(write)
    for (track, name) in tracks.names {
      write(TraceEvent(.metadata, "thread_name", track: track, [("name", .text(name))]))
      write(TraceEvent(.metadata, "thread_sort_index", track: track, [("sort_index", .number(Int64(track)))]))
    }
    if let failure { throw failure }
    try part.close()
  }

  package func didMeasure(_ ledgers: TrialLedgers, _ frames: FrameTimeline, _ window: Window) {
    timeline = TraceTimeline(ledgers: ledgers, frames: frames, window: window)
  }

  private func write(_ event: TraceEvent) {
    guard failure == nil else { return }
    do throws(FileError) {
      try part.write(event)
    } catch {
      failure = error
    }
  }
}

// MARK: - Schedule

extension TraceRecorder {
  /// Writes the slices of an event, which use the state of the threads from before it, and then updates that state. At
  /// the end of a body or an activity, the counter of the heap follows if its value has changed.
  package func record(_ event: ScheduleEvent, strand: Int, at instant: Instant) {
    while open.count <= strand { open.append([]) }
    switch event {
    case .bodyBegan(let queue, let role, let cause): beginBody(queue, role, cause, strand, instant)
    case .bodyEnded:
      end(strand, instant)
    case .activityBegan(let activity): begin(activity.title, strand, instant)
    case .activityEnded: end(strand, instant)
    case .waitBegan(let label, let holder): beginWait(label, holder, strand, instant)
    case .waitEnded: end(strand, instant)
    case .storageBegan:
      pauseCore(of: strand, instant)
      begin("storage", strand, instant)
    case .storageEnded:
      end(strand, instant)
      resumeCore(of: strand, instant)
    case .coreTaken(let core): take(core, strand, instant)
    case .coreLeft(let core): leave(core, instant)
    case .connection(let name, let step): use(name, step, strand, instant)
    case .noted(let note): take(note, strand, instant)
    case .posted, .worked: break
    }
    threads.take(event, strand: strand)
    switch event {
    case .bodyEnded, .activityEnded: if let counter = notes.heap(at: instant) { write(counter) }
    default: break
    }
  }

  /// Begins a slice on the track of the body's queue. If the thread already runs a body of another queue, a second
  /// slice begins on that queue's track.
  private func beginBody(
    _ queue: ScheduleQueue, _ role: WorkRole, _ cause: ScheduleEvent.BodyCause, _ strand: Int, _ instant: Instant
  ) {
    let asker = threads.cause(cause)
    let isPosted = if case .post = cause { true } else { false }
    var isTwin = false
    if let outer = open[strand].last {
      open[strand].append(Slice(name: "in \(queue.label)", track: outer.track, start: instant, arguments: []))
      isTwin = true
    }
    let place = tracks.take(queue)
    // A thread that runs no other body is named after this queue.
    let thread = strand > ScheduleThreads.driver && open[strand].isEmpty ? queue.label : threads.name(of: strand)
    let isDriver = asker.strand == ScheduleThreads.driver && !isPosted
    open[strand].append(
      Slice(
        name: isPosted ? "block" : "sync", track: place.track, start: instant,
        arguments: [
          ("cause", .text(asker.text)), ("role", .text(role.title)),
          ("thread", .text(thread)),
        ], isIdle: isDriver, held: place, isTwin: isTwin))
  }

  private func begin(
    _ name: String, _ strand: Int, _ instant: Instant, _ arguments: [(String, TraceValue)] = []
  ) {
    // Slices outside queues, such as the driver's, do not belong to the app and have no track.
    let track = open[strand].last?.track ?? TraceTracks.none
    open[strand].append(Slice(name: name, track: track, start: instant, arguments: arguments))
  }

  private func beginWait(_ label: String, _ holder: Int?, _ strand: Int, _ instant: Instant) {
    var arguments: [(String, TraceValue)] = []
    if let holder {
      arguments = [
        ("doing", .text(threads.textWithWait(of: holder))), ("held by", .text(threads.name(of: holder))),
      ]
    }
    begin("waits for \(label)", strand, instant, arguments)
    // The ticker waits for the next tick most of the time, which the expected frames show already.
    if holder == nil, threads.queue(of: strand) == "display" {
      open[strand][open[strand].count - 1].track = TraceTracks.none
    }
  }

  private func end(_ strand: Int, _ instant: Instant) {
    guard let slice = open[strand].last else { return }
    let isEmpty = slice.isIdle && !slice.isWritten && slice.start == instant
    let isUntraced = slice.track == TraceTracks.none || isEmpty
    if !isUntraced {
      if !slice.isWritten { writeOpen(on: strand, upTo: open[strand].count - 1) }
      if slice.isWritten {
        write(TraceEvent(.end, track: slice.track, at: instant))
      } else {
        write(
          TraceEvent(
            .complete, slice.name, track: slice.track, at: slice.start, lasting: instant - slice.start,
            slice.arguments))
      }
    }
    open[strand].removeLast()
    if let held = slice.held { tracks.giveBack(held) }
    if slice.isTwin { end(strand, instant) }
  }

  /// Writes the beginnings of a thread's open slices up to an index, because something happened inside them.
  private func writeOpen(on strand: Int, upTo end: Int) {
    for index in 0..<end where !open[strand][index].isWritten && open[strand][index].track != TraceTracks.none {
      open[strand][index].isWritten = true
      let slice = open[strand][index]
      write(TraceEvent(.begin, slice.name, track: slice.track, at: slice.start, slice.arguments))
    }
  }
}

// MARK: - Flows and counters

extension TraceRecorder {
  /// Sets the memory footprint of a stack from which the heap's counter is read.
  package func watch(_ footprint: MemoryFootprint) {
    notes.footprint = footprint
  }

  private func take(_ note: TraceNote, _ strand: Int, _ instant: Instant) {
    switch note {
    case .flowBegan, .flowEnded:
      guard let track = open[strand].last?.track, track != TraceTracks.none else { return }
      // The ends of a flow must lie in slices whose beginnings are written.
      writeOpen(on: strand, upTo: open[strand].count)
      notes.flow(of: note, track: track, at: instant).forEach(write)
    case .counterChanged, .counterSet:
      if let counter = notes.counter(note, at: instant) { write(counter) }
    }
  }
}

// MARK: - Cores

extension TraceRecorder {
  private func take(_ core: Int, _ strand: Int, _ instant: Instant) {
    while cores.count <= core { cores.append(CoreUse()) }
    cores[core] = CoreUse(strand: strand, start: instant)
  }

  private func leave(_ core: Int, _ instant: Instant) {
    if !cores[core].isPaused { writeCore(core, instant) }
    cores[core].strand = -1
  }

  /// Ends the slice of a thread's core while storage works for the thread. The thread does not compute during that
  /// time, even if no other thread takes the core.
  private func pauseCore(of strand: Int, _ instant: Instant) {
    guard let core = cores.firstIndex(where: { $0.strand == strand }) else { return }
    writeCore(core, instant)
    cores[core].isPaused = true
  }

  private func resumeCore(of strand: Int, _ instant: Instant) {
    guard let core = cores.firstIndex(where: { $0.strand == strand }) else { return }
    cores[core].isPaused = false
    cores[core].start = instant
  }

  private func writeCore(_ core: Int, _ instant: Instant) {
    let use = cores[core]
    guard instant > use.start else { return }
    write(
      TraceEvent(
        .complete, threads.name(of: use.strand), track: tracks.track(ofCore: core), at: use.start,
        lasting: instant - use.start))
  }
}

// MARK: - Connections

extension TraceRecorder {
  private func use(
    _ name: String, _ step: ScheduleEvent.ConnectionStep, _ strand: Int, _ instant: Instant
  ) {
    switch step {
    case .taken:
      connections[name] = ConnectionUse(
        track: tracks.track(ofConnection: name), start: instant,
        arguments: [("cause", .text(threads.text(of: strand))), ("thread", .text(threads.name(of: strand)))])
    case .statement(let sql):
      guard var use = connections[name] else { return }
      if use.sql == sql {
        use.runCount += 1
      } else {
        writeStatement(&use, instant)
        use.sql = sql
        use.sqlStart = instant
        use.runCount = 1
      }
      connections[name] = use
    case .left:
      guard var use = connections.removeValue(forKey: name) else { return }
      writeStatement(&use, instant)
      if use.isWritten { write(TraceEvent(.end, track: use.track, at: instant)) }
    }
  }

  /// Writes the slice of the last statement of a connection. Equal statements in a row are one slice with their number.
  private func writeStatement(_ use: inout ConnectionUse, _ instant: Instant) {
    guard let sql = use.sql else { return }
    if !use.isWritten {
      write(TraceEvent(.begin, "request", track: use.track, at: use.start, use.arguments))
      use.isWritten = true
    }
    write(
      TraceEvent(
        .complete, sql, track: use.track, at: use.sqlStart, lasting: instant - use.sqlStart,
        [("runs", .number(use.runCount))]))
  }
}
