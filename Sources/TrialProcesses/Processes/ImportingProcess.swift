import Foundation
import Glibc
import Harness
import MachineCore

/// The process of a trial's import, which the trial's process starts and which ends with it.
///
/// Commands and reports are lines of JSON.
package final class ImportingProcess: ImportProcess {
  private let process: ChildProcess
  private let ending = End()

  /// The end of the process.
  private final class End: Sendable {
    private let expected = Guarded(false)

    /// True if the app has asked the process to end, so that its end is no failure.
    var isExpected: Bool {
      get { expected.withLock { $0 } }
      set { expected.withLock { $0 = newValue } }
    }
  }

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - plan: The plan of the import.
  ///   - executable: The path of the program, or nil for this one.
  ///   - receive: A closure that receives the reports on a separate thread. If the process dies, the last one is a
  ///     failure.
  /// - Throws: `RunFailure` if the process cannot be started.
  package init(
    _ plan: ImportTask.Plan, executable: String? = nil, receive: @escaping @Sendable (ImportReport) -> Void
  ) throws {
    let folder = plan.trial.scratch
    do {
      process = try ChildProcess([ImportTask.name], executable: executable) { [ending] report in
        switch report {
        case .line(let line): receive(ImportingProcess.report(in: line))
        case .ended(let end):
          if !ending.isExpected { receive(.failed(ImportingProcess.failure(end, in: folder))) }
        }
      }
      process.send(Array(try JSONEncoder().encode(plan)))
    } catch {
      throw RunFailure.unexpected(error, "the importing process cannot be started: ", in: folder)
    }
  }

  /// The identifier of the process.
  package var identifier: Int32 { process.identifier }

  package func send(_ command: ImportCommand) { process.send(Lines.json(command)) }

  package func end() {
    ending.isExpected = true
    process.close()
    process.join()
  }

  private static func report(in line: String) -> ImportReport {
    do {
      return try JSONDecoder().decode(ImportReport.self, from: Data(line.utf8))
    } catch {
      return .failed(ImportFailure("sent a line that is not a report: \(line)"))
    }
  }

  /// Returns the failure of a process that has ended before it was told to.
  private static func failure(_ ending: ChildProcess.Ending, in folder: String) -> ImportFailure {
    let complaint = ending.complaint.map { ": \($0)" } ?? ""
    return switch ending.cause {
    case .killed(let signal):
      ImportFailure(
        "was ended by signal \(signal) (\(Children.signalName(signal)))\(complaint)",
        isFullDisk: signal == SIGBUS && FullDisk.failureOfMappedFile(in: folder) != nil)
    case .exited(let status): ImportFailure("ended with status \(status)\(complaint)")
    case .timedOut: ImportFailure("was killed")
    }
  }
}
