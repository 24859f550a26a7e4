import ArgumentParser
import Harness
import MachineCore

/// How often each stack is measured.
struct TrialFlags: ParsableArguments {
  private static let standard = RunOptions()
  private static let live = StandardSizes.of(.live)
  private static let simulated = StandardSizes.of(.simulated)
  private static let standardIdleSeconds = 2

  /// The limit in seconds unless one is given.
  private static func standardTimeLimit(_ machine: MachineKind) -> Int64 {
    machine == .live ? standard.timeLimit.nanoseconds / 1_000_000_000 : 600
  }

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Trials of each stack, each in a process of its own, in turns. "
        + "(default: \(live.trials) live, \(simulated.trials) simulated)", valueName: "n"),
    transform: OptionValue.integer(in: 1...1_000))
  var trials: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Throw-away imports of at most 2000 records before each trial, in its process. "
        + "(default: \(live.warmup) live, \(simulated.warmup) simulated)",
      valueName: "n"),
    transform: OptionValue.integer(in: 0...100))
  var warmup: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where the random numbers start. (default: \(standard.seed))", valueName: "n"),
    transform: OptionValue.seed)
  var seed = standard.seed

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seconds after which a trial counts as hung and is killed: of wall time live, of processor time simulated. "
        + "(default: \(standardTimeLimit(.live)) live, \(standardTimeLimit(.simulated)) simulated)", valueName: "s"),
    transform: OptionValue.integer(in: 1...86_400))
  var timeLimit: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Milliseconds after the first payload's arrival at which the app dies. (default: it lives)",
      discussion: "What was lost then goes to killed.csv and to standard output, in place of all measures; nothing "
        + "else is written but manifest.json.",
      valueName: "ms"),
    transform: OptionValue.milliseconds(upTo: 3_600_000))
  var killAt: Span?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seconds of idle ticks before the trials, which tell how quiet the machine is; 0 = none. "
        + "(default: \(standardIdleSeconds))",
      valueName: "s"),
    transform: OptionValue.integer(in: 0...3_600))
  var idleSeconds = standardIdleSeconds

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Times that a live trial is repeated where the computer's speed changed during it by more than 10 %; in all at "
        + "most half as many as there are trials. 0 = never. (default: \(TrialRepeats.standardLimit))",
      valueName: "n"),
    transform: OptionValue.integer(in: 0...100))
  var repeatLimit = TrialRepeats.standardLimit

  @Flag(
    help: ArgumentHelp(
      "Before each trial write its name to standard output and wait for a line on standard input.",
      discussion: "For programs that let two live runs take turns. The first trial that fails ends the run."))
  var takeTurns = false
}

// MARK: - Meaning

extension TrialFlags {
  /// Trials of each topology.
  func trialCount(machine: MachineKind) -> Int { trials ?? StandardSizes.of(machine).trials }

  /// Fills in what concerns trials.
  ///
  /// - Throws: `CommandFailure` when the app would die after the trial's time limit, or simulations would take turns.
  func apply(to options: inout RunOptions, machine: MachineKind) throws {
    options.warmup = warmup ?? StandardSizes.of(machine).warmup
    options.seed = seed
    options.timeLimit = .seconds(timeLimit.map(Int64.init) ?? TrialFlags.standardTimeLimit(machine))
    options.killAt = killAt
    if takeTurns, machine == .simulated {
      throw CommandFailure.usage("--take-turns: simulations do not disturb each other; use it with --machine live")
    }
    if let killAt, killAt >= options.timeLimit {
      throw CommandFailure.usage(
        "--kill-at \(SpanText.milliseconds(killAt)): not before the time limit of "
          + "\(options.timeLimit.nanoseconds / 1_000_000_000) s; use less, or a larger --time-limit")
    }
  }
}
