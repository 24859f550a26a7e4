import Foundation
import Glibc
import MachineCore
import MachineSimulated

/// Records the events of a side's machine and the notes of its program.
///
/// Each entry is written at once, so that the recording is complete up to the instant at which misuse stops the process.
// `@unchecked Sendable`: a machine calls its observer, and a program calls the recorder, one at a time. The driver adds
// the last notes after the machine has come to rest.
package final class ScenarioRecorder: ScheduleObserver, @unchecked Sendable {
  private let write: (Entry) -> Void
  private var isRecording = false
  private var notes: [Note] = []
  /// The last statement, and the number of times that it was repeated since it was written.
  private var last: (entry: Entry, repeats: Int)?
  private var lastInstant = Instant(nanoseconds: 0)

  /// The name of the counter under which notes pass through the machine, which adds their thread and instant.
  private static let counter = "scenario"

  /// Creates a recorder that passes each entry to a closure.
  package init(_ write: @escaping (Entry) -> Void) {
    self.write = write
  }

  /// Creates a recorder that appends each entry to a file as a line of JSON.
  ///
  /// - Throws: `CocoaError` if the file cannot be opened.
  package convenience init(file: String) throws {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file]) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    self.init { entry in
      guard var line = try? encoder.encode(entry) else { trapMisuse("An entry of a recording cannot be encoded.") }
      line.append(UInt8(ascii: "\n"))
      let count = line.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count == line.count else {
        trapMisuse("A recording cannot be written: \(String(cString: strerror(errno)))")
      }
    }
  }

  package func record(_ event: ScheduleEvent, strand: Int, at instant: Instant) {
    if case .noted(.counterSet(Self.counter, _, let index)) = event {
      if notes[index] == .began { isRecording = true }
      add(Entry(thread: strand, instant: instant, .noted(notes[index])))
    } else if isRecording, let content = Entry.Content(event) {
      add(Entry(thread: strand, instant: instant, content))
    }
  }

  /// Adds a note on the calling thread of a machine, at the machine's instant.
  func add(_ note: Note, on machine: SimulatedMachine) {
    notes.append(note)
    machine.add(.counterSet(Self.counter, series: "", to: notes.count - 1))
  }

  /// Adds a note after the machine has come to rest.
  func close(with note: Note) {
    add(Entry(thread: 1, instant: lastInstant, .noted(note)))
  }

  private func add(_ entry: Entry) {
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
