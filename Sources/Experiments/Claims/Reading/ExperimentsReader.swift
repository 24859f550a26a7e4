import InputFiles
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
    var experiment = ClaimExperiment(
      id: id, machine: .simulated, subject: .stacks(RunRequest()), stacks: [], varied: [], draws: 0, mayFail: false)
    let keys = mapping.has("scenario") ? scenarioKeys : mapping.has("peers") ? peersKeys : stacksKeys
    experiment = try keys.value(of: try root.mapping(id, keys: keys.names()), experiment)
    if case .stacks(var request) = experiment.subject {
      if experiment.machine == .simulated { request.draws = experiment.draws }
      experiment.subject = .stacks(request)
      experiment.stacks = try checkedTopologies(of: experiment, root).map(\.title)
    }
    return experiment
  }

  private var stacksKeys: [YAMLKey<ClaimExperiment>] {
    [
      .standard("machine", \.machine, .listedChoice, .simulated),
      .reading("settings", isRequired: true) { (mapping, experiment) throws(YAMLError) in
        var request = RunRequest()
        request.machine = experiment.machine
        let settings = try mapping.mapping("settings", keys: nil)
        for name in settings.keys { request[named: name] = try value(name, in: settings) }
        guard settings.has(ClaimExperiment.stackSetting) else {
          throw mapping.error("settings", "has no \(ClaimExperiment.stackSetting); name the stacks")
        }
        if experiment.machine == .live, request.trials == nil {
          throw mapping.error(
            "settings", "has no \(RunSettings.all.trials.name); give their number for a live machine")
        }
        experiment.subject = .stacks(request)
      },
      .reading("vary") { (mapping, experiment) throws(YAMLError) in
        experiment.varied = try varied(mapping, settings: try mapping.mapping("settings", keys: nil))
      },
      Self.drawsKey.checked { (experiment, mapping) throws(YAMLError) in
        guard experiment.draws > 0, experiment.machine == .live else { return }
        throw mapping.error("draws", "a live machine draws no devices; leave it out")
      },
      .standard("may-fail", \.mayFail, .flag, false),
    ]
  }

  private static let drawsKey = YAMLKey<ClaimExperiment>.standard("draws", \.draws, .integer(in: 0...1_000), 0)

  private func varied(
    _ mapping: YAMLMapping, settings: YAMLMapping
  ) throws(YAMLError) -> [ClaimExperiment.Varied] {
    let vary = try mapping.mapping("vary", keys: nil)
    var varied: [ClaimExperiment.Varied] = []
    for name in vary.keys {
      if name == ClaimExperiment.stackSetting || settings.has(name) {
        throw vary.error(name, "cannot be varied, because settings has it; use it once")
      }
      let values = try YAMLForm.differentTexts.read(vary, name)
      for text in values { _ = try value(text, of: name, in: vary) }
      varied.append(ClaimExperiment.Varied(name: name, values: values))
      guard varied.reduce(1, { $0 * $1.values.count }) <= Self.mostPoints else {
        throw vary.error(
          name, "has more than \(Self.mostPoints) combinations with the settings above; use fewer values")
      }
    }
    return varied
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
  private var scenarioKeys: [YAMLKey<ClaimExperiment>] {
    let profileName = ClaimExperiment.profileSetting
    return [
      .reading("scenario", isRequired: true) { (mapping, experiment) throws(YAMLError) in
        let name = try mapping.name("scenario", of: ScenarioLibrary.all.map(\.id))
        let profile = mapping.has(profileName) ? try mapping.text(profileName) : ProfileLibrary.standardName
        _ = try value(profile, of: profileName, in: mapping)
        experiment.subject = .scenario(name, profile: profile)
        experiment.stacks = Scenario.SideName.allCases.map(\.rawValue)
        experiment.mayFail = true
      },
      .reading(profileName) { _, _ in },
      .reading("vary") { (mapping, experiment) throws(YAMLError) in
        let vary = try mapping.mapping("vary", keys: [profileName])
        let profiles = try YAMLForm.differentTexts.read(vary, profileName)
        for profile in profiles { _ = try value(profile, of: profileName, in: vary) }
        experiment.varied.append(ClaimExperiment.Varied(name: profileName, values: profiles))
      },
      .reading("seeds") { (mapping, experiment) throws(YAMLError) in
        let seeds = 1...(try mapping.integer("seeds", in: 1...Self.mostSeeds))
        experiment.varied.append(
          ClaimExperiment.Varied(name: ClaimExperiment.seedSetting, values: seeds.map { "\($0)" }))
      },
      Self.drawsKey,
    ]
  }

  private var peersKeys: [YAMLKey<ClaimExperiment>] {
    [
      .required("peers", \.stacks, .differentTexts),
      .reading("cases", isRequired: true) { (mapping, experiment) throws(YAMLError) in
        (experiment.machine, experiment.subject) = (.live, .peers)
        experiment.varied = [
          ClaimExperiment.Varied(name: PeersFile.caseColumn, values: try YAMLForm.differentTexts.read(mapping, "cases"))
        ]
      },
    ]
  }
}

extension YAMLForm<[String]> {
  /// The form of a list of texts that must be different.
  fileprivate static var differentTexts: YAMLForm {
    YAMLForm { (mapping, name) throws(YAMLError) in
      let values = try mapping.texts(name)
      if let twice = values.indices.first(where: { values[..<$0].contains(values[$0]) }) {
        throw mapping.error(name, "\(values[twice]) appears twice; use each value once")
      }
      return values
    }
  }
}
