import ArgumentParser
import Experiments
import MachineCore
import Metrics
import TrialProcesses

/// The limits that a stack has to meet to be advised.
struct LimitFlags: ParsableArguments {
  private static let longestMilliseconds = 3_600_000
  private static let longestSeconds = 3_600

  @Option(
    millisecondsUpTo: 1_000,
    help:
      "Milliseconds of hitches in a second of the import, at most (hitch_us_per_s); Apple's band for scrolling calls less "
      + "than 5 good.", valueName: "ms/s")
  var maxHitch: TimeSpan?

  @Option(millisecondsUpTo: longestMilliseconds, help: "Milliseconds of the longest stall, at most (stall_ns_max).")
  var maxStall: TimeSpan?

  @Option(
    millisecondsUpTo: longestMilliseconds,
    help: "Milliseconds from a payload's arrival until it is on screen, at most (time_to_visible_ns_max).")
  var maxTimeToVisible: TimeSpan?

  @Option(
    millisecondsUpTo: longestMilliseconds,
    help:
      "Milliseconds for which a payload is on screen and would not survive the app's death, at most (at_risk_ns_max).")
  var maxAtRisk: TimeSpan?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Refused: what simulated stacks hold is counted by rule and can be compared among them, but not with an app's "
        + "memory. Use --priority memory.", valueName: "size"))
  var maxHeap: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seconds of the whole import, at most (import_ns).", valueName: "s"),
    transform: OptionValue.seconds(upTo: longestSeconds))
  var maxImport: TimeSpan?

  @Option(
    millisecondsUpTo: longestMilliseconds,
    help: "Milliseconds from the user's edit until it is on screen, at most (edit_response_ns_max).")
  var maxEditResponse: TimeSpan?
}

// MARK: - Meaning

extension LimitFlags {
  /// Refuses `--max-heap`, since the heap of a simulation cannot be compared with an app's memory.
  ///
  /// - Throws: `RunFailure` with status 64 if that limit is given.
  func validateComparable() throws {
    guard let maxHeap else { return }
    throw RunFailure.usage(
      "--max-heap \(maxHeap): a simulated heap counts objects, rows and changes only, a small part of an app's memory, so "
        + "that a limit in bytes has no meaning; use --priority memory, or measure with stackbench run")
  }

  /// The given limits, in the order of the flags above.
  var asked: [AdviceLimit] {
    [
      // One millisecond in a second is 1,000 µs/s.
      maxHitch.map { .hitchRatio(microsecondsPerSecond: $0.nanoseconds / 1_000) },
      maxStall.map { .stall(nanoseconds: $0.nanoseconds) },
      maxTimeToVisible.map { .timeToVisible(nanoseconds: $0.nanoseconds) },
      maxAtRisk.map { .atRisk(nanoseconds: $0.nanoseconds) },
      maxImport.map { .importing(nanoseconds: $0.nanoseconds) },
      maxEditResponse.map { .editResponse(nanoseconds: $0.nanoseconds) },
    ].compactMap(\.self)
  }
}
