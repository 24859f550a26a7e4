import Glibc
import MachineCore

/// The standard input of a child process, whose other end only its parent has.
///
/// `PR_SET_PDEATHSIG` needs no descriptor, but it fires when the *thread* that started the child ends, and the threads
/// of a pool may end at any time.
package enum Lifeline {
  /// Starts a thread that ends this process as soon as the other end of standard input is closed, even in the middle of
  /// a task. Returns at once.
  ///
  /// It has no effect if standard input is neither a pipe nor a socket, for example if the command was typed at a
  /// terminal.
  package static func watch() {
    _ = OwnThread {
      // A hang-up is reported without being asked for.
      var input = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
      while poll(&input, 1, -1) < 0, errno == EINTR {}
      _exit(RunFailure.Kind.failed.rawValue)
    }
  }
}
