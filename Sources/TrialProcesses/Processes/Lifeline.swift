import Glibc
import MachineCore

/// A pipe through which children notice that the process that started them has ended, even if it was killed.
///
/// The parent holds the writing end and never writes. Each child has the reading end as its standard input, and exits
/// when it reads the end of the file. `PR_SET_PDEATHSIG` needs no pipe, but it fires when the *thread* that started the
/// child ends, and the threads of a pool may end at any time.
package final class Lifeline: Sendable {
  /// The descriptor that a child gets as its standard input.
  let readingEnd: CInt
  private let writingEnd: CInt

  /// - Throws: `RunFailure` if the pipe cannot be made, for example because the process has too many open files.
  init() throws {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw RunFailure.failed("cannot make a pipe: \(String(cString: strerror(errno)))")
    }
    readingEnd = ends[0]
    writingEnd = ends[1]
    // A child that inherited the writing end would keep itself and the other children alive.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    close(readingEnd)
    close(writingEnd)
  }

  /// Starts a thread that ends the calling process, a child, as soon as its parent is gone. Returns at once.
  ///
  /// It has no effect if standard input is not a pipe, for example if the command was typed at a terminal.
  package static func watch() {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
    _ = OwnThread {
      var byte: UInt8 = 0
      while true {
        let count = read(STDIN_FILENO, &byte, 1)
        if count > 0 || (count < 0 && errno == EINTR) { continue }
        _exit(RunFailure.Kind.failed.rawValue)
      }
    }
  }
}
