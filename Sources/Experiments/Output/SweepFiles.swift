import Reporting

/// The names of the files in the folder of a sweep.
enum SweepFiles {
  static let plan = "plan.jsonl"
  /// The name of the folder of charts.
  static let charts = "charts"
  /// The names of all files, except for the results of trials and the charts.
  static let fixed: Set<String> = [plan, SweepTable.fileName]

  private static let prefix = "trial-"
  private static let suffix = ".json"

  /// Returns the name of the result of a trial, with an index of at least six digits, as in `trial-000007.json`.
  static func result(_ index: Int) -> String {
    // The leading zeros put sorted names in the order of the plan.
    let digits = String(index)
    return prefix + String(repeating: "0", count: max(0, 6 - digits.count)) + digits + suffix
  }

  /// Returns true if a trial's result has a file of this name.
  static func isResult(_ name: String) -> Bool {
    name.hasPrefix(prefix) && name.hasSuffix(suffix)
  }
}
