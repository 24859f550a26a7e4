import Reporting
import TrialProcesses

/// The settings that are given for a run. All other settings have their default values.
///
/// ```swift
/// var request = RunRequest()
/// request.machine = .simulated
/// request.batchSize = 100
/// let experiment = try request.experiment()
/// ```
@dynamicMemberLookup
package struct RunRequest: Hashable, Sendable {
  private var values: [String: GivenValue] = [:]
  /// True if the settings file of the working folder adds nothing to the request. A printed command then has
  /// `--no-settings-file`.
  package var ignoresSettingsFile = false

  package init() {}

  /// The value that is given for a setting, or nil if it is not given.
  package subscript<Value>(_ setting: Setting<Value>) -> Value? {
    get { values[setting.name]?.value as? Value }
    set { values[setting.name] = newValue.map { GivenValue($0, of: setting) } }
  }

  /// The value that is given for a setting of ``RunSettings``, or nil if it is not given.
  package subscript<Value>(dynamicMember path: KeyPath<RunSettings, Setting<Value>>) -> Value? {
    get { self[RunSettings.all[keyPath: path]] }
    set { self[RunSettings.all[keyPath: path]] = newValue }
  }

  /// The value that is given for the setting with a name, or nil if it is not given.
  package subscript(named name: String) -> GivenValue? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// The names of the given settings, in alphabetical order.
  package var givenNames: [String] { values.keys.sorted() }

  var isEmpty: Bool { values.isEmpty }

  /// Returns the request with the settings of another one added. They replace settings with the same name.
  package func merging(_ other: RunRequest) -> RunRequest {
    var merged = self
    for (name, value) in other.values { merged.values[name] = value }
    return merged
  }

  /// Returns the request with only some of its settings.
  package func filtered(_ isKept: (_ name: String) -> Bool) -> RunRequest {
    var kept = self
    kept.values = values.filter { isKept($0.key) }
    return kept
  }

  /// Returns the request with a changed setting.
  package func with<Value>(_ path: KeyPath<RunSettings, Setting<Value>>, _ value: Value) -> RunRequest {
    var changed = self
    changed[dynamicMember: path] = value
    return changed
  }
}

// MARK: - Text

extension RunRequest {
  /// Returns the flags and their values in the order of the table. The value of a switch is nil.
  private func flags(
    _ table: SettingTable, words: (GivenValue) -> [String]
  ) -> [(name: String, value: String?)] {
    table.settings.flatMap { setting -> [(String, String?)] in
      guard let value = values[setting.name] else { return [] }
      return words(value).map { (SettingFlag.named(setting.name), setting.isSwitch ? nil : $0) }
    }
  }

  /// Returns the settings as arguments of a program. They contain the whole description of a stack and not its path.
  package func arguments(_ table: SettingTable = .standard) -> [String] {
    flags(table, words: \.arguments).map { name, value in value.map { "\(name)=\($0)" } ?? name }
  }

  /// Returns a command for a shell, which consists of `start` and these settings.
  package func command(_ start: String, table: SettingTable = .standard) -> String {
    let last: [(String, String?)] = ignoresSettingsFile ? [(SettingsFile.ignoringFlag, nil)] : []
    return PrintedCommand(start, options: flags(table, words: \.words) + last).text
  }

  /// The command that simulates a run with these settings.
  package var runCommand: String {
    filtered { $0 != "machine" }.command("stackbench run \(SettingFlag.of(\.machine, value: .simulated))")
  }

  /// Reads settings from arguments, in the forms `--name=value`, or `--name` followed by the value as the next
  /// argument.
  ///
  /// - Throws: `RunFailure` with status 64 for an argument that is not a setting, and for a missing or invalid value.
  package init(arguments: [String], _ table: SettingTable = .standard) throws {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("--") else { throw RunFailure.usage("unexpected argument '\(word)'; see --help") }
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      var text = parts.count > 1 ? String(parts[1]) : ""
      if parts.count == 1, let setting = table[name], !setting.isSwitch {
        guard let next = rest.popFirst() else {
          throw RunFailure.usage("missing value for '\(SettingFlag.named(name)) <\(setting.placeholder)>'; see --help")
        }
        text = next
      }
      let value = try table.value(of: name, from: text)
      values[name] = values[name].map { $0.followed(by: value) } ?? value
    }
  }
}
