import Foundation
import TrialProcesses

/// The events and notes that one side of a scenario recorded, in the order in which they were recorded.
package typealias Recording = [RecordedEvent]

extension Recording {
  /// Reads a recording from a file with a line of JSON for each event or note.
  ///
  /// - Throws: `RunFailure` if the file cannot be read or a line is neither.
  package init(file: String) throws {
    guard let data = FileManager.default.contents(atPath: file) else {
      throw RunFailure.failed("the recording of a scenario cannot be read; run the scenario again")
    }
    let decoder = JSONDecoder()
    self = try data.split(separator: UInt8(ascii: "\n")).enumerated().map { index, line in
      do {
        return try decoder.decode(RecordedEvent.self, from: line)
      } catch {
        throw RunFailure.failed("line \(index + 1) of the recording of a scenario is not an entry: \(error)")
      }
    }
  }

  /// Returns the recording of a process that was stopped, with its message at the end.
  package func trapped(_ message: String) -> Recording {
    guard var last = last else { return self }
    last.content = .noted(.ended(.trapped(message: message)))
    return self + [last]
  }
}
