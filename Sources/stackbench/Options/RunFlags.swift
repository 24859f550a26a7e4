import ArgumentParser
import Experiments
import TrialProcesses

/// The flags of `run` that another command accepts in addition to its own.
///
/// The command's help does not list them, but the completion scripts for shells contain them.
struct RunFlags<Group: SettingGroup>: ParsableArguments {
  @OptionGroup(visibility: CompletionScript.isAskedFor ? .default : .hidden) private var flags: SettingFlags<Group>

  /// The given settings.
  var request: RunRequest { flags.request }
}

/// The script with which a shell completes command lines.
enum CompletionScript {
  /// True if this process prints a completion script.
  static let isAskedFor = CommandLine.arguments.dropFirst().first == "--generate-completion-script"
}

/// All settings. `sweep` refuses those that do not concern a single trial.
enum SweepSettings: SettingGroup {
  static var settings: [AnySetting] { SettingTable.standard.settings }
}

/// All settings except for the number of draws, for which `advise` has its own flag.
enum AdviceSettings: SettingGroup {
  static var settings: [AnySetting] {
    SettingTable.standard.settings.filter { $0.name != RunSettings.all.draws.name }
  }
}

/// All settings except for the number of trials, for which `compare` has its own flag.
enum ComparisonSettings: SettingGroup {
  static var settings: [AnySetting] {
    SettingTable.standard.settings.filter { $0.name != RunSettings.all.trials.name }
  }
}
