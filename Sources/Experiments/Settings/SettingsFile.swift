import Glibc
import InputFiles
import MachineCore
import Reporting
import TrialProcesses

/// The file `stackbench.yaml`, which gives the settings of all runs in its folder.
///
/// It is one mapping. Each key is the name of a setting of the table, and its value is the word that the flag of the
/// setting takes:
///
/// ```yaml
/// model: App.xcdatamodeld
/// workload: feed.json
/// topology: [three-tier, mine.yaml]
/// rows: 5000
/// ```
package struct SettingsFile: Hashable, Sendable {
  /// The name of the file in the working folder.
  package static let name = "stackbench.yaml"
  /// The flag with which a command does not read the file.
  package static let ignoringFlag = "--no-settings-file"
  /// The environment of a program that must not read the file, because all of its settings are in its arguments.
  package static let asideEnvironment = [asideVariable: "1"]

  private static let asideVariable = "STACKBENCH_NO_SETTINGS_FILE"
  /// The largest size of a file, in bytes. A file with all settings and their comments has a tenth of it.
  private static let largestSize = 262_144

  /// The path of the file, as errors name it.
  package let place: String
  /// The settings that the file gives.
  package let request: RunRequest
  /// The names of the given settings in the order of the file.
  let names: [String]
  private let lines: [String: Int]

  /// Reads the text of a file.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - place: The path of the file, as errors name it.
  ///   - table: The settings that the file may give.
  /// - Throws: `YAMLError` that names the file and, if they are known, the line and the key.
  package init(text: String, place: String, _ table: SettingTable = .standard) throws(YAMLError) {
    // A file that has only comments gives no settings.
    let hasSettings = text.split(whereSeparator: \.isNewline).contains { line in
      line.first { !$0.isWhitespace && $0 != "\u{feff}" }.map { $0 != "#" } ?? false
    }
    guard hasSettings else {
      self.init(place: place, request: RunRequest(), names: [], lines: [:])
      return
    }
    let mapping: YAMLMapping
    do throws(YAMLError) {
      mapping = try YAMLMapping(text: text, place: place, keys: table.settings.map(\.name))
    } catch {
      throw Self.shortened(Self.placed(error, in: text), table: table)
    }
    try self.init(mapping, table: table)
  }

  /// Reads the settings below a key of another file.
  ///
  /// - Throws: `YAMLError` that names the file, the line and the key.
  init(_ key: String, in root: YAMLMapping, table: SettingTable = .standard) throws(YAMLError) {
    let mapping: YAMLMapping
    do throws(YAMLError) {
      mapping = try root.mapping(key, keys: table.settings.map(\.name))
    } catch {
      throw Self.shortened(error, table: table)
    }
    try self.init(mapping, table: table)
  }

  private init(_ mapping: YAMLMapping, table: SettingTable) throws(YAMLError) {
    var request = RunRequest()
    var lines: [String: Int] = [:]
    for key in mapping.keys {
      guard let setting = table[key] else { continue }
      request[named: key] = try Self.value(of: setting, in: mapping)
      lines[key] = mapping.line(ofKey: key)
    }
    self.init(
      place: mapping.place, request: request, names: mapping.keys.filter { request[named: $0] != nil }, lines: lines)
  }

  private init(place: String, request: RunRequest, names: [String], lines: [String: Int]) {
    (self.place, self.request, self.names, self.lines) = (place, request, names, lines)
  }

  /// True if the working folder has a file of this name, even one that cannot be read.
  package static var isInWorkingFolder: Bool {
    var status = stat()
    return lstat(name, &status) == 0 || errno != ENOENT
  }

  /// Reads the file of the working folder.
  ///
  /// - Parameter table: The settings that the file may give.
  /// - Returns: The file, or nil if the folder has none or the environment says not to read it.
  /// - Throws: `RunFailure` with status 64 that names the file and, if it is known, the line.
  package static func ofWorkingFolder(_ table: SettingTable = .standard) throws(RunFailure) -> SettingsFile? {
    guard getenv(asideVariable) == nil, isInWorkingFolder else { return nil }
    return try UserInput.read { () throws(YAMLError) in try SettingsFile(at: name, table) }
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - table: The settings that the file may give.
  /// - Throws: `YAMLError` that names the file and, if they are known, the line and the key.
  package init(at path: String, _ table: SettingTable = .standard) throws(YAMLError) {
    let text = try YAMLFile.text(at: path, largestSize: Self.largestSize, of: "settings")
    try self.init(text: text, place: path, table)
  }
}

// MARK: - Values

extension SettingsFile {
  /// Returns the value of a setting, or nil for a switch that is off.
  private static func value(of setting: AnySetting, in mapping: YAMLMapping) throws(YAMLError) -> GivenValue? {
    let key = setting.name
    if mapping.isNull(key) { throw mapping.error(key, "without a value; use \(example(setting)), or remove the line") }
    if setting.isSwitch {
      return try mapping.boolean(key) ? try read("", for: setting, key: key, in: mapping) : nil
    }
    if mapping.isMapping(key) { throw mapping.error(key, "not a single value; use \(example(setting))") }
    guard mapping.isList(key) else { return try read(try mapping.string(key), for: setting, key: key, in: mapping) }
    guard setting.isRepeatable else {
      throw mapping.error(key, "a list, but the setting has one value; use \(example(setting))")
    }
    var joined: GivenValue?
    for (place, text) in try mapping.texts(key).enumerated() {
      let value = try read(text, for: setting, key: "\(key)[\(place)]", in: mapping)
      joined = joined?.followed(by: value) ?? value
    }
    return joined
  }

  private static func read(
    _ text: String, for setting: AnySetting, key: String, in mapping: YAMLMapping
  ) throws(YAMLError) -> GivenValue {
    do {
      // A path that C functions receive would end at the character.
      guard !text.unicodeScalars.contains("\0") else {
        throw OptionValue.Refusal(description: "contains the character NUL; leave it out")
      }
      return try setting.read(text)
    } catch {
      let quoted = setting.isSwitch ? "" : "\(QuotedText.of(text)): "
      throw YAMLError(
        .invalidValue, "\(quoted)\(error)", place: mapping.place, line: mapping.line(of: key), key: mapping.path + key)
    }
  }

  /// Returns an error about a key that is given twice with the line of its second place, or the error itself.
  private static func placed(_ error: YAMLError, in text: String) -> YAMLError {
    guard error.code == .malformedText, let key = error.key else { return error }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let places = lines.indices.filter { lines[$0].hasPrefix("\(key):") }
    guard places.count > 1 else { return error }
    var error = error
    error.line = places[1] + 1
    return error
  }

  private static func example(_ setting: AnySetting) -> String { "\(setting.name): <\(setting.placeholder)>" }

  /// Returns an error about an unknown key with the nearest name in place of the list of all names.
  private static func shortened(_ error: YAMLError, table: SettingTable) -> YAMLError {
    guard error.code == .unknownKey else { return error }
    var error = error
    let flaw = error.message.prefix { $0 != ";" }
    let name = error.key?.split(separator: ".").last.map(String.init)
    let nearest = name.map { NearestName.clause($0, among: table.settings.map(\.name)) } ?? ""
    error.message =
      "\(flaw); \(nearest)use the name of a flag that 'stackbench run --help' lists before RESULTS, without its dashes"
    return error
  }
}

// MARK: - Use

extension SettingsFile {
  /// Returns the settings that a command takes from the file: those that it accepts and that its flags do not give.
  ///
  /// The version of a model and a store belong to the model, and a map to the feed. They are not taken if the flags give
  /// another model or another workload. A generated workload has entities of its own, so that the model and what belongs
  /// to it are not taken then.
  ///
  /// - Parameters:
  ///   - given: The settings that the flags of the command give.
  ///   - accepts: A function that indicates whether the command accepts a setting.
  ///   - table: The settings.
  /// - Returns: The names of the settings in the order of the file.
  package func namesTaken(
    beside given: RunRequest, accepting accepts: (AnySetting) -> Bool, _ table: SettingTable = .standard
  ) -> [String] {
    let settings = RunSettings.all
    let model = settings.model.name
    let owners = [
      settings.modelVersion.name: model, settings.store.name: model, settings.map.name: settings.workload.name,
    ]
    let givesEntities = given.workload.map { !$0.isFeed } ?? false
    return names.filter { name in
      let isReplaced = ([name] + [owners[name]].compactMap(\.self)).contains { given[named: $0] != nil }
      let isUnused = givesEntities && (name == model || owners[name] == model)
      return !isReplaced && !isUnused && table[name].map(accepts) ?? false
    }
  }

  /// Returns a failure with the line of the file before its message if the message begins with a setting that was taken
  /// from the file, or with its value.
  ///
  /// - Parameters:
  ///   - failure: The failure.
  ///   - names: The names of the settings that were taken from the file.
  /// - Returns: The failure with the place of the setting, or the failure itself.
  package func located(_ failure: RunFailure, among names: [String]) -> RunFailure {
    let message = failure.message
    let name = names.first { name in
      let starts = [SettingFlag.named(name)] + (request[named: name]?.words ?? [])
      return starts.contains { start in
        !start.isEmpty && message.hasPrefix(start) && [":", " "].contains(message.dropFirst(start.count).first)
      }
    }
    guard failure.kind == .badUsage, let name else { return failure }
    return .usage("\(lines[name].map { "\(place):\($0)" } ?? place): \(message)")
  }
}
