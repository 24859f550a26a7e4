import Foundation
import TrialProcesses

/// The entries that one side of a scenario recorded, in the order in which they were recorded.
package struct Recording: Hashable, Sendable {
  /// The entries.
  package var entries: [Entry]

  /// Creates a recording of entries.
  package init(entries: [Entry]) {
    self.entries = entries
  }

  /// Reads a recording from a file with a line of JSON for each entry.
  ///
  /// - Throws: `RunFailure` if the file cannot be read or a line is not an entry.
  package init(file: String) throws {
    guard let data = FileManager.default.contents(atPath: file) else {
      throw RunFailure.failed("the recording of a scenario cannot be read; run the scenario again")
    }
    let decoder = JSONDecoder()
    entries = try data.split(separator: UInt8(ascii: "\n")).enumerated().map { index, line in
      do {
        return try decoder.decode(Entry.self, from: line)
      } catch {
        throw RunFailure.failed("line \(index + 1) of the recording of a scenario is not an entry: \(error)")
      }
    }
  }

  /// Returns the recording of a process that was stopped, with its message at the end.
  package func trapped(_ message: String) -> Recording {
    guard let last = entries.last else { return self }
    return Recording(
      entries: entries + [Entry(thread: last.thread, instant: last.instant, .noted(.ended(.trapped(message: message))))]
    )
  }
}
