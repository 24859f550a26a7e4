import CLinux
import Foundation
import Glibc
import MachineCore

/// A process that runs a hidden command of this program and exchanges lines with it.
///
/// Standard input and output of the process are one socket. The process ends itself when the other end of the socket is
/// closed, in whichever way its parent ends. It has its own process group, so that an interrupt from the terminal
/// reaches only the parent. Its standard error is a file in memory, which shows why it died.
final class ChildProcess: Sendable {
  /// The identifier of the process.
  let identifier: pid_t
  /// The parent's end of the socket.
  private let socket: CInt
  private let state: State
  private let reader: OwnThread

  /// The number of bytes that are read from the end of the standard error.
  private static let complaintLimit = 65_536

  /// A report of a process to its parent.
  enum Report: Sendable {
    /// A line that the process wrote to standard output.
    case line(String)
    /// The process has ended. It is the last report.
    case ended(Ending)
  }

  /// The way in which a process ended.
  struct Ending: Sendable {
    enum Cause: Sendable {
      case exited(status: Int32)
      case killed(signal: Int32)
      case timedOut
    }

    var cause: Cause
    /// The message of a crash, or the last line that the process wrote to standard error, or nil if that is empty.
    var complaint: String?
  }

  /// The parts that the thread that reads lines shares with the object, and keeps if the object is freed.
  private final class State: Sendable {
    /// The file that is the standard error of the process.
    let errors: CInt
    let life = Guarded(Life())

    struct Life: Sendable {
      var hasEnded = false
      var hasTimedOut = false
    }

    init(errors: CInt) { self.errors = errors }

    deinit { Glibc.close(errors) }
  }

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the program.
  ///   - executable: The path of the program, or nil for this one.
  ///   - environment: The variables that are set in addition to the parent's. A variable that is nil is removed.
  ///   - receive: A closure that receives the reports, one after the other, on a separate thread.
  /// - Throws: `RunFailure` if the process cannot be started.
  init(
    _ arguments: [String], executable: String? = nil, environment: [String: String?] = [:],
    receive: @escaping @Sendable (Report) -> Void
  ) throws {
    var ends: [CInt] = [-1, -1]
    let state = State(errors: memfd_create("errors", UInt32(STACKBENCH_MFD_CLOEXEC)))
    guard state.errors >= 0,
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else {
      throw RunFailure.failed("cannot be started: \(String(cString: strerror(errno)))")
    }
    defer { Glibc.close(ends[1]) }
    // Output is written to the end of the file, also after the file was emptied.
    _ = fcntl(state.errors, F_SETFL, O_APPEND)
    do {
      identifier = try ProgramStart(
        executable ?? ChildProcess.executablePath, arguments: arguments,
        // A crash prints one sentence; a backtrace would take seconds, and under a sanitizer minutes.
        environment: environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { own, _ in own },
        descriptors: [ends[1], ends[1], state.errors]
      ).run()
    } catch {
      Glibc.close(ends[0])
      throw error
    }
    socket = ends[0]
    self.state = state
    let lines = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    reader = OwnThread { [identifier] in
      Lines.each(of: lines) { receive(.line($0)) }
      receive(.ended(ChildProcess.ending(of: identifier, state)))
    }
  }

  /// Ends the process unless it has ended, and returns at once.
  deinit {
    close()
    Glibc.close(socket)
  }

  /// Sends a line. A process that has ended ignores it.
  func send(_ line: [UInt8]) {
    Lines.write(line) { Glibc.send(socket, $0, $1, Int32(MSG_NOSIGNAL)) }
  }

  /// Kills the process unless it has ended. Returns at once.
  func kill(isTimedOut: Bool = false) {
    state.life.withLock { life in
      guard !life.hasEnded else { return }
      life.hasTimedOut = isTimedOut
      _ = Glibc.kill(identifier, SIGKILL)
    }
  }

  /// Closes the socket, which ends the process. Returns at once.
  func close() {
    shutdown(socket, Int32(SHUT_RDWR))
  }

  /// Blocks until the process has ended.
  func join() {
    reader.join()
  }

  /// Empties the standard error of the process.
  func forgetErrors() {
    _ = ftruncate(state.errors, 0)
  }

  /// Blocks until a process has ended, and returns the way in which it did.
  private static func ending(of identifier: pid_t, _ state: State) -> Ending {
    let status = ProgramStart.end(of: identifier, life: state.life) { $0.hasEnded = true }
    let life = state.life.withLock { $0 }
    let signal = status & 0x7f
    let cause: Ending.Cause =
      life.hasTimedOut ? .timedOut : signal == 0 ? .exited(status: status >> 8 & 0xff) : .killed(signal: signal)
    return Ending(cause: cause, complaint: lastComplaint(in: errors(in: state.errors)))
  }

  private static func errors(in file: CInt) -> String {
    let start = max(0, lseek(file, 0, SEEK_END) - off_t(complaintLimit))
    var bytes = [UInt8](repeating: 0, count: complaintLimit)
    let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, start) }
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
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
