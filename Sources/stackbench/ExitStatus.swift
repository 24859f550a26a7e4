import TrialProcesses

/// The status with which the process ends.
enum ExitStatus: Int32, Hashable {
  case success = 0
  /// A trial failed or its data did not verify.
  case failed = 1
  /// Something is worse than it was: the gate found a regression, or a comparison says so.
  case worse = 2
  /// Bad usage, damaged or unreadable input, an output folder that cannot be written.
  case badUsage = 64
  /// A file system has no room. Only hidden commands end with it, for their parent; all others end with 1.
  case diskFull = 73
  /// SIGINT, SIGTERM or SIGHUP, after cleaning up.
  case interrupted = 130
}

extension RunFailure {
  /// The status with which a command ends for this failure.
  var status: ExitStatus {
    switch kind {
    case .failed: .failed
    case .badUsage: .badUsage
    case .diskFull: .diskFull
    case .interrupted: .interrupted
    }
  }

  /// Makes the failure of a command that ends with a status.
  init(_ status: ExitStatus, _ message: String) {
    let kind: Kind =
      switch status {
      case .success, .failed, .worse: .failed
      case .badUsage: .badUsage
      case .diskFull: .diskFull
      case .interrupted: .interrupted
      }
    self.init(kind: kind, message)
  }
}
