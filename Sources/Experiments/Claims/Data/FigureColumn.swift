import Metrics
import Reporting

/// The columns that figures have for each subject of an experiment.
enum FigureColumn {
  /// 1 if the trial came to its end, and 0 if it stopped.
  static let ended = "ended"
  /// 1 if the trial came to its end and its data is right, and 0 otherwise.
  static let verified = "verified"

  /// Returns the names of the columns that the figures of an experiment can have.
  static func names(in experiment: ClaimExperiment) -> [String] {
    switch experiment.subject {
    case .scenario: ScenarioColumn.allCases.map(\.rawValue)
    case .peers: PeerColumn.allCases.map(\.rawValue)
    case .stacks(let request):
      [ended, verified] + (request.killAt == nil ? Measure.all.map(\.name) : KilledTable.countNames)
    }
  }
}

/// The columns of the figures of a scenario's side.
enum ScenarioColumn: String, CaseIterable {
  /// 1 if the program came to its end, and 0 otherwise.
  case ended
  /// 1 if threads waited for each other in a circle, and 0 otherwise.
  case deadlocked
  /// 1 if misuse stopped the process, and 0 otherwise.
  case trapped
  /// 1 if the side shows every symptom of the scenario, and 0 otherwise.
  case shown
  /// The calls that failed.
  case errors = "errors_count"
  /// The observations that are not right.
  case wrong = "wrong_count"
  /// The statements that ran on the main thread.
  case mainStatements = "main_statements_count"
  /// The time of all blocks of the main thread, waits included.
  case mainBusy = "main_busy_ns"
  /// The longest block of the main thread, or 0 if it ran none.
  case mainBlock = "main_block_ns_max"
  /// The longest wait of the main thread, or 0 if it never waited.
  case mainWait = "main_wait_ns_max"
  /// The first span that the program measured. It has no value if the program measured none.
  case measured = "measured_ns"

  /// The unit of the column's figures.
  var unit: FigureUnit {
    switch self {
    case .mainBusy, .mainBlock, .mainWait, .measured: .milliseconds
    case .ended, .deadlocked, .trapped, .shown, .errors, .wrong, .mainStatements: .count
    }
  }
}

/// The columns of the figures of peers, which have the names of their columns in the file of `make peers`.
enum PeerColumn: String, CaseIterable {
  /// The median of the time for a row.
  case median = "ns_per_row_median"
  /// The least time for a row.
  case least = "ns_per_row_min"
}
