import MachineCore

/// The connection of a trial with the process of its import, which it uses for all sessions.
///
/// Reports go to the session that is attached. A failure is kept, and fails every later session.
final class ImportLink: Sendable {
  private let process = Guarded<(any ImportProcess)?>(nil)
  private let state = Guarded(State())

  private struct State {
    var receive: (@Sendable (ImportReport) -> Void)?
    var failure: ImportFailure?
  }

  /// Starts the process.
  init(_ start: (@escaping @Sendable (ImportReport) -> Void) throws -> any ImportProcess) throws {
    let started = try start { [weak self] report in self?.receive(report) }
    process.withLock { $0 = started }
  }

  /// The reason for which the process cannot continue, or nil if it can.
  var failure: ImportFailure? { state.withLock { $0.failure } }

  /// Sends all further reports to a closure, which is called on the thread that receives them.
  func attach(_ receive: @escaping @Sendable (ImportReport) -> Void) {
    state.withLock { $0.receive = receive }
  }

  func send(_ command: ImportCommand) {
    process.withLock { $0 }?.send(command)
  }

  func end() {
    process.withLock { $0 }?.end()
  }

  private func receive(_ report: ImportReport) {
    let receive = state.withLock { state in
      if case .failed(let failure) = report, state.failure == nil { state.failure = failure }
      return state.receive
    }
    receive?(report)
  }
}
