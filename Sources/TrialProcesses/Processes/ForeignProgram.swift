import Dispatch
import Foundation
import Glibc
import MachineCore

/// Runs another program, such as git, gnuplot, a Swift build or another version of this program.
///
/// The program has its own process group, which gets an interrupt when the calling task is cancelled. Its output is
/// collected in files, so it may be of any length.
package struct ForeignProgram: Sendable {
  /// The path of the program, or a name that is looked up in the folders of `PATH`.
  let path: String
  /// The folder of the files that collect the output while the program runs.
  let scratch: String

  /// The time that the program has to clean up after an interrupt before it is killed.
  private static let patience = DispatchTimeInterval.seconds(10)

  package init(_ path: String, scratch: String) {
    self.path = path
    self.scratch = scratch
  }

  package struct Ending: Sendable {
    /// The exit status, or minus the number of the signal that killed the program.
    package var status: Int32
    package var output: String
    package var errors: String

    /// The last line on standard error, or the message of a crash, or nil if standard error is empty.
    package var complaint: String? { ChildProcess.lastComplaint(in: errors) }
  }

  /// True if the program is installed.
  package var isInstalled: Bool {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.contains { access("\($0)/\(path)", X_OK) == 0 }
  }

  /// Runs the program and waits until it ends.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the program.
  ///   - environment: The variables that the program gets in addition to those of this process.
  ///   - input: The descriptor that the program reads, or nil for no input. The function closes it.
  ///   - output: The descriptor to which the program writes, or nil to collect its output. The function closes it.
  /// - Returns: The way in which the program ended.
  /// - Throws: `CancellationError` if the task was cancelled, after the program has ended; `RunFailure` if the program
  ///   cannot be started.
  package func run(
    _ arguments: [String], environment: [String: String] = [:], input: CInt? = nil, output: CInt? = nil
  ) async throws -> Ending {
    let (outputFile, errorFile) = ("\(scratch)/\(UUID().uuidString).out", "\(scratch)/\(UUID().uuidString).err")
    defer {
      unlink(outputFile)
      unlink(errorFile)
    }
    let process = Process(
      identifier: try start(
        arguments, environment: environment, input: input, output: output ?? Self.file(outputFile), errorFile: errorFile
      ))
    let status = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        _ = OwnThread { continuation.resume(returning: process.status()) }
      }
    } onCancel: {
      process.send(SIGINT)
      DispatchQueue.global().asyncAfter(deadline: .now() + ForeignProgram.patience) { process.send(SIGKILL) }
    }
    try Task.checkCancellation()
    return Ending(status: status, output: Self.text(of: outputFile), errors: Self.text(of: errorFile))
  }

  /// Starts the program and closes its descriptors.
  private func start(
    _ arguments: [String], environment: [String: String], input: CInt?, output: CInt, errorFile: String
  ) throws -> pid_t {
    let descriptors = [input ?? open("/dev/null", O_RDONLY | O_CLOEXEC), output, Self.file(errorFile)]
    defer { for descriptor in descriptors { close(descriptor) } }
    try Task.checkCancellation()
    guard descriptors.allSatisfy({ $0 >= 0 }) else {
      throw RunFailure.failed("\(path): cannot be started: its output cannot be written to \(scratch)")
    }
    do throws(RunFailure) {
      return try ProgramStart(path, arguments: arguments, environment: environment, descriptors: descriptors).run()
    } catch {
      throw error.kind == .failed ? RunFailure.failed("\(path): \(error)") : error
    }
  }

  private static func file(_ path: String) -> CInt {
    open(path, O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR)
  }

  private static func text(of path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }
}

/// A started program and its process group.
private final class Process: Sendable {
  private let identifier: pid_t
  private let hasEnded = Guarded(false)

  init(identifier: pid_t) {
    self.identifier = identifier
  }

  /// Sends a signal to the process group unless the program has ended.
  func send(_ signal: CInt) {
    hasEnded.withLock { if !$0 { kill(-identifier, signal) } }
  }

  /// Blocks until the program has ended, and returns its exit status or minus the number of the signal that killed it.
  func status() -> Int32 {
    let status = ProgramStart.end(of: identifier, life: hasEnded) { $0 = true }
    let signal = status & 0x7f
    return signal == 0 ? status >> 8 & 0xff : -signal
  }
}
