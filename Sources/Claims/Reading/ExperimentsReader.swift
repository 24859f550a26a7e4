import Experiments
import InputFiles
import Scenarios
import Topologies
import TrialProcesses

/// Reads the experiments from the text of a YAML file, strictly.
///
///     payload-sizes:
///       settings: {topology: [all-main, three-tier], rows: 4000}
///       vary: {profile: [iphone-15-pro, iphone-6s], batch-size: [100, 500]}
///       draws: 10
///     sometimes-stops: {scenario: stops-sometimes, seeds: 100}
///     cost-of-objects: {peers: [stackbench, raw], cases: [insert, update]}
///
/// The first is an experiment with stacks, the second one with a scenario, and the third one with peers.
struct ExperimentsReader {
  /// The key of the experiments in a file.
  static let key = "experiments"

  private static let keys = ["machine", "settings", "vary", "draws", "may-fail"]
  private static let scenarioKeys = ["scenario", "profile", "vary", "seeds", "draws"]
  private static let peersKeys = ["peers", "cases"]
  private static let mostSeeds = 1_000
  private static let mostPoints = 10_000
  /// The settings that have keys of their own, or that do not belong to an experiment.
  private static let ownKeys = [
    RunSettings.all.machine.name, RunSettings.all.draws.name, RunSettings.all.checkDeterminism.name,
    RunSettings.all.trace.name, RunSettings.all.takeTurns.name,
  ]

  /// The name that errors use for the file.
  let place: String
  /// The experiments of another file, whose names are taken.
  var known: [ClaimExperiment] = []

  /// Returns the experiments in a text.
  ///
  /// - Throws: `YAMLError` that names the file, the line and the key.
  func experiments(from text: String) throws(YAMLError) -> [ClaimExperiment] {
    try experiments(in: try YAMLMapping(text: text, place: place, keys: [Self.key]))
  }

  /// Returns the experiments in a file that may have other keys too.
  ///
  /// - Throws: `YAMLError` that names the file, the line and the key.
  func experiments(in root: YAMLMapping) throws(YAMLError) -> [ClaimExperiment] {
    let mapping = try root.mapping(Self.key, keys: nil)
    var experiments: [ClaimExperiment] = []
    for id in mapping.keys {
      if known.contains(where: { $0.id == id }) {
        throw mapping.error(id, "the name of a shipped experiment; use another name")
      }
      experiments.append(try experiment(id, in: mapping))
    }
    return experiments
  }

  private func experiment(_ id: String, in root: YAMLMapping) throws(YAMLError) -> ClaimExperiment {
    let mapping = try root.mapping(id, keys: nil)
    if mapping.has("scenario") { return try scenario(id, from: try root.mapping(id, keys: Self.scenarioKeys)) }
    if mapping.has("peers") { return try peers(id, from: try root.mapping(id, keys: Self.peersKeys)) }
    return try stacks(id, in: root)
  }

  private func stacks(_ id: String, in root: YAMLMapping) throws(YAMLError) -> ClaimExperiment {
    let mapping = try root.mapping(id, keys: Self.keys)
    let machine =
      mapping.has("machine")
      ? MachineKind(rawValue: try mapping.name("machine", of: MachineKind.allCases.map(\.rawValue))) ?? .simulated
      : .simulated
    let draws = mapping.has("draws") ? try mapping.integer("draws", in: 0...1_000) : 0
    if draws > 0, machine == .live { throw mapping.error("draws", "a live machine draws no devices; leave it out") }
    var request = RunRequest()
    request.machine = machine
    if machine == .simulated { request.draws = draws }
    let settings = try mapping.mapping("settings", keys: nil)
    for name in settings.keys { request[named: name] = try value(name, in: settings) }
    guard settings.has(ClaimExperiment.stackSetting) else {
      throw mapping.error("settings", "has no \(ClaimExperiment.stackSetting); name the stacks")
    }
    if machine == .live, request.trials == nil {
      throw mapping.error("settings", "has no \(RunSettings.all.trials.name); give their number for a live machine")
    }
    var experiment = ClaimExperiment(
      id: id, machine: machine, subject: .stacks(request), stacks: [], varied: try varied(mapping, settings: settings),
      draws: draws, mayFail: mapping.has("may-fail") ? try mapping.boolean("may-fail") : false)
    experiment.stacks = try checkedTopologies(of: experiment, root).map(\.title)
    return experiment
  }

  private func varied(
    _ mapping: YAMLMapping, settings: YAMLMapping
  ) throws(YAMLError) -> [ClaimExperiment.Varied] {
    guard mapping.has("vary") else { return [] }
    let vary = try mapping.mapping("vary", keys: nil)
    var varied: [ClaimExperiment.Varied] = []
    for name in vary.keys {
      if name == ClaimExperiment.stackSetting || settings.has(name) {
        throw vary.error(name, "cannot be varied, because settings has it; use it once")
      }
      let values = try different(name, in: vary)
      for text in values { _ = try value(text, of: name, in: vary) }
      varied.append(ClaimExperiment.Varied(name: name, values: values))
      guard varied.reduce(1, { $0 * $1.values.count }) <= Self.mostPoints else {
        throw vary.error(
          name, "has more than \(Self.mostPoints) combinations with the settings above; use fewer values")
      }
    }
    return varied
  }

  /// Reads a list of texts that must be different.
  private func different(_ name: String, in mapping: YAMLMapping) throws(YAMLError) -> [String] {
    let values = try mapping.texts(name)
    if let twice = values.indices.first(where: { values[..<$0].contains(values[$0]) }) {
      throw mapping.error(name, "\(values[twice]) appears twice; use each value once")
    }
    return values
  }

  /// Reads a setting of a run, whose value is a text or a list of texts.
  private func value(_ name: String, in settings: YAMLMapping) throws(YAMLError) -> GivenValue {
    var given: GivenValue?
    for text in settings.isList(name) ? try settings.texts(name) : [try settings.text(name)] {
      let next = try value(text, of: name, in: settings)
      given = given.map { $0.followed(by: next) } ?? next
    }
    guard let given else { throw settings.error(name, "empty") }
    return given
  }

  /// Returns a value of a setting of a run, which is the value of the key with the setting's name in a mapping, or in
  /// its list.
  private func value(_ text: String, of name: String, in mapping: YAMLMapping) throws(YAMLError) -> GivenValue {
    guard !Self.ownKeys.contains(name) else {
      throw mapping.error(name, "does not belong here; use the experiment's own keys")
    }
    guard name != RunSettings.all.merge.name else {
      throw mapping.error(name, "does not belong here; name the variants in \(ClaimExperiment.stackSetting)")
    }
    do {
      if name == ClaimExperiment.profileSetting { _ = try UserInput.profile(named: text) }
      return try SettingTable.standard.value(of: name, from: text)
    } catch {
      throw mapping.error(name, "\((error as? RunFailure)?.message ?? "\(error)")")
    }
  }

  /// Checks that each point of an experiment is a run that the program accepts, and returns its stacks, which are the
  /// same at all points.
  private func checkedTopologies(
    of experiment: ClaimExperiment, _ root: YAMLMapping
  ) throws(YAMLError) -> [Topology] {
    do {
      return try experiment.points().map { try $0.request.trialExperiment().topologies }.first ?? []
    } catch {
      throw root.error(experiment.id, "\((error as? RunFailure)?.message ?? "\(error)")")
    }
  }
}

// MARK: - Scenarios and peers

extension ExperimentsReader {
  private func scenario(_ id: String, from mapping: YAMLMapping) throws(YAMLError) -> ClaimExperiment {
    let name = try mapping.name("scenario", of: ScenarioLibrary.all.map(\.id))
    var varied: [ClaimExperiment.Varied] = []
    let profileName = ClaimExperiment.profileSetting
    if mapping.has("vary") {
      let vary = try mapping.mapping("vary", keys: [profileName])
      let profiles = try different(profileName, in: vary)
      for profile in profiles { _ = try value(profile, of: profileName, in: vary) }
      varied.append(ClaimExperiment.Varied(name: profileName, values: profiles))
    }
    if mapping.has("seeds") {
      let count = try mapping.integer("seeds", in: 1...Self.mostSeeds)
      varied.append(
        ClaimExperiment.Varied(name: ClaimExperiment.seedSetting, values: (1...count).map { "\($0)" }))
    }
    let profile = mapping.has(profileName) ? try mapping.text(profileName) : ProfileLibrary.standardName
    _ = try value(profile, of: profileName, in: mapping)
    return ClaimExperiment(
      id: id, machine: .simulated, subject: .scenario(name, profile: profile),
      stacks: Scenario.SideName.allCases.map(\.rawValue), varied: varied,
      draws: mapping.has("draws") ? try mapping.integer("draws", in: 0...1_000) : 0, mayFail: true)
  }

  private func peers(_ id: String, from mapping: YAMLMapping) throws(YAMLError) -> ClaimExperiment {
    ClaimExperiment(
      id: id, machine: .live, subject: .peers, stacks: try different("peers", in: mapping),
      varied: [ClaimExperiment.Varied(name: PeersFile.caseColumn, values: try different("cases", in: mapping))],
      draws: 0, mayFail: false)
  }
}
