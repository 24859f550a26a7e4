import Experiments
import TrialProcesses
import YAMLReading

/// Reads the experiments from the text of a YAML file, strictly.
///
///     payload-sizes:
///       settings: {topology: [all-main, three-tier], rows: 4000}
///       vary: {profile: [iphone-15-pro, iphone-6s], batch-size: [100, 500]}
///       draws: 10
struct ExperimentsReader {
  private static let keys = ["machine", "settings", "vary", "draws", "may-fail"]
  /// The settings that have keys of their own, or that do not belong to an experiment.
  private static let ownKeys = [
    RunSettings.all.machine.name, RunSettings.all.draws.name, RunSettings.all.checkDeterminism.name,
    RunSettings.all.trace.name, RunSettings.all.takeTurns.name,
  ]

  /// The name that errors use for the file.
  let place: String

  /// Returns the experiments in a text.
  ///
  /// - Throws: `YAMLError` that names the file, the line and the key.
  func experiments(from text: String) throws(YAMLError) -> [ClaimExperiment] {
    let root = try YAMLMapping(text: text, place: place, keys: ["experiments"])
    let mapping = try root.mapping("experiments", keys: nil)
    var experiments: [ClaimExperiment] = []
    for id in mapping.keys { experiments.append(try experiment(id, mapping)) }
    return experiments
  }

  private func experiment(_ id: String, _ root: YAMLMapping) throws(YAMLError) -> ClaimExperiment {
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
    let experiment = ClaimExperiment(
      id: id, machine: machine, stacks: (request.topology ?? []).flatMap(\.topologies).map(\.title), request: request,
      varied: try varied(mapping, settings), draws: draws,
      mayFail: mapping.has("may-fail") ? try mapping.boolean("may-fail") : false)
    try check(experiment, root)
    return experiment
  }

  private func varied(
    _ mapping: YAMLMapping, _ settings: YAMLMapping
  ) throws(YAMLError) -> [ClaimExperiment.Varied] {
    guard mapping.has("vary") else { return [] }
    let vary = try mapping.mapping("vary", keys: nil)
    var varied: [ClaimExperiment.Varied] = []
    for name in vary.keys {
      if name == ClaimExperiment.stackSetting || settings.has(name) {
        throw vary.error(name, "cannot be varied, because settings has it; use it once")
      }
      let values = try vary.texts(name)
      if let twice = values.indices.first(where: { values[..<$0].contains(values[$0]) }) {
        throw vary.error(name, "\(values[twice]) appears twice; use each value once")
      }
      varied.append(ClaimExperiment.Varied(name: name, values: values))
    }
    return varied
  }

  /// Reads a setting of a run, whose value is a text or a list of texts.
  private func value(_ name: String, in settings: YAMLMapping) throws(YAMLError) -> GivenValue {
    guard !Self.ownKeys.contains(name) else {
      throw settings.error(name, "does not belong here; use the experiment's own keys")
    }
    var value: GivenValue?
    for text in settings.isList(name) ? try settings.texts(name) : [try settings.text(name)] {
      do {
        let next = try SettingTable.standard.value(of: name, from: text)
        value = value.map { $0.followed(by: next) } ?? next
      } catch {
        throw settings.error(name, "\(error)")
      }
    }
    guard let value else { throw settings.error(name, "empty") }
    return value
  }

  /// Checks that each point of an experiment is a run that the program accepts.
  private func check(_ experiment: ClaimExperiment, _ root: YAMLMapping) throws(YAMLError) {
    do {
      for point in try experiment.points() { _ = try point.request.trialExperiment() }
    } catch {
      throw root.error(experiment.id, "\((error as? RunFailure)?.message ?? "\(error)")")
    }
  }
}
