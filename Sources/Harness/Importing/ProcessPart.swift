import Topologies

/// The part of a trial's topology that a session wires in its process.
enum ProcessPart: Sendable {
  /// The process is the only one of the trial.
  case whole
  /// The process has the screens and the edits. The import is at the other end of a link.
  case app(ImportLink)
  /// The process has the import only. It sends reports, among them the failures of errors.
  case importing(
    send: @Sendable (ImportReport) -> Void, failure: @Sendable (any Error) -> ImportFailure)

  func topology(of whole: Topology) -> Topology {
    switch self {
    case .whole: whole
    case .app: whole.appPart
    case .importing: whole.importPart
    }
  }

  /// Returns the author of the transactions of the first coordinator of the part. See `WiringOptions.author`.
  func author(in whole: Topology) -> String? {
    switch self {
    case .whole: nil
    case .app: WiredStack.firstAuthor
    case .importing: whole.importCoordinator
    }
  }

  /// Sends a report if the process has the import only.
  func report(_ report: ImportReport) {
    if case .importing(let send, _) = self { send(report) }
  }

  /// Reports an error if the process has the import only.
  func report(_ error: any Error) {
    if case .importing(let send, let failure) = self { send(.failed(failure(error))) }
  }
}
