import InputFiles
import Reporting

/// The text of a new file of settings: those that were found in a folder, with a comment on each, and others as comments.
package struct SettingsFileText {
  /// A setting of the file.
  private struct Entry {
    var name: String
    /// The value that the file gives, or nil if the setting is a comment.
    var value: YAMLValue?
    /// A remark about the value.
    var remark = ""
    /// Other values, as comments.
    var others: [(value: YAMLValue, remark: String)] = []
  }

  /// The settings that most users change, which follow those that were found.
  private static let common: [String] = {
    let settings = RunSettings.all
    return [
      settings.rows.name, settings.existingRows.name, settings.batchSize.name, settings.machine.name,
      settings.profile.name, settings.topology.name,
    ]
  }()
  /// The width of comments. They are one column narrower than code, for the mark before them.
  private static let width = 98

  private let survey: FolderSurvey
  private let table: SettingTable

  /// Creates the text of a file.
  ///
  /// - Parameters:
  ///   - survey: The files that were found.
  ///   - table: The settings that a file may give.
  package init(_ survey: FolderSurvey, table: SettingTable = .standard) {
    self.survey = survey
    self.table = table
  }

  /// The lines of the file, with a line break at the end.
  package var text: String {
    let header = Self.comment(
      "Settings of Stackbench for this folder. The commands run, sweep, advise, compare --live, explain, "
        + "topologies --format swift and inspect read them if they are called here. Each name is that of a flag of "
        + "'stackbench run'. A flag of the command line replaces the value, and --no-settings-file leaves the file "
        + "aside. Paths are relative to this folder.")
    return ([header] + entries.map(lines)).map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  /// The names of the settings that the file gives, with their values and a remark on each.
  package var given: [(name: String, value: String, remark: String)] {
    entries.compactMap { entry in
      entry.value.map { (entry.name, Self.plain($0), entry.remark) }
    }
  }

  /// The number of found files that the text has as comments.
  package var commentCount: Int {
    let choices = [survey.models, survey.feeds, survey.stores].map(\.others.count)
    return choices.reduce(0, +) + survey.topologies.count + survey.maps.count + survey.profiles.count
  }

  private var entries: [Entry] {
    let settings = RunSettings.all
    var entries = [Self.entry(settings.model.name, choice: survey.models)]
    if let version = survey.modelVersion {
      entries.append(
        Entry(name: settings.modelVersion.name, value: .text(version), remark: "the version of the store"))
    }
    entries.append(Self.entry(settings.workload.name, choice: survey.feeds))
    entries.append(Self.entry(settings.map.name, choice: FolderSurvey.Choice(others: survey.maps)))
    entries.append(Self.entry(settings.store.name, choice: survey.stores))
    entries += Self.common.map { Entry(name: $0, others: others(of: $0)) }
    return entries
  }

  private static func entry(_ name: String, choice: FolderSurvey.Choice) -> Entry {
    Entry(
      name: name, value: choice.chosen.map { .text($0.path) }, remark: choice.chosen?.remark ?? "",
      others: choice.others.map { (.text($0.path), $0.remark) })
  }

  /// Returns the values of a common setting that the found files suggest.
  private func others(of name: String) -> [(value: YAMLValue, remark: String)] {
    let settings = RunSettings.all
    switch name {
    case settings.topology.name:
      return survey.topologies.map { (.list([.text(StackNames.all), .text($0.path)]), "with \($0.remark)") }
    case settings.profile.name: return survey.profiles.map { (.text($0.path), $0.remark) }
    default: return []
    }
  }
}

// MARK: - Lines

extension SettingsFileText {
  private func lines(_ entry: Entry) -> [String] {
    guard let setting = table[entry.name] else { return [] }
    let standard = setting.standardText().map { " (default: \($0))" } ?? ""
    var lines = Self.comment("\(setting.help)\(standard)")
    if let value = entry.value {
      lines.append(Self.line(entry.name, value: value, remark: entry.remark))
    } else if entry.others.isEmpty {
      lines.append("# \(entry.name): \(Self.example(setting))")
    }
    return lines + entry.others.map { "# " + Self.line(entry.name, value: $0.value, remark: $0.remark) }
  }

  private static func line(_ name: String, value: YAMLValue, remark: String) -> String {
    "\(name): \(plain(value))" + (remark.isEmpty ? "" : "  # \(remark)")
  }

  /// Returns a value as the file has it. Unlike other texts, paths need no quotes.
  private static func plain(_ value: YAMLValue) -> String {
    switch value {
    case .text(let path):
      let isPlain = path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
        YAMLValue.text(String(part)).plain == part
      }
      return isPlain ? path : value.plain
    case .list(let items): return "[\(items.map(plain).joined(separator: ", "))]"
    default: return value.plain
    }
  }

  /// Returns the default value of a setting if it is a value that the setting takes, or the placeholder of help.
  private static func example(_ setting: AnySetting) -> String {
    let standard = setting.standardText() ?? ""
    // A number may be followed by words about other numbers.
    let number = String(standard.prefix { !",; ".contains($0) })
    if Int(number) != nil, (try? setting.read(number)) != nil { return number }
    let isValue = !standard.isEmpty && !standard.contains(" ") && (try? setting.read(standard)) != nil
    return isValue ? YAMLValue.text(standard).plain : "<\(setting.placeholder)>"
  }

  /// Returns a text as lines of a comment.
  private static func comment(_ text: String) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + word.count < width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append("# \(word)")
      }
    }
    return lines
  }
}
