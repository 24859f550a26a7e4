import Foundation
import Glibc
import Subprocess
import SystemPackage

/// Runs another program, such as git, a Swift build or another version of this program.
///
/// The program has its own process group, which gets an interrupt when the calling task is cancelled. Its output is
/// collected in files, so it may be of any length.
package struct ForeignProgram: Sendable {
  let executable: Executable
  /// The folder of the files that collect the output while the program runs.
  let scratch: String

  /// The time that the program has to clean up after an interrupt before it is killed.
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

    /// The last line on standard error, or the message of a crash, or nil if standard error is empty.
    package var complaint: String? { ChildProcess.lastComplaint(in: errors) }
  }

  /// Runs the program and waits until it ends.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the program.
  ///   - folder: The working directory of the program, or nil for the one of this process.
  ///   - environment: The variables that the program gets in addition to those of this process.
  ///   - input: The descriptor that the program reads, or nil for no input. The function closes it.
  ///   - output: The descriptor to which the program writes, or nil to collect its output. The function closes it.
  /// - Returns: The way in which the program ended.
  /// - Throws: `CancellationError` if the task was cancelled, after the program has ended; `RunFailure` if the program
  ///   cannot be started.
  package func run(
    _ arguments: [String], in folder: String? = nil, environment: [String: String] = [:],
    input: FileDescriptor? = nil, output: FileDescriptor? = nil
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
    let variables = Dictionary(
      uniqueKeysWithValues: environment.map { (Environment.Key(stringLiteral: $0), String?.some($1)) })
    let ended: TerminationStatus
    do {
      ended = try await Subprocess.run(
        executable, arguments: Arguments(arguments), environment: .inherit.updating(variables),
        workingDirectory: folder.map { FilePath($0) },
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
