import ArgumentParser
import Harness
import MachineCore

/// What the user sees and does meanwhile.
struct ScreenFlags: ParsableArguments {
  private static let standard = RunOptions()

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Screens, each with a fetched results controller. (default: \(standard.viewControllers))", valueName: "n"),
    transform: OptionValue.integer(in: 0...100))
  var viewControllers = standard.viewControllers

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Rows on a screen. (default: \(standard.visibleRows))", valueName: "n"),
    transform: OptionValue.integer(in: 0...10_000))
  var visibleRows = standard.visibleRows

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Rows per second that the first screen scrolls. (default: \(standard.scrollSpeed))", valueName: "rows"),
    transform: OptionValue.integer(in: 0...1_000_000))
  var scrollSpeed = standard.scrollSpeed

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Milliseconds between the user's edits; 0 = no edits. "
        + "(default: \(standard.userEditInterval.nanoseconds / 1_000_000))", valueName: "ms"),
    transform: OptionValue.milliseconds(upTo: 3_600_000))
  var userEditInterval: Span?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Rows per batch of a screen's fetch; 0 = no batching. (default: \(standard.fetchBatchSize))", valueName: "n"),
    transform: OptionValue.integer(in: 0...1_000_000))
  var fetchBatchSize = standard.fetchBatchSize

  @Option(
    help: ArgumentHelp(
      "What a screen's fetch reads. (default: what is shown in per-view-controller, all elsewhere)",
      valueName: "a,b,…"),
    transform: OptionValue.names)
  var propertiesToFetch: [String]?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Ticks per second. (default: \(standard.refreshRate) live; the profile's, simulated)", valueName: "hz"),
    transform: OptionValue.integer(in: 1...1_000))
  var refreshRate: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Milliseconds of CPU that a frame spends beside reading its cells. "
        + "(default: \(standard.frameWork.nanoseconds / 1_000_000))", valueName: "ms"),
    transform: OptionValue.milliseconds(upTo: 10_000))
  var frameWork: Span?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Microseconds of CPU that a frame spends besides on each cell, --visible-rows on each screen however short its "
        + "list is. (default: \(standard.cellWork.nanoseconds / 1_000))", valueName: "us"),
    transform: OptionValue.microseconds(upTo: 100_000))
  var cellWork: Span?
}

// MARK: - Meaning

extension ScreenFlags {
  /// Fills in what concerns the screens.
  func apply(to options: inout RunOptions) {
    options.viewControllers = viewControllers
    options.visibleRows = visibleRows
    options.scrollSpeed = scrollSpeed
    options.userEditInterval = userEditInterval ?? options.userEditInterval
    options.fetchBatchSize = fetchBatchSize
    options.propertiesToFetch = propertiesToFetch
    options.refreshRate = refreshRate ?? options.refreshRate
    options.frameWork = frameWork ?? options.frameWork
    options.cellWork = cellWork ?? options.cellWork
  }
}
