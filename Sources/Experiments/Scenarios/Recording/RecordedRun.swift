import MachineCore
import TrialProcesses

/// The course of one side of a scenario, computed from its recording: the steps of each thread and the notes.
package struct RecordedRun: Sendable {
  /// The recording.
  package let recording: Recording
  /// The outermost steps of each thread. Those that had not ended are marked as unfinished.
  let threads: [[ScheduleStep]]
  /// The steps of all threads, thread by thread, each before the steps inside it.
  let steps: [ScheduleStep]
  /// The instant at which the story begins.
  let start: Instant
  /// The instant of the last event or call of a thread other than the program's.
  let end: Instant
  private let notes: [Note]

  /// Computes the course of a side.
  package init(_ recording: Recording) {
    self.recording = recording
    let course = ScheduleSteps(recording, cutsOff: true)
    threads = course.threads
    steps = threads.flatMap { $0.flatMap { $0.lines().map(\.step) } }
    start = course.start
    end = course.end
    notes = course.notes
  }

  /// The lines of the story in the order of time, without deep ones and those of transactions. Equal steps in a row are
  /// one line.
  var lines: [ScheduleStep.Line] {
    let merged = threads.flatMap { steps in
      ScheduleStep.merging(steps.filter { !$0.children.isEmpty || $0.isUnfinished })
    }
    return ScheduleStep.ordered(merged.flatMap { $0.lines(upTo: 5) { !$0.isTransaction } })
  }
}

// MARK: - Notes

extension RecordedRun {
  /// The way in which the side ended, or nil if the recording was cut off.
  package var ending: Note.Ending? {
    notes.compactMap { if case .ended(let ending) = $0 { ending } else { nil } }.last
  }

  /// The errors in the order in which they occurred.
  package var failures: [Note.Failure] {
    notes.compactMap { if case .failed(let failure) = $0 { failure } else { nil } }
  }

  /// The values that the program found.
  package var observations: [Note.Observation] {
    notes.compactMap { if case .observed(let observation) = $0 { observation } else { nil } }
  }

  /// The spans that the program measured.
  package var measurements: [(name: String, span: TimeSpan)] {
    notes.compactMap { if case .measured(let name, let span) = $0 { (name, span) } else { nil } }
  }

  /// The counts of work since the beginning.
  var work: [(kind: String, onMain: Int, onAll: Int)] {
    notes.compactMap { if case .worked(let kind, let onMain, let onAll) = $0 { (kind, onMain, onAll) } else { nil } }
  }

  /// The calls that the program noted, in the order in which they occurred.
  var calls: [ScheduleStep] {
    steps.filter { $0.kind == .call }.sorted { $0.beginOrder < $1.beginOrder }
  }

  /// Returns the longest span that the program measured under a name, or nil if it measured none.
  func span(of name: String) -> TimeSpan? {
    measurements.filter { $0.name == name }.map(\.span).max()
  }
}

// MARK: - Figures

extension RecordedRun {
  /// The blocks of the main queue and the bodies that the main thread ran for others.
  private var mainBlocks: [ScheduleStep] { threads.first ?? [] }

  /// The steps of the main thread, each before the steps inside it.
  var mainSteps: [ScheduleStep] { steps.filter { $0.strand == ScheduleThreads.main } }

  /// The longest block of the main thread, or nil if it ran none.
  package var longestMainBlock: ScheduleStep? { mainBlocks.max { $0.duration < $1.duration } }

  /// The longest wait of the main thread for another thread, or nil if it never waited.
  package var longestMainWait: ScheduleStep? {
    mainSteps.filter { $0.wait != nil }.max { $0.duration < $1.duration }
  }

  /// The duration of all blocks of the main thread, waits included.
  package var mainBlockTime: TimeSpan { mainBlocks.reduce(.zero) { $0 + $1.duration } }

  /// The number of statements that ran on the main thread.
  package var mainStatementCount: Int { Self.statementCount(mainSteps) }

  /// The number of statements that ran on other threads.
  var otherStatementCount: Int { Self.statementCount(steps) - mainStatementCount }

  private static func statementCount(_ steps: [ScheduleStep]) -> Int {
    steps.reduce(0) { $0 + ($1.kind == .statement ? $1.count : 0) }
  }

  /// The unfinished waits that form a circle: each thread waits for what the next one has. It is empty without one.
  var circle: [ScheduleStep] {
    let open = steps.filter { $0.isUnfinished && $0.wait != nil }.sorted { $0.beginOrder < $1.beginOrder }
    for first in open.reversed() {
      var circle = [first]
      while let next = open.first(where: { $0.strand == circle[circle.count - 1].wait?.holder }) {
        if next.strand == first.strand { return circle }
        if circle.contains(where: { $0.strand == next.strand }) { break }
        circle.append(next)
      }
    }
    return []
  }
}

extension ScheduleStep {
  /// True for the statements that begin and end transactions, which stories leave out.
  var isTransaction: Bool {
    guard let sql else { return false }
    return ["BEGIN", "COMMIT", "ROLLBACK"].contains { sql.hasPrefix($0) }
  }
}
