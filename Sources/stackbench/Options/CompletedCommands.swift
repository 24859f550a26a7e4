import ArgumentParser

/// The commands as completion scripts know them: those that pass flags on to `run` have the flags of `run` as well.
///
/// The program itself reads such flags as words, since what they may be depends on the command. A shell cannot know them
/// then, so scripts are generated from this type in place of `Stackbench`.
struct CompletedCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: Stackbench.configuration.commandName, abstract: Stackbench.configuration.abstract,
    version: Stackbench.configuration.version,
    subcommands: Stackbench.configuration.subcommands.map { command in
      switch command {
      case is SweepCommand.Type: CompletedSweep.self
      case is AdviseCommand.Type: CompletedAdvise.self
      default: command
      }
    })

  private static let flag = "--generate-completion-script"

  /// Returns the script that the arguments ask for, or nil if they ask for something else or name no shell that is known.
  static func script(askedForBy arguments: [String]) -> String? {
    guard arguments.count == 2, arguments[0] == flag, let shell = CompletionShell(rawValue: arguments[1]) else {
      return nil
    }
    return completionScript(for: shell)
  }
}

/// `sweep` with the flags of a simulated run.
private struct CompletedSweep: ParsableCommand {
  static let configuration = SweepCommand.configuration

  @OptionGroup var own: SweepCommand
  @OptionGroup var run: SimulatedRunFlags
}

/// `advise` with the flags of a simulated run.
private struct CompletedAdvise: ParsableCommand {
  static let configuration = AdviseCommand.configuration

  @OptionGroup var own: AdviseCommand
  @OptionGroup var run: SimulatedRunFlags
}

/// The flags of `run` that a command may pass on.
private struct SimulatedRunFlags: ParsableArguments {
  @OptionGroup var topology: TopologyFlags
  @OptionGroup var device: DeviceFlags
  @OptionGroup var workload: WorkloadFlags
  @OptionGroup var screens: ScreenFlags
  @OptionGroup var store: StoreFlags
  @OptionGroup var trials: TrialFlags
}
