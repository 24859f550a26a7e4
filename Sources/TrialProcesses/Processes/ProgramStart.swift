import Foundation
import Glibc
import MachineCore

/// The start of a program in a process group of its own, with the default handling of all signals.
struct ProgramStart {
  private let path: String
  private let arguments: [String]
  private let environment: [String: String?]
  private let descriptors: [CInt]

  /// Describes a start.
  ///
  /// - Parameters:
  ///   - path: The path of the program, or a name that is looked up in the folders of `PATH`.
  ///   - arguments: The arguments that follow the name.
  ///   - environment: The variables that are set in addition to those of this process. A variable that is nil is
  ///     removed.
  ///   - descriptors: The descriptors that the program gets as 0, 1 and so on. It gets no others that are closed on
  ///     execution.
  init(_ path: String, arguments: [String], environment: [String: String?], descriptors: [CInt]) {
    self.path = path
    self.arguments = arguments
    self.environment = environment
    self.descriptors = descriptors
  }

  /// Starts the program and returns the identifier of its process.
  ///
  /// - Throws: `RunFailure` if the system cannot start it.
  func run() throws(RunFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (number, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, CInt(number))
    }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var variables = self.variables.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    var process = pid_t()
    let code = posix_spawnp(&process, path, &actions, &attributes, &words, &variables)
    guard code != EAGAIN else { throw RunFailure.noFurtherThread }
    guard code == 0 else { throw RunFailure.failed("cannot be started: \(String(cString: strerror(code)))") }
    return process
  }

  /// Blocks until a program has ended, and returns the status that the system has of it.
  ///
  /// The process identifier stays in use until `ended` has changed `life`. A signal that is sent under the lock of
  /// `life` therefore reaches this program and no other.
  static func end<Life>(of process: pid_t, life: borrowing Guarded<Life>, ended: (inout Life) -> Void) -> Int32 {
    var information = siginfo_t()
    while waitid(P_PID, id_t(process), &information, Int32(WEXITED | WNOWAIT)) != 0, errno == EINTR {}
    return life.withLock { life in
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      ended(&life)
      return status
    }
  }

  private var variables: [String] {
    var variables = ProcessInfo.processInfo.environment
    for (name, value) in environment { variables[name] = value }
    return variables.map { "\($0)=\($1)" }
  }
}
