import MachineCore
import Reporting
import TrialProcesses

/// The settings of a run in the order of their declaration.
package struct SettingTable: Sendable {
  package let settings: [AnySetting]

  package init(_ settings: [AnySetting]) { self.settings = settings }

  /// Makes a table of the settings that are stored properties of a value.
  package init(of declarations: some Sendable) {
    settings = Mirror(reflecting: declarations).children.compactMap { ($0.value as? any SettingDeclaration)?.erased }
  }

  /// The settings of this program.
  package static let standard = SettingTable(of: RunSettings.all)

  /// Returns the setting with a name, which has no dashes, or nil if there is no such setting.
  package subscript(_ name: String) -> AnySetting? { settings.first { $0.name == name } }

  /// Returns the settings that have a use.
  package func settings(for use: SettingUse) -> [AnySetting] { settings.filter { $0.uses.contains(use) } }

  /// Returns the settings of a part of a run.
  package func settings(in section: SettingSection) -> [AnySetting] { settings.filter { $0.section == section } }

  /// Returns the text of each setting that the manifest of an experiment records, by name.
  package func recorded(_ experiment: Experiment) -> [String: String] {
    var texts: [String: String] = [:]
    for setting in settings { texts[setting.name] = setting.recordedText(experiment) }
    return texts
  }

  /// Returns the role of each setting when two runs are compared, by name, with the words of the command line.
  package func roles(_ words: CommandWords) -> SettingRoles {
    SettingRoles(Dictionary(uniqueKeysWithValues: settings.map { ($0.name, $0.role) }), words: words)
  }

  /// Reads a value of a setting.
  ///
  /// - Throws: `RunFailure` with status 64 that names the flag, if the name is unknown, or the flag and the value, if
  ///   the setting refuses the value.
  package func value(of name: String, from text: String) throws -> GivenValue {
    guard let setting = self[name] else {
      let nearest = NearestName.clause(SettingFlag.named(name), among: settings.map { SettingFlag.named($0.name) })
      throw RunFailure.usage(
        "\(SettingFlag.named(name)): not a setting of a run; \(nearest)use a flag that 'stackbench run --help' lists "
          + "before RESULTS"
      )
    }
    do {
      return try setting.read(text)
    } catch {
      throw RunFailure.usage("\(SettingFlag.named(name)) \(QuotedText.of(text)): \(error)")
    }
  }
}

/// A declared setting, accessible without the type of its values.
private protocol SettingDeclaration {
  var erased: AnySetting { get }
}

extension Setting: SettingDeclaration {
  var erased: AnySetting { AnySetting(self) }
}
