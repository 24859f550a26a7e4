import Foundation
import Glibc
import Subprocess
import SystemPackage

/// Runs hidden commands of this program in child processes.
///
/// Each child has its own process group, so that an interrupt from the terminal reaches only the parent. A child is
/// killed when the calling task is cancelled, and ends when the parent is gone.
struct ChildProcess: Sendable {
  private let lifeline: Lifeline

  /// The number of bytes that are kept from the end of a child's standard error.
  private static let complaintLimit = 65_536

  init() throws {
    lifeline = try Lifeline()
  }

  /// The way in which a child ended.
  struct Ending: Sendable {
    enum Cause: Sendable {
      case exited(status: Int32)
      case killed(signal: Int32)
      case timedOut
    }

    var cause: Cause
    /// The last line that the child wrote to standard error, or the message of a crash, or nil if its standard error
    /// was empty.
    var complaint: String?
  }

  /// Runs `stackbench` and waits until it ends.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of `stackbench`.
  ///   - timeLimit: The time after which the child is killed, or nil for no limit.
  ///   - environment: The variables that are set in addition to the parent's. A variable that is nil is removed.
  /// - Returns: The way in which the child ended.
  /// - Throws: `CancellationError` if the task was cancelled, after the child has ended; `RunFailure` if the child
  ///   cannot be started.
  func run(
    _ arguments: [String], timeLimit: Duration?, environment: [Environment.Key: String?] = [:]
  ) async throws -> Ending {
    let ending = await withTaskGroup(of: Result<Ending, any Error>.self) { group in
      group.addTask { await Result { try await start(arguments, environment) } }
      if let timeLimit {
        group.addTask {
          await Result {
            try await Task.sleep(for: timeLimit)
            return Ending(cause: .timedOut)
          }
        }
      }
      let first = await group.next()
      group.cancelAll()
      // The child has ended when its task has, in whichever way the task treats the cancellation.
      await group.waitForAll()
      return first
    }
    try Task.checkCancellation()
    do {
      guard let ending else { throw CancellationError() }
      return try ending.get()
    } catch let error as SubprocessError where error.underlyingError == .resourceTemporarilyUnavailable {
      throw RunFailure.noFurtherThread
    } catch {
      throw RunFailure.failed("cannot be started: \(error)")
    }
  }

  private func start(_ arguments: [String], _ environment: [Environment.Key: String?]) async throws -> Ending {
    var options = PlatformOptions()
    options.processGroupID = 0
    let result = try await Subprocess.run(
      .path(FilePath(ChildProcess.executablePath)),
      arguments: Arguments(arguments),
      // A crash prints one sentence; a backtrace would take seconds, and under a sanitizer minutes.
      environment: .inherit.updating(["SWIFT_BACKTRACE": "enable=no"]).updating(environment),
      platformOptions: options,
      input: .fileDescriptor(FileDescriptor(rawValue: lifeline.readingEnd), closeAfterSpawningProcess: false),
      output: .discarded,
      error: .sequence
    ) { execution in
      var complaints: [UInt8] = []
      for try await buffer in execution.standardError {
        buffer.withUnsafeBytes { complaints.append(contentsOf: $0) }
        complaints.removeFirst(max(0, complaints.count - ChildProcess.complaintLimit))
      }
      return complaints
    }
    let complaint = ChildProcess.lastComplaint(in: String(decoding: result.closureResult, as: UTF8.self))
    switch result.terminationStatus {
    case .exited(let status): return Ending(cause: .exited(status: status), complaint: complaint)
    case .signaled(let number): return Ending(cause: .killed(signal: number), complaint: complaint)
    }
  }

  /// The path of this program's file, or its link in `/proc` if the file was removed or replaced since the start.
  static var executablePath: String {
    let link = "/proc/self/exe"
    guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else { return link }
    return access(target, X_OK) == 0 ? target : link
  }

  /// Returns the message of the last crash in a child's standard error, or its last line if there was no crash. It
  /// returns nil for empty text, and leaves out the prefix `error: `.
  static func lastComplaint(in text: String) -> String? {
    let lines = text.split(whereSeparator: \.isNewline)
    let sentence = lines.last { $0.contains("Fatal error: ") } ?? lines.last
    return sentence.map { line in
      line.hasPrefix("error: ") ? String(line.dropFirst("error: ".count)) : String(line)
    }
  }
}

extension Result where Failure == any Error, Success: Sendable {
  /// Creates the result of `body`: the value that it returns or the error that it throws.
  fileprivate init(_ body: () async throws -> Success) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
