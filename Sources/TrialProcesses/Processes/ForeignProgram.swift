import Foundation
import Glibc
import Subprocess
import SystemPackage

/// Runs other programs to their end, such as git, a Swift build or another version of this program.
///
/// Each runs in a process group of its own, which an interrupt reaches when the calling task is cancelled; what it prints
/// goes to files, however much that is.
package struct ForeignProgram: Sendable {
  let executable: Executable
  /// The folder of the files with the program's output, while it runs.
  let scratch: String

  /// The time that the program has to clean up after an interrupt.
  private static let patience = Duration.seconds(10)

  package init(named name: String, scratch: String) {
    executable = .name(name)
    self.scratch = scratch
  }

  package init(path: String, scratch: String) {
    executable = .path(FilePath(path))
    self.scratch = scratch
  }

  package struct Ending: Sendable {
    /// The exit status, or minus the number of the signal that killed the program.
    package var status: Int32
    package var output: String
    package var errors: String

    /// The last line on standard error.
    package var complaint: String? { ChildProcess.lastComplaint(in: errors) }
  }

  /// Runs the program with `arguments` and waits for it.
  ///
  /// - Parameters:
  ///   - input: The descriptor that the program reads, or nil for no input. It is closed here.
  ///   - output: The descriptor to which the program writes, or nil to collect its output. It is closed here.
  /// - Throws: `CancellationError` if the task was cancelled, when the program is gone; `RunFailure` if it cannot be
  ///   started.
  package func run(
    _ arguments: [String], in folder: String? = nil, input: FileDescriptor? = nil, output: FileDescriptor? = nil
  ) async throws -> Ending {
    let (outputFile, errorFile) = ("\(scratch)/\(UUID().uuidString).out", "\(scratch)/\(UUID().uuidString).err")
    defer {
      unlink(outputFile)
      unlink(errorFile)
    }
    var options = PlatformOptions()
    options.processGroupID = 0
    options.teardownSequence = [
      .send(signal: .interrupt, toProcessGroup: true, allowedDurationToNextStep: ForeignProgram.patience)
    ]
    let ended: TerminationStatus
    do {
      ended = try await Subprocess.run(
        executable, arguments: Arguments(arguments), workingDirectory: folder.map { FilePath($0) },
        platformOptions: options,
        input: .fileDescriptor(
          try input ?? FileDescriptor.open("/dev/null", .readOnly), closeAfterSpawningProcess: true),
        output: .fileDescriptor(
          try output ?? ForeignProgram.file(outputFile), closeAfterSpawningProcess: true),
        error: .fileDescriptor(try ForeignProgram.file(errorFile), closeAfterSpawningProcess: true)
      ).terminationStatus
    } catch {
      try Task.checkCancellation()
      throw RunFailure.failed("\(name): cannot be started: \(error)")
    }
    try Task.checkCancellation()
    let status: Int32 =
      switch ended {
      case .exited(let status): status
      case .signaled(let number): -number
      }
    return Ending(
      status: status, output: ForeignProgram.text(of: outputFile), errors: ForeignProgram.text(of: errorFile))
  }

  private var name: String { "\(executable)" }

  private static func file(_ path: String) throws -> FileDescriptor {
    try FileDescriptor.open(path, .writeOnly, options: [.create, .closeOnExec], permissions: .ownerReadWrite)
  }

  private static func text(of path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }
}
