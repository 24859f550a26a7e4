import Foundation
import Glibc
import MachineCore

/// Records the events of a side's machine and the notes of its program.
///
/// Each entry is written at once, so that the recording is complete up to the instant at which misuse stops the process.
/// Thread-safe.
package final class ScenarioRecorder: ScheduleObserver {
  fileprivate struct State: Sendable {
    var isRecording = false
    var notes: [Note] = []
    /// The last statement, and the number of times that it was repeated since it was written.
    var last: (entry: Entry, repeats: Int)?
    var lastInstant = Instant(nanoseconds: 0)
  }

  private let write: @Sendable (Entry) -> Void
  private let state = Guarded(State())

  /// The name of the counter under which notes pass through the machine, which adds their thread and instant.
  private static let counter = "scenario"

  /// Creates a recorder that passes each entry to a closure, one at a time.
  package init(_ write: @escaping @Sendable (Entry) -> Void) {
    self.write = write
  }

  /// Creates a recorder that appends each entry to a file as a line of JSON.
  ///
  /// - Throws: `CocoaError` if the file cannot be opened.
  package convenience init(file: String) throws {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file]) }
    self.init { entry in
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      guard var line = try? encoder.encode(entry) else { trapMisuse("An entry of a recording cannot be encoded.") }
      line.append(UInt8(ascii: "\n"))
      let count = line.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count == line.count else {
        trapMisuse("A recording cannot be written: \(String(cString: strerror(errno)))")
      }
    }
  }

  package func record(_ event: ScheduleEvent, strand: Int, at instant: Instant) {
    state.withLock { state in
      if case .noted(.counterSet(Self.counter, _, let index)) = event {
        if state.notes[index] == .began { state.isRecording = true }
        state.add(Entry(thread: strand, instant: instant, .noted(state.notes[index])), write)
      } else if state.isRecording, let content = Entry.Content(event) {
        state.add(Entry(thread: strand, instant: instant, content), write)
      }
    }
  }

  /// Adds a note on the calling thread of a machine, at the machine's instant.
  func add(_ note: Note, on machine: any Machine) {
    let index = state.withLock { state in
      state.notes.append(note)
      return state.notes.count - 1
    }
    machine.recorder.add(.counterSet(Self.counter, series: "", to: index))
  }

  /// Adds a note after the machine has come to rest.
  func close(with note: Note) {
    state.withLock { $0.add(Entry(thread: 1, instant: $0.lastInstant, .noted(note)), write) }
  }
}

extension ScenarioRecorder.State {
  /// Writes an entry, or counts it if it repeats the statement before it.
  fileprivate mutating func add(_ entry: Entry, _ write: (Entry) -> Void) {
    lastInstant = entry.instant
    if let last, last.entry.content == entry.content, last.entry.thread == entry.thread {
      self.last?.repeats += 1
      return
    }
    if let last, last.repeats > 0 {
      write(Entry(thread: last.entry.thread, instant: entry.instant, .repeated(last.repeats)))
    }
    last = nil
    if case .statement = entry.content { last = (entry, 0) }
    write(entry)
  }
}
