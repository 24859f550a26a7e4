import ArgumentParser
import Experiments
import TrialProcesses

/// The flags of `run` that another command takes beside its own.
///
/// Its help does not list them again, but the scripts for shells complete them.
struct RunFlags<Group: SettingGroup>: ParsableArguments {
  @OptionGroup(visibility: CompletionScript.isAskedFor ? .default : .hidden) private var flags: SettingFlags<Group>

  /// The settings that were given.
  var request: RunRequest { flags.request }
}

/// The script with which a shell completes command lines.
enum CompletionScript {
  /// True if this process is to print one.
  static let isAskedFor = CommandLine.arguments.dropFirst().first == "--generate-completion-script"
}

/// The commands that take flags of `run`.
enum RunFlagCommands {
  static let names: Set<String> = ["sweep", "advise", "compare", "topologies"]
}

/// All settings, of which `sweep` refuses those that say nothing about a trial.
enum SweepSettings: SettingGroup {
  static var settings: [AnySetting] { SettingTable.standard.settings }
}

/// All settings but the ones that `advise` has itself.
enum AdviceSettings: SettingGroup {
  static var settings: [AnySetting] {
    SettingTable.standard.settings.filter { $0.name != RunSettings.all.draws.name }
  }
}

/// All settings but the ones that `compare` has itself.
enum ComparisonSettings: SettingGroup {
  static var settings: [AnySetting] {
    SettingTable.standard.settings.filter { $0.name != RunSettings.all.trials.name }
  }
}
