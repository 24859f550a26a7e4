import InputFiles
import Reporting
import Topologies

/// The runs whose results decide claims: the subject, and settings that are varied.
package struct ClaimExperiment: Hashable, Sendable {
  /// The thing that an experiment runs.
  package enum Subject: Hashable, Sendable {
    /// Runs of stacks with these settings, which contain the stacks and the machine.
    case stacks(RunRequest)
    /// The scenario with this name, on the device with this profile unless the profile is varied.
    case scenario(String, profile: String)
    /// The comparison of the engine with its peers, whose results `make peers` writes to a file.
    case peers
  }

  /// A setting and its values in their order.
  package struct Varied: Hashable, Sendable {
    package var name: String
    package var values: [String]
  }

  package var id: String
  package var machine: MachineKind
  package var subject: Subject
  /// The titles of the stacks, the sides of the scenario, or the names of the peers.
  package var stacks: [String]
  package var varied: [Varied]
  /// The number of drawn devices, or 0 for the device with the profile's own values.
  package var draws: Int
  /// True if a trial may stop or leave wrong data without making the figures useless.
  package var mayFail: Bool

  /// A combination of the varied settings' values.
  package struct Point: Hashable, Sendable {
    package var values: [SettingValue]
    /// The settings of the runs at the point. They are empty if the experiment does not run stacks.
    var request: RunRequest

    /// The point as the table of figures has it. It is empty if no setting is varied.
    package var text: String { Point.text(of: values) }

    /// Returns values in the form in which the table of figures has them.
    static func text(of values: [SettingValue]) -> String { values.map(\.text).joined(separator: " ") }
  }

  /// The points of the grid; the values of the last setting change fastest.
  ///
  /// - Returns: The points, at least one.
  /// - Throws: `RunFailure` for a value that its setting refuses.
  package func points() throws -> [Point] {
    var points = [Point(values: [], request: request ?? RunRequest())]
    for setting in varied {
      points = try points.flatMap { point in
        try setting.values.map { value in
          var next = point
          next.values.append(SettingValue(name: setting.name, value: value))
          if request != nil {
            next.request[named: setting.name] = try SettingTable.standard.value(of: setting.name, from: value)
          }
          return next
        }
      }
    }
    return points
  }

  /// The settings of all runs of stacks, or nil if the experiment runs none.
  package var request: RunRequest? {
    if case .stacks(let request) = subject { request } else { nil }
  }

  /// Returns the values of a varied setting, or the stacks for the setting of the stacks; nil if it is not varied.
  package func values(of name: String) -> [String]? {
    name == ClaimExperiment.stackSetting ? stacks : varied.first { $0.name == name }?.values
  }

  /// The setting along whose values a query goes from stack to stack.
  package static let stackSetting = RunSettings.all.topology.name
}

// MARK: - Stacks and devices

extension ClaimExperiment {
  /// Returns the stack of the experiment with a title, or nil if it runs no such stack.
  func topology(titled title: String) -> Topology? {
    (request?.topology ?? []).lazy.flatMap(\.topologies).first { $0.title == title }
  }

  /// Returns the experiment on the device with a profile alone, or nil if it is not simulated. The profile is the name
  /// of a shipped one, or the path of a file.
  package func simulated(on profile: String) -> ClaimExperiment? {
    guard machine == .simulated else { return nil }
    var experiment = self
    if let place = varied.firstIndex(where: { $0.name == Self.profileSetting }) {
      experiment.varied[place].values = [profile]
      return experiment
    }
    switch subject {
    case .stacks(var request):
      if profile != request.profile ?? ProfileLibrary.standardName { request.profile = profile }
      experiment.subject = .stacks(request)
    case .scenario(let name, _): experiment.subject = .scenario(name, profile: profile)
    case .peers: return nil
    }
    return experiment
  }

  /// The setting of the simulated device.
  static let profileSetting = RunSettings.all.profile.name
}

// MARK: - Cases

extension ClaimExperiment {
  /// The names of the trials at each point that decide a claim: the draws, or the trials.
  package var deciding: [String] {
    guard draws == 0 else { return (1...draws).map(ClaimExperiment.drawName) }
    return machine == .live ? (1...(request?.trials ?? 1)).map(ClaimExperiment.trialName) : [ClaimExperiment.deviceName]
  }

  /// Returns the names of the trials at each point whose figures are kept: those that decide, and the one on the device
  /// with the profile's own values.
  ///
  /// - Parameter isDrawing: False to leave out drawn devices.
  /// - Returns: The names, the one of the device with the profile's own values first.
  func trials(draws isDrawing: Bool) -> [String] {
    draws == 0 ? deciding : [ClaimExperiment.deviceName] + (isDrawing ? deciding : [])
  }

  /// The name of the trial on the device with the profile's own values.
  package static let deviceName = "device"

  static func drawName(_ number: Int) -> String { "draw \(number)" }

  /// Returns the number of the drawn device in the name of a trial, or nil if the trial is not on one.
  static func drawNumber(of trial: String) -> Int? {
    let prefix = "draw "
    return trial.hasPrefix(prefix) ? Int(trial.dropFirst(prefix.count)) : nil
  }

  static func trialName(_ number: Int) -> String { "trial \(number)" }
}

// MARK: - Commands

extension ClaimExperiment {
  /// The name of the setting for the seeds of a scenario.
  static let seedSetting = "seed"

  /// Returns the commands of the program that show the results.
  ///
  /// A single point is a run. Several points are a sweep on the device with the profile's own values, or one run for
  /// each point if a sweep does not have one of the settings. A scenario has one command for each profile.
  ///
  /// - Parameter ignoringSettingsFile: True if the commands leave a settings file of the working folder aside, as the
  ///   experiment does.
  /// - Returns: The commands.
  /// - Throws: `RunFailure` for a value that its setting refuses.
  package func commands(ignoringSettingsFile: Bool = false) throws -> [String] {
    switch subject {
    case .stacks(var request):
      request.ignoresSettingsFile = ignoringSettingsFile
      var experiment = self
      experiment.subject = .stacks(request)
      return try experiment.commands(request)
    case .scenario(let name, let profile): return scenarioCommands(name, profile: profile)
    case .peers: return [PeersFile.command]
    }
  }

  private func commands(_ request: RunRequest) throws -> [String] {
    guard !varied.isEmpty else { return [command(request)] }
    guard request.killAt == nil else { return try points().map { command($0.request) } }
    let common = request.filtered { ![RunSettings.all.draws.name, RunSettings.all.machine.name].contains($0) }
    let options = varied.map {
      (name: "--vary", value: Optional("\($0.name)=\($0.values.map(ClaimExperiment.escaped).joined(separator: ","))"))
    }
    let start = PrintedCommand("stackbench sweep", options: options).text
    return [common.command(machine == .live ? "\(start) --machine live" : start)]
  }

  private func command(_ request: RunRequest) -> String {
    machine == .live
      ? request.filtered { $0 != RunSettings.all.machine.name }.command("stackbench run") : request.runCommand
  }

  private func scenarioCommands(_ name: String, profile: String) -> [String] {
    let profiles = values(of: Self.profileSetting) ?? [profile]
    return profiles.map { profile in
      var options: [(name: String, value: String?)] = []
      if profile != ProfileLibrary.standardName { options.append(("--profile", profile)) }
      if let seeds = values(of: Self.seedSetting) { options.append(("--seeds", "\(seeds.count)")) }
      return PrintedCommand("stackbench scenario \(name)", options: options).text
    }
  }

  /// Returns a value of a sweep with a backslash before each comma.
  private static func escaped(_ value: String) -> String { value.replacing(",", with: "\\,") }
}
