import ArgumentParser
import Experiments
import InputFiles
import Topologies

/// A group of settings that become flags of a command.
protocol SettingGroup {
  static var settings: [AnySetting] { get }
}

/// Flags for some settings of a run, made from their declarations.
///
/// The argument parser finds the flags of a type among the children of its mirror. The mirror of this type has a child
/// for each setting of its group instead of stored properties:
///
/// ```swift
/// @OptionGroup(title: "WORKLOAD") var workload: SettingFlags<WorkloadSettings>
/// ```
struct SettingFlags<Group: SettingGroup>: ParsableArguments, CustomReflectable {
  /// The given settings.
  private(set) var request = RunRequest()

  init() {}

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: SettingKey.self)
    for setting in Group.settings { request[named: setting.name] = try setting.given(in: values) }
  }

  var customMirror: Mirror {
    Mirror(self, children: Group.settings.map { (label: $0.name, value: $0.flag) })
  }
}

/// The name of a setting as a key for the argument parser's decoder.
private struct SettingKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension AnySetting {
  /// The property wrapper that describes the flag to the argument parser.
  fileprivate var flag: any Decodable {
    let name = NameSpecification.customLong(name)
    if isSwitch { return Flag(wrappedValue: false, name: name, help: argumentHelp) }
    let read = read
    if isRepeatable {
      return Option<[GivenValue]>(
        wrappedValue: [], name: name, help: argumentHelp, completion: completion.kind, transform: read)
    }
    return Option<GivenValue?>(
      name: name, parsing: isNumeric ? .unconditional : .next, help: argumentHelp, completion: completion.kind,
      transform: read)
  }

  fileprivate func given(in values: KeyedDecodingContainer<SettingKey>) throws -> GivenValue? {
    let key = SettingKey(stringValue: name)
    if isSwitch { return try values.decode(Flag<Bool>.self, forKey: key).wrappedValue ? try read("") : nil }
    guard isRepeatable else { return try values.decode(Option<GivenValue?>.self, forKey: key).wrappedValue }
    let given = try values.decode(Option<[GivenValue]>.self, forKey: key).wrappedValue
    return given.dropFirst().reduce(given.first) { $0?.followed(by: $1) }
  }

  private var argumentHelp: ArgumentHelp {
    let standard = standardText().map { " (default: \($0))" } ?? ""
    return ArgumentHelp("\(help)\(standard)", discussion: discussion, valueName: isSwitch ? nil : placeholder)
  }
}

extension CompletionKind {
  /// The completion of an argument that names a stack: the names of all stacks, and files that describe one.
  static var stack: CompletionKind {
    SettingCompletion.listOrFiles(Topology.known.map(\.title), endings: TopologyFile.endings).kind ?? .file()
  }
}

extension SettingCompletion {
  fileprivate var kind: CompletionKind? {
    switch self {
    case .none: nil
    case .list(let values): .list(values)
    // Completions are either a list or files. This command prints both.
    case .listOrFiles(let values, let endings):
      .shellCommand(
        "printf '%s\\n' \(values.joined(separator: " ")); "
          + "ls -d -- \(endings.map { "*.\($0)" }.joined(separator: " ")) 2>/dev/null")
    }
  }
}

// MARK: - The groups of run

enum StackSettings: SettingGroup {
  static var settings: [AnySetting] { SettingTable.standard.settings(in: .stacks) }
}

enum MachineSettings: SettingGroup {
  static var settings: [AnySetting] { SettingTable.standard.settings(in: .machine) }
}

enum WorkloadSettings: SettingGroup {
  static var settings: [AnySetting] { SettingTable.standard.settings(in: .workload) }
}

enum ScreenSettings: SettingGroup {
  static var settings: [AnySetting] { SettingTable.standard.settings(in: .screens) }
}

enum StoreSettings: SettingGroup {
  static var settings: [AnySetting] { SettingTable.standard.settings(in: .store) }
}

enum TrialSettings: SettingGroup {
  static var settings: [AnySetting] { SettingTable.standard.settings(in: .trials) }
}

/// The settings that choose the records of a small import and the entities that they fill. Its workload is `flat` by
/// default, which has one entity.
enum RecordSettings: SettingGroup {
  static var settings: [AnySetting] {
    ["workload", "model", "model-version", "map", "on-bad-record", "max-record-bytes"].compactMap { name in
      var setting = SettingTable.standard[name]
      if name == "workload" { setting?.standardText = { "flat, or rows for the model" } }
      return setting
    }
  }
}

/// The profile of the simulated device alone.
enum ProfileSettings: SettingGroup {
  static var settings: [AnySetting] { ["profile"].compactMap { SettingTable.standard[$0] } }
}

/// The profile of the simulated device in place of those that experiments have.
enum ExperimentDeviceSettings: SettingGroup {
  static var settings: [AnySetting] {
    var setting = SettingTable.standard["profile"]
    setting?.standardText = { "the devices of each experiment" }
    return [setting].compactMap(\.self)
  }
}

/// The settings of the simulated device.
enum DeviceSettings: SettingGroup {
  static var settings: [AnySetting] {
    ["profile", "schedule-seed"].compactMap { SettingTable.standard[$0] }
  }
}
