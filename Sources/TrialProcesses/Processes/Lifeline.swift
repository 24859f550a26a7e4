import Glibc

/// A pipe by which children notice that the process that started them is gone, killed outright or not.
///
/// The parent holds the writing end and never writes; each child has the reading end as its standard input, and ends
/// when that reads the end of the file. `PR_SET_PDEATHSIG` would do it without a pipe, but it fires when the *thread*
/// that started the child ends, and threads of a pool come and go.
package final class Lifeline: Sendable {
  /// What a child gets as its standard input.
  let readingEnd: CInt
  private let writingEnd: CInt

  /// - Throws: `RunFailure` when the process has no descriptors left.
  init() throws {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw RunFailure.failed("cannot make a pipe: \(String(cString: strerror(errno)))")
    }
    readingEnd = ends[0]
    writingEnd = ends[1]
    // A child that held the writing end would keep itself, and its siblings, alive.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    close(readingEnd)
    close(writingEnd)
  }

  /// Ends the calling process, a child, as soon as its parent is gone. Returns at once.
  ///
  /// Does nothing where standard input is not a pipe, as when a person types the command.
  package static func watch() {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
    var thread = pthread_t()
    pthread_create(&thread, nil, { _ in Lifeline.exitAtEndOfInput() }, nil)
    pthread_detach(thread)
  }

  private static func exitAtEndOfInput() -> UnsafeMutableRawPointer? {
    var byte: UInt8 = 0
    while true {
      let count = read(STDIN_FILENO, &byte, 1)
      if count > 0 || (count < 0 && errno == EINTR) { continue }
      _exit(RunFailure.Kind.failed.rawValue)
    }
  }
}
