import Harness
import InputFiles
import MachineCore
import MachineSimulated
import Topologies
import TrialProcesses
import Workloads

extension RunRequest {
  /// Returns the run with these settings. It reads only the profile and makes no files.
  ///
  /// - Throws: `RunFailure` with status 64 for settings that contradict each other, and for a profile that cannot be
  ///   read.
  package func experiment(_ table: SettingTable = .standard) throws -> Experiment {
    let machine = self.machine ?? Experiment.standardMachine
    try refuseSettings(notOf: machine, table)
    var experiment = Experiment(on: try simulation(on: machine))
    experiment.topologies = try topologies()
    experiment.profileArgument = self.profile
    try applyWorkload(to: &experiment)
    for setting in table.settings {
      if let value = self[named: setting.name] { setting.apply(value, &experiment) }
    }
    experiment.workload.lanes = experiment.options.lanes
    experiment.workload.seed = experiment.options.seed
    if self.saveEvery == nil { experiment.options.saveEvery = experiment.workload.batchSize }
    // A run that kills its app, or whose files have a fault, simulates only the device with the profile's own values,
    // unless draws are given.
    experiment.draws =
      machine == .live ? 0 : self.draws ?? (experiment.endingFlag == nil ? Experiment.standardDraws : 0)
    experiment.checksDeterminism = self.checkDeterminism ?? false
    experiment.tracesLiveTrials = machine == .live && self.trace ?? false
    experiment.takesTurns = self.takeTurns ?? false
    experiment.choosesTrialCount = machine == .live && self.trials == nil && !experiment.takesTurns
    try experiment.check()
    return experiment
  }

  /// Returns the run for a trial of a sweep, the gate, advice or a comparison. It draws devices only if the request
  /// contains the number of draws, and its number of trials does not depend on the computer.
  ///
  /// - Throws: `RunFailure` with status 64 for settings that contradict each other, and for a profile that cannot be
  ///   read.
  package func trialExperiment(_ table: SettingTable = .standard) throws -> Experiment {
    var experiment = try experiment(table)
    if self.draws == nil { experiment.draws = 0 }
    experiment.choosesTrialCount = false
    return experiment
  }

  /// Returns the profile that the request names, or the profile of the default phone.
  ///
  /// - Throws: `RunFailure` with status 64 for a profile that cannot be read.
  package func namedProfile() throws -> Profile {
    try UserInput.profile(named: self.profile ?? ProfileLibrary.standardName)
  }

  private func refuseSettings(notOf machine: MachineKind, _ table: SettingTable) throws {
    for setting in table.settings {
      guard let needed = setting.machine, needed != machine, let value = self[named: setting.name] else { continue }
      // The live machine never draws devices, so zero draws are accepted.
      if setting.name == RunSettings.all.draws.name, self.draws == 0 { continue }
      let name = SettingFlag.named(setting.name)
      let flag = setting.isSwitch ? name : "\(name) \(value.text)"
      throw RunFailure.usage(
        needed == .simulated
          ? "\(flag): concerns simulated devices only; add \(SettingFlag.of(\.machine, value: .simulated))"
          : "\(flag): not needed for simulations, which do not disturb each other; use it with "
            + "\(SettingFlag.of(\.machine, value: .live))"
      )
    }
  }

  private func simulation(on machine: MachineKind) throws -> Simulation? {
    guard machine == .simulated else { return nil }
    return Simulation(
      profile: try namedProfile(), scheduleSeed: self.scheduleSeed,
      seed: self.seed ?? RunOptions().seed, isTraced: self.trace ?? false, drawPercent: self.drawsWithin)
  }

  /// Fills in the sizes that depend on each other. The size of a feed stays nil until the feed has been read.
  private func applyWorkload(to experiment: inout Experiment) throws {
    experiment.isBatchSizeStandard = self.batchSize == nil
    experiment.isSaveEveryStandard = self.saveEvery == nil
    if let workload = self.workload, workload.isFeed {
      experiment.workload.rows = nil
      experiment.workload.existingRows = 0
      experiment.workload.mix = .insertsOnly
    }
    if self.store != nil { experiment.workload.existingRows = 0 }
    if self.workload == nil, let model = self.model { experiment.workload.workload = .model(path: model) }
    let rows = self.rows ?? experiment.workload.rows
    experiment.workload.batchSize = min(experiment.workload.batchSize, rows ?? .max)
  }
}

// MARK: - Stacks

extension RunRequest {
  /// Returns the stacks of the request in their order. The setting `merge` replaces `worker-merge` by one of its
  /// variants.
  ///
  /// - Throws: `RunFailure` with status 64 if two different stacks have the same name, if `merge` is not a variant of
  ///   `worker-merge`, if that stack is not among the chosen ones, or if another variant is chosen by name.
  private func topologies() throws -> [Topology] {
    let choices = self.topology ?? [.named(StackNames.all)]
    let chosen = choices.distinctTopologies
    for (index, topology) in chosen.enumerated() where chosen[..<index].contains(where: { $0.title == topology.title })
    {
      throw RunFailure.usage(
        "\(SettingFlag.of(\.topology)) \(choices.word(of: topology)): another stack has the name \(topology.title) "
          + "already; use another id or variant")
    }
    guard let merge = self.merge else { return chosen }
    let merging = StackNames.merging
    guard let replacement = Topology.named("\(merging)/\(merge)") else {
      throw RunFailure.usage(
        "\(SettingFlag.of(\.merge, value: merge)): not known; use one of \(StackNames.variants(of: merging))")
    }
    guard chosen.contains(where: { $0.id == merging }) else {
      throw RunFailure.usage(
        "\(SettingFlag.of(\.merge, value: merge)): concerns \(merging) only; add \(SettingFlag.of(\.topology, value: [.named(merging)]))"
      )
    }
    if let other = choices.first(where: { $0.word.hasPrefix("\(merging)/") && $0.word != replacement.title }) {
      throw RunFailure.usage(
        "\(SettingFlag.of(\.merge, value: merge)): contradicts \(SettingFlag.of(\.topology, value: [other])); use one of the two"
      )
    }
    // The stack and the variant may both have been named.
    return chosen.map { $0.id == merging ? replacement : $0 }.reduce(into: []) { distinct, topology in
      if !distinct.contains(where: { $0.title == topology.title }) { distinct.append(topology) }
    }
  }
}

// MARK: - Checks

extension Experiment {
  /// Checks that the settings are compatible, and turns off look-ups for batch inserts.
  ///
  /// - Throws: `RunFailure` with status 64 if they are not.
  fileprivate mutating func check() throws {
    do {
      try workload.validate()
    } catch {
      throw RunFailure.usage(SettingNames.message(of: error))
    }
    if let map = workload.map, !workload.workload.isFeed {
      throw RunFailure.usage(
        "\(SettingFlag.of(\.map, value: map)): belongs to a feed; add \(SettingFlag.of(\.workload)) with the path of a feed"
      )
    }
    try checkList()
    try checkProcesses()
    try checkStore()
    try PrepareTask.check(saveEvery: options.saveEvery, batchSize: workload.batchSize)
    try checkImport()
    try checkKill()
    if workload.overlap > 0, let store = workload.store {
      throw RunFailure.usage(
        "\(SettingFlag.of(\.overlap, value: workload.overlap)): imports cannot share the rows of a store from which a run starts; "
          + "use 0, or leave \(SettingFlag.of(\.store, value: store)) out")
    }
    if options.strategy == .batchInsert { options.lookup = .none }
    if options.storeSave != .immediate, let other = topologies.first(where: { $0.savingRoot == nil }) {
      let able = Topology.all.filter { $0.savingRoot != nil }.map(\.id)
      throw RunFailure.usage(
        "\(SettingFlag.of(\.storeSave, value: options.storeSave)): \(other.title) has no root that saves to the store by itself; "
          + "use \(SettingFlag.of(\.topology)) \(able.joined(separator: " or ")), or immediate")
    }
    if let poolSize = options.poolSize, !topologies.contains(where: \.hasPool) {
      let able = Topology.known.filter(\.hasPool).map(\.title).joined(separator: " or ")
      throw RunFailure.usage(
        "\(SettingFlag.of(\.poolSize, value: poolSize)): no stack of the run has a pool of contexts; "
          + "add \(SettingFlag.of(\.topology)) \(able)")
    }
    try checkInFlight()
  }

  /// The flag and the value of the death of the app or of a fault of its files, or nil if there is neither.
  fileprivate var endingFlag: String? {
    options.killAt.map { SettingFlag.of(\.killAt, value: $0) }
      ?? options.fileFault.map { SettingFlag.of(\.fileFault, value: $0) }
  }

  /// Checks that the losses of an app that dies, or whose files have a fault, can be counted.
  private func checkKill() throws {
    guard let ending = endingFlag else { return }
    guard workload.overlap == 0 else {
      throw RunFailure.usage(
        "\(SettingFlag.of(\.overlap, value: workload.overlap)): the losses of an app that dies cannot be attributed to imports "
          + "that share rows; use 0, or leave \(ending) out")
    }
    if let stack = topologies.first(where: \.mayKeepEarlierValues) {
      throw RunFailure.usage(
        "\(ending): \(stack.title) may overwrite a row with the values of an earlier payload, which looks like a loss; use "
          + "another stack, or leave \(ending) out")
    }
    guard options.editRows == 1 else {
      throw RunFailure.usage(
        "\(SettingFlag.of(\.editRows, value: options.editRows)): the losses of an app that dies are counted edit by edit, each of "
          + "one row; use 1, or leave \(ending) out")
    }
    guard let death = options.killAt else { return }
    if let fault = options.fileFault {
      throw RunFailure.usage(
        "\(SettingFlag.of(\.fileFault, value: fault)): the app may die before the fault occurs; leave it out, or "
          + "\(ending)")
    }
    guard death < options.timeLimit else {
      throw RunFailure.usage(
        "\(ending): not less than the time limit of "
          + "\(options.timeLimit.nanoseconds / 1_000_000_000) s; use less, or a larger \(SettingFlag.of(\.timeLimit))")
    }
  }

  /// Checks that a stack with two processes runs on real threads, to its end, and with objects.
  private func checkProcesses() throws {
    guard let apart = topologies.first(where: \.importsInSecondProcess) else { return }
    let stack = "\(SettingFlag.of(\.topology)) \(apart.title)"
    guard simulation == nil else { throw RunFailure.usage("\(stack): \(StackNames.secondProcessLimit)") }
    if let ending = endingFlag {
      throw RunFailure.usage(
        "\(ending): \(apart.title) would continue its import in a second process; use another "
          + "stack, or leave \(ending) out")
    }
    guard options.strategy == .objects else {
      throw RunFailure.usage(
        "\(SettingFlag.of(\.strategy, value: options.strategy)): the rows of a batch insert are merged by their IDs in one "
          + "process, and \(apart.title) imports in a second one; use \(SettingFlag.of(\.strategy, value: .objects))")
    }
    guard options.inFlight == .off else {
      throw RunFailure.usage(
        "\(SettingFlag.of(\.inFlight, value: options.inFlight)): a computation saves by the coordinator of the import, which "
          + "\(apart.title) has in a second process; use off, or another stack")
    }
  }

  /// Checks that a run with computations in flight has a user, and a model to which their input can be added.
  private func checkInFlight() throws {
    guard options.inFlight != .off else { return }
    let inFlight = SettingFlag.of(\.inFlight, value: options.inFlight)
    if let ending = endingFlag {
      throw RunFailure.usage(
        "\(inFlight): the losses of an app that dies do not include computations; use off, or leave \(ending) out")
    }
    if let store = workload.store {
      throw RunFailure.usage(
        "\(inFlight): the input of computations cannot be added to the store of an app; use off, or leave "
          + "\(SettingFlag.of(\.store, value: store)) out")
    }
    guard options.viewControllers > 0 else {
      throw RunFailure.usage(
        "\(inFlight): the user deletes on a screen; use off, or \(SettingFlag.of(\.viewControllers)) of 1 or more")
    }
  }

  /// Checks that the parts of a list belong to one.
  private func checkList() throws {
    let list = workload.list
    guard list.entity == nil else { return }
    let parts = [
      list.sort.map { SettingFlag.of(\.listSort, value: $0) },
      list.condition.map { SettingFlag.of(\.listWhere, value: $0) },
      list.prefetched.map { SettingFlag.of(\.listPrefetch, value: $0) },
      list.cells.map { SettingFlag.of(\.listCells, value: $0) },
    ]
    guard let part = parts.compactMap(\.self).first else { return }
    throw RunFailure.usage("\(part): belongs to a list; add \(SettingFlag.of(\.list)) with the name of an entity")
  }

  private func checkStore() throws {
    guard let store = workload.store else { return }
    guard workload.model != nil else {
      throw RunFailure.usage(
        "\(SettingFlag.of(\.store, value: store)): needs the model of the app; add \(SettingFlag.of(\.model)) with its path"
      )
    }
    switch workload.workload {
    case .feed, .model: break
    case .catalog, .catalogReorder, .flat:
      throw RunFailure.usage(
        "\(SettingFlag.of(\.store, value: store)): \(SettingFlag.of(\.workload, value: workload.workload)) does not fill the model; "
          + "use a feed, or leave \(SettingFlag.of(\.workload)) out to generate rows of the model")
    }
  }

  private func checkImport() throws {
    guard options.lookup != .none || workload.mix == .insertsOnly else {
      throw RunFailure.usage(
        "\(SettingFlag.of(\.lookup, value: .none)): blind inserts cannot apply the updates and deletes of "
          + "\(SettingFlag.of(\.mix, value: workload.mix)); use \(SettingFlag.of(\.mix, value: .insertsOnly)) or another look-up"
      )
    }
    guard options.strategy == .batchInsert else { return }
    let batchInsert = SettingFlag.of(\.strategy, value: .batchInsert)
    guard !workload.workload.hasLinks else {
      throw RunFailure.usage(
        "\(batchInsert): batch inserts cannot set the links of "
          + "\(SettingFlag.of(\.workload, value: workload.workload)); use \(SettingFlag.of(\.workload, value: .flat)) or a feed"
      )
    }
    guard workload.mix == .insertsOnly else {
      throw RunFailure.usage(
        "\(batchInsert): batch inserts cannot apply the updates and deletes of "
          + "\(SettingFlag.of(\.mix, value: workload.mix)); use \(SettingFlag.of(\.mix, value: .insertsOnly))")
    }
    guard options.lookup != .record else {
      throw RunFailure.usage(
        "\(batchInsert): batch inserts do not look up records; leave \(SettingFlag.of(\.lookup, value: .record)) out")
    }
  }
}
