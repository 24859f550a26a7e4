import Foundation
import Glibc
import MachineCore
import Metrics
import OutputFiles

/// Records the events of a machine with the notes of a program, or with the measurements of a trial, for a story.
///
/// Thread-safe.
package final class StepRecorder: TrialTrace {
  /// The measurements of a short trial.
  package struct Measurements: Sendable {
    package fileprivate(set) var payloads: [Moments] = []
    package fileprivate(set) var edits: [Moments] = []
    /// The start of each frame that was shown, with the instant of the tick that showed it.
    package fileprivate(set) var shown: [(start: Instant, instant: Instant)] = []
    /// The instant at which the window begins.
    package fileprivate(set) var start = Instant(nanoseconds: 0)
  }

  private struct State: Sendable {
    var isRecording: Bool
    var events: [RecordedEvent] = []
    var measurements = Measurements()
    var notes: [Note] = []
    /// The last statement, and the number of times that it was repeated since it was written.
    var last: (event: RecordedEvent, repeats: Int)?
    var lastInstant = Instant(nanoseconds: 0)
    var failure: RunFailure?
  }

  private let write: (@Sendable (RecordedEvent) throws(FileError) -> Void)?
  private let state: Guarded<State>

  /// The name of the counter under which notes pass through the machine, which adds their thread and instant.
  private static let counter = "scenario"

  /// Creates a recorder.
  ///
  /// - Parameter write: A closure that gets the events from the note `began` on, one at a time, with repetitions of a
  ///   statement as one event. If it is nil, the recorder keeps every event.
  package init(_ write: (@Sendable (RecordedEvent) throws(FileError) -> Void)? = nil) {
    self.write = write
    state = Guarded(State(isRecording: write == nil))
  }

  /// Creates a recorder that appends each event to a file as a line of JSON at once, so that the recording is complete
  /// up to the instant at which misuse stops the process.
  ///
  /// - Throws: `FileError` if the file cannot be opened.
  package convenience init(file: String) throws(FileError) {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileError(writing: file, errno) }
    self.init { (event) throws(FileError) in
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      guard var line = try? encoder.encode(event) else { trapMisuse("An entry of a recording cannot be encoded.") }
      line.append(UInt8(ascii: "\n"))
      let code = CompleteWrite.write(line, to: descriptor)
      guard code == 0 else { throw FileError(writing: file, code) }
    }
  }

  /// The events, if the recorder keeps them.
  package var events: [RecordedEvent] { state.withLock { $0.events } }

  /// The first failure that has nothing to do with the recorded program, such as a full file system, or nil.
  package var failure: RunFailure? { state.withLock { $0.failure } }

  /// Notes the failure of an error that a full file system or the limit on the size of files has caused. Other errors
  /// have no effect.
  package func noteFailure(of error: any Error) {
    guard let failure = FullDisk.failure(error) else { return }
    state.withLock { $0.failure = $0.failure ?? failure }
  }

  /// The measurements at the end of the trial.
  package var measurements: Measurements { state.withLock { $0.measurements } }

  package func record(_ event: ScheduleEvent, strand: Int, at instant: Instant) {
    state.withLock { state in
      if case .noted(.counterSet(Self.counter, _, let index)) = event {
        if state.notes[index] == .began { state.isRecording = true }
        add(RecordedEvent(.noted(state.notes[index]), strand: strand, at: instant), to: &state)
      } else if state.isRecording, let content = RecordedEvent.Content(event) {
        add(RecordedEvent(content, strand: strand, at: instant), to: &state)
      }
    }
  }

  package func didMeasure(_ ledgers: TrialLedgers, _ frames: FrameTimeline, _ window: Window) {
    state.withLock { state in
      state.measurements = Measurements(
        payloads: ledgers.payloads.moments(shownBy: frames), edits: ledgers.edits.moments(shownBy: frames),
        shown: frames.frames.compactMap { frame in
          frames.shownTick(of: frame).map { (frame.start, frames.schedule.instant(ofTick: $0)) }
        }, start: window.start)
    }
  }

  /// Adds a note on the calling thread of a machine, at the machine's instant.
  package func add(_ note: Note, on machine: any Machine) {
    let index = state.withLock { state in
      state.notes.append(note)
      return state.notes.count - 1
    }
    machine.recorder.add(.counterSet(Self.counter, series: "", to: index))
  }

  /// Adds a note after the machine has come to rest.
  package func close(with note: Note) {
    state.withLock { state in
      add(RecordedEvent(.noted(note), strand: ScheduleThreads.driver, at: state.lastInstant), to: &state)
    }
  }

  /// Writes or keeps an event, or counts it if it repeats the statement before it.
  private func add(_ event: RecordedEvent, to state: inout State) {
    state.lastInstant = event.instant
    guard let write else { return state.events.append(event) }
    if let last = state.last, last.event.content == event.content, last.event.strand == event.strand {
      state.last?.repeats += 1
      return
    }
    do throws(FileError) {
      if let last = state.last, last.repeats > 0 {
        try write(RecordedEvent(.repeated(last.repeats), strand: last.event.strand, at: event.instant))
      }
      state.last = nil
      if case .statement = event.content { state.last = (event, 0) }
      try write(event)
    } catch {
      state.failure = state.failure ?? RunFailure.unexpected(error)
    }
  }
}
