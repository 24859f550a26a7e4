/// The choices that the user of a validation can make.
///
/// ```swift
/// var request = ValidationRequest()
/// request.rows = 2_000
/// let plan = try ValidationPlan(request)
/// ```
package struct ValidationRequest: Hashable, Sendable {
  package static let standardRows = 15_000
  package static let standardTrials = 5
  package static let standardProfile = "host"

  /// The name or path of the simulated device's profile, or nil for the default one.
  package var profile: String?
  /// The number of records that each run imports, or nil for the default.
  package var rows: Int?
  /// The number of live runs of each stack on each workload, or nil for the default.
  package var trials: Int?
  /// The largest number of repeats of one live run, which is repeated if the computer's speed changed during it.
  package var repeatLimit = Experiment.standardRepeatLimit
  /// True if live runs have their main thread bound to one core and all others to the rest.
  package var isPinned = true
  /// The seed of the random numbers.
  package var seed: UInt64 = 1
  /// True if the shape and the devices are fitted to published tables.
  package var fits = false
  /// The absolute path of the folder of the results, or nil for the default: the standard folder for a
  /// validation of machines, and no folder for published tables, whose results are then only printed.
  package var output: String?
  /// The absolute path of the folder that contains the stores during the runs, or nil for the default.
  package var scratch: String?
  /// True if the result is printed as JSON.
  package var isJSON = false
  /// True if tables have colours.
  package var usesColour = false

  package init() {}
}
