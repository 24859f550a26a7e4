/// The commands and options that printed sentences refer to.
///
/// This library does not depend on a command line. The program that prints the sentences supplies the words.
package struct CommandWords: Hashable, Codable, Sendable {
  /// The command that runs the stacks.
  package var run: String
  /// The command that compares two results.
  package var compare: String
  /// The command that prints the floors of the measures.
  package var floors: String
  /// The command that makes the present figures the gate's baseline.
  package var recordBaseline: String
  /// The option that selects JSON.
  package var json: String
  /// The option that selects the stacks. It is repeated for each of them.
  package var stacks: String
  /// The option that sets the number of trials.
  package var trials: String
  /// The characters before the name of a setting.
  package var settingPrefix: String

  package init(
    run: String, compare: String, floors: String, recordBaseline: String, json: String, stacks: String, trials: String,
    settingPrefix: String
  ) {
    self.run = run
    self.compare = compare
    self.floors = floors
    self.recordBaseline = recordBaseline
    self.json = json
    self.stacks = stacks
    self.trials = trials
    self.settingPrefix = settingPrefix
  }

  /// Returns the option that sets the setting of a name.
  package func option(_ name: String) -> String { settingPrefix + name }
}
