import Foundation
import Glibc
import Subprocess
import SystemPackage

/// Runs other programs to their end: git, Swift's builds, another version of this one.
///
/// Each runs in a process group of its own, which an interrupt reaches when the calling task is cancelled; what it prints
/// goes to files, however much that is.
struct ForeignProgram: Sendable {
  let executable: Executable
  /// Where the files of what it prints lie while it runs.
  let scratch: String

  /// How long it may take to clean up after an interrupt.
  private static let patience = Duration.seconds(10)

  init(named name: String, scratch: String) {
    executable = .name(name)
    self.scratch = scratch
  }

  init(path: String, scratch: String) {
    executable = .path(FilePath(path))
    self.scratch = scratch
  }

  struct Ending: Sendable {
    /// The exit status; minus the signal's number if one killed it.
    var status: Int32
    var output: String
    var errors: String

    /// The last line that it said on standard error.
    var complaint: String? { ChildProcess.lastComplaint(in: errors) }
  }

  /// Runs the program with `arguments` and waits for it.
  ///
  /// - Parameters:
  ///   - input: what it reads, in place of nothing; is closed here, as the next.
  ///   - output: where it writes while it runs; then there is none in the end.
  /// - Throws: `CancellationError` if the task was cancelled, when the program is gone; `CommandFailure` if it cannot be
  ///   started.
  func run(
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
      throw CommandFailure.failed("\(name): cannot be started: \(error)")
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
