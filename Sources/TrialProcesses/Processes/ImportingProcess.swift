import Foundation
import Glibc
import Harness
import MachineCore

/// The process of a trial's import, which the trial's process starts and which ends with it.
///
/// Commands and reports are lines of JSON, on the standard input and output of the process. The process ends when its
/// standard input is closed, so that it does not outlive the trial's process, in whichever way that ends.
package final class ImportingProcess: ImportProcess {
  private let process: Process
  private let commands: CommandPipe
  private let reader: OwnThread

  /// The writing end of the pipe of commands. It is open until the process is to end.
  private final class CommandPipe: Sendable {
    private let end: Guarded<FileHandle?>

    init(_ end: FileHandle) {
      self.end = Guarded(end)
    }

    var isOpen: Bool { end.withLock { $0 != nil } }

    func write(_ line: [UInt8]) {
      end.withLock { end in
        if let end { Lines.write(line, to: end.fileDescriptor) }
      }
    }

    func close() {
      end.withLock { end in
        try? end?.close()
        end = nil
      }
    }
  }

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - plan: The plan of the import, which is written into the trial's folder.
  ///   - executable: The path of the program, or nil for this one.
  ///   - receive: A closure that receives the reports on a separate thread. If the process dies, the last one is a
  ///     failure.
  /// - Throws: `RunFailure` if the process cannot be started.
  package init(
    _ plan: ImportTask.Plan, executable: String? = nil, receive: @escaping @Sendable (ImportReport) -> Void
  ) throws {
    let folder = URL(fileURLWithPath: plan.trial.scratch)
    let planFile = folder.appendingPathComponent("import-plan.json")
    let errorFile = folder.appendingPathComponent("import-errors.txt")
    let (input, output, process) = (Pipe(), Pipe(), Process())
    try JSONFile.write(plan, to: planFile.path)
    do {
      try Data().write(to: errorFile)
      process.executableURL = URL(fileURLWithPath: executable ?? ChildProcess.executablePath)
      process.arguments = [ImportTask.name, "--plan", planFile.path]
      process.standardInput = input
      process.standardOutput = output
      process.standardError = try FileHandle(forWritingTo: errorFile)
      try process.run()
    } catch {
      throw RunFailure.unexpected(error, "the importing process cannot be started: ", in: folder.path)
    }
    // A command to a process that has died fails and does not end this process.
    signal(SIGPIPE, SIG_IGN)
    let commands = CommandPipe(input.fileHandleForWriting)
    let reports = dup(output.fileHandleForReading.fileDescriptor)
    self.process = process
    self.commands = commands
    reader = OwnThread {
      Lines.each(of: reports) { receive(ImportingProcess.report(in: $0)) }
      process.waitUntilExit()
      if commands.isOpen { receive(.failed(ImportingProcess.failure(of: process, errors: errorFile))) }
    }
  }

  /// The identifier of the process.
  package var identifier: Int32 { process.processIdentifier }

  package func send(_ command: ImportCommand) {
    // All values are integers and strings, which can always be encoded.
    guard let data = try? JSONEncoder().encode(command) else { fatalError("a command cannot be encoded") }
    commands.write(Array(data))
  }

  package func end() {
    commands.close()
    reader.join()
  }

  private static func report(in line: String) -> ImportReport {
    do {
      return try JSONDecoder().decode(ImportReport.self, from: Data(line.utf8))
    } catch {
      return .failed(ImportFailure("sent a line that is not a report: \(line)"))
    }
  }

  /// Returns the failure of a process that has ended before it was told to.
  private static func failure(of process: Process, errors: URL) -> ImportFailure {
    let text = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
    let complaint = ChildProcess.lastComplaint(in: text).map { ": \($0)" } ?? ""
    let status = process.terminationStatus
    switch process.terminationReason {
    case .uncaughtSignal:
      let isFullDisk = status == SIGBUS && FullDisk.failureOfMappedFile(in: errors.path) != nil
      return ImportFailure(
        "was ended by signal \(status) (\(Children.signalName(status)))\(complaint)", isFullDisk: isFullDisk)
    default:
      return ImportFailure("ended with status \(status)\(complaint)")
    }
  }
}
