/// A command line that runs stacks, with one option for each setting.
package struct PrintedCommand: Hashable, Sendable {
  private struct Option: Hashable {
    let name: String
    let value: String?
  }

  private let start: String
  private let options: [Option]

  /// Creates a command from its options.
  ///
  /// - Parameters:
  ///   - start: The command before its options.
  ///   - options: The options in their order. An option without a value is a switch.
  package init(_ start: String, options: [(name: String, value: String?)]) {
    self.start = start
    self.options = options.map { Option(name: $0.name, value: $0.value) }
  }

  /// Creates the command that repeats a run.
  ///
  /// - Parameters:
  ///   - settings: The settings as the manifest records them. A setting without a value was not given.
  ///   - roles: The roles of the settings. Precautions are left out, since they change no measure.
  ///   - ownTopologies: The stacks that the user has described. They are written out, so that the command does not need
  ///     their files.
  ///   - map: The map of the feed. It is written out too.
  ///   - switches: The names of settings without a value, which come last.
  package init(
    repeating settings: [String: String], _ roles: SettingRoles, ownTopologies: [OwnTopology] = [],
    map: JSONValue? = nil, switches: [String] = []
  ) {
    let given = settings.filter { !$0.value.isEmpty && roles[$0.key] != .precaution }.sorted { $0.key < $1.key }
    let options = given.flatMap { name, value -> [(name: String, value: String?)] in
      if name == Manifest.SettingName.map.rawValue, let map { return [(roles.words.option(name), map.line)] }
      guard name == Manifest.SettingName.topology.rawValue else { return [(roles.words.option(name), value)] }
      return value.split(separator: " ").map { title in
        (roles.words.stacks, ownTopologies.first { $0.title == title }?.line ?? String(title))
      }
    }
    self.init(roles.words.run, options: options + switches.map { (name: roles.words.option($0), value: nil) })
  }

  /// The command, then each option with its value as a shell takes it.
  package var parts: [String] {
    [start] + options.map { option in option.value.map { "\(option.name) \(ShellWord.quoted($0))" } ?? option.name }
  }

  package var text: String { parts.joined(separator: " ") }
}
