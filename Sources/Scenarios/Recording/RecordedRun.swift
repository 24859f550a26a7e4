import MachineCore
import TrialProcesses

/// The course of one side of a scenario, computed from its recording: the steps of each thread, the waits, the
/// statements and the notes.
package struct RecordedRun: Sendable {
  /// The recording.
  package let recording: Recording
  /// The steps of each thread. Those that had not ended are marked as unfinished.
  let threads: [[ScheduleStep]]
  /// The instant at which the story begins.
  let start: Instant
  /// The instant of the last event or call of a thread other than the program's.
  let end: Instant
  /// The way in which the side ended, or nil if the recording was cut off.
  package let ending: Note.Ending?
  /// The calls and findings that the program noted, in the order in which they occurred.
  let calls: [Call]
  /// The errors in the order in which they occurred.
  package let failures: [Note.Failure]
  /// The values that the program found.
  package let observations: [Note.Observation]
  /// The spans that the program measured.
  package let measurements: [(name: String, span: TimeSpan)]
  /// The counts of work since the beginning.
  let work: [(kind: String, onMain: Int, onAll: Int)]
  /// The waits of threads other than the program's, in the order in which they began.
  let waits: [Wait]
  /// The statements of threads other than the program's, with the number of times that each was run.
  let statements: [Statement]

  /// A call or a finding that the program noted on a queue.
  struct Call: Hashable, Sendable {
    var queue: String
    var text: String
    var instant: Instant
  }

  /// A wait of a thread for a queue or a lock.
  struct Wait: Hashable, Sendable {
    var thread: Int
    /// The name of the waiting thread.
    var threadName: String
    /// The innermost activity of the waiting thread, with the queue whose body it ran.
    var place: String
    /// The label of the queue or lock.
    var label: String
    var holder: Int?
    /// The name of the thread that has the queue or lock, or nil if it is not known.
    var holderName: String?
    var begin: Instant
    var span: TimeSpan
    var isUnfinished: Bool
  }

  /// Equal statements of a thread on a connection.
  struct Statement: Hashable, Sendable {
    var thread: Int
    var sql: String
    var count: Int
  }

  /// Computes the course of a side.
  package init(_ recording: Recording) {
    self.recording = recording
    var reader = RecordingReader()
    for (order, entry) in recording.entries.enumerated() { reader.take(entry, order) }
    start = reader.start
    end = reader.end
    threads = reader.builder.steps(cutOffAt: reader.end)
    ending = reader.ending
    calls = reader.calls
    failures = reader.failures
    observations = reader.observations
    measurements = reader.measurements
    work = reader.work
    waits = reader.closedWaits
    statements = reader.statements
  }
}

// MARK: - Figures

extension RecordedRun {
  /// The blocks of the main queue and the bodies that the main thread ran for others.
  var mainBlocks: [ScheduleStep] { threads.first ?? [] }

  /// The longest block of the main thread, or nil if it ran none.
  var longestMainBlock: ScheduleStep? {
    mainBlocks.reduce(nil) { longest, step in
      longest.map { $0.duration >= step.duration } ?? false ? longest : step
    }
  }

  /// The longest wait of the main thread for another thread, or nil if it never waited.
  var longestMainWait: Wait? {
    waits.filter { $0.thread == ScheduleThreads.main }.reduce(nil) { longest, wait in
      longest.map { $0.span >= wait.span } ?? false ? longest : wait
    }
  }

  /// The duration of all blocks of the main thread, waits included.
  package var mainBlockTime: TimeSpan { mainBlocks.reduce(.zero) { $0 + $1.duration } }

  /// The duration of the longest block of the main thread, waits included, or nil if it ran none.
  package var longestMainBlockTime: TimeSpan? { longestMainBlock?.duration }

  /// The duration of the longest wait of the main thread for another thread, or nil if it never waited.
  package var longestMainWaitTime: TimeSpan? { longestMainWait?.span }

  /// The number of statements that ran on the main thread.
  package var mainStatementCount: Int {
    statements.filter { $0.thread == ScheduleThreads.main }.reduce(0) { $0 + $1.count }
  }

  /// The number of statements that ran on other threads.
  var otherStatementCount: Int { statements.reduce(0) { $0 + $1.count } - mainStatementCount }

  /// The unfinished waits that form a circle: each thread waits for what the next one has. It is empty without one.
  var circle: [Wait] {
    let open = waits.filter(\.isUnfinished)
    for first in open.reversed() {
      var circle = [first]
      while let next = open.first(where: { $0.thread == circle[circle.count - 1].holder }) {
        if next.thread == first.thread { return circle }
        if circle.contains(where: { $0.thread == next.thread }) { break }
        circle.append(next)
      }
    }
    return []
  }

  /// Returns the longest span that the program measured under a name, or nil if it measured none.
  func span(of name: String) -> TimeSpan? {
    measurements.filter { $0.name == name }.map(\.span).max()
  }
}
