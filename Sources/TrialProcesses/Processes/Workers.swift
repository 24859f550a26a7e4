import MachineCore

/// The child processes of this process that do tasks.
///
/// All runs of a command share them, so that a worker keeps what it has read.
package final class Workers: Sendable {
  package static let shared = Workers()

  private let executable: String?
  private let arguments: [String]
  /// The workers that wait for their next task, by the name of their tasks.
  private let idle = Guarded<[(name: String, worker: Worker)]>([])

  /// Creates a group without workers.
  ///
  /// - Parameters:
  ///   - executable: The path of the program that does the tasks, or nil for this one.
  ///   - arguments: The arguments of the program before the name of a task.
  init(executable: String? = nil, arguments: [String] = []) {
    self.executable = executable
    self.arguments = arguments
  }

  /// Takes a worker for one task.
  ///
  /// - Parameters:
  ///   - name: The name of the task.
  ///   - isNew: True if the worker must not have done any task.
  ///   - environment: The variables that are set in addition to those of this process if the worker is new. A variable
  ///     that is nil is removed.
  /// - Returns: A worker that has waited, or a new one.
  /// - Throws: `RunFailure` if a new worker cannot be started.
  func take(_ name: String, isNew: Bool, environment: [String: String?]) throws -> Worker {
    let waiting = idle.withLock { idle in
      isNew ? nil : idle.lastIndex { $0.name == name }.map { idle.remove(at: $0).worker }
    }
    return try waiting ?? Worker(arguments + [name], executable: executable, environment: environment)
  }

  /// Keeps a worker for another task with the same name.
  func putBack(_ worker: Worker, doing name: String) {
    idle.withLock { $0.append((name, worker)) }
  }

  /// Ends the workers that wait, and blocks until their processes have ended.
  package func end() {
    let ended = idle.withLock { idle in
      defer { idle = [] }
      return idle
    }
    for (_, worker) in ended { worker.endAndWait() }
  }
}
