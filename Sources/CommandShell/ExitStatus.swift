import TrialProcesses

/// The exit status of the process.
package enum ExitStatus: Int32, Hashable {
  case success = 0
  /// A trial failed or its data did not verify.
  case failed = 1
  /// The gate found a regression, or the verdict of a comparison is worse.
  case worse = 2
  /// The usage is bad, input is damaged or cannot be read, or an output folder cannot be written to.
  case badUsage = 64
  /// The command was interrupted by SIGINT, SIGTERM or SIGHUP, and has cleaned up.
  case interrupted = 130
}

extension RunFailure {
  /// The status with which a command ends for this failure.
  package var status: ExitStatus {
    switch kind {
    case .failed, .diskFull, .noFurtherThread: .failed
    case .badUsage: .badUsage
    case .interrupted: .interrupted
    }
  }

  /// Makes the failure of a command that ends with a status.
  package init(_ status: ExitStatus, _ message: String) {
    let kind: Kind =
      switch status {
      case .success, .failed, .worse: .failed
      case .badUsage: .badUsage
      case .interrupted: .interrupted
      }
    self.init(kind: kind, message)
  }
}
