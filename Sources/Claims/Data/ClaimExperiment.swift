import Experiments
import Reporting
import Topologies

/// The runs whose results decide claims: settings that hold for all of them, and settings that are varied.
package struct ClaimExperiment: Hashable, Sendable {
  /// A setting and its values in their order.
  package struct Varied: Hashable, Sendable {
    package var name: String
    package var values: [String]
  }

  package var id: String
  package var machine: MachineKind
  /// The titles of the stacks.
  package var stacks: [String]
  /// The settings of all runs. They contain the stacks and the machine.
  package var request: RunRequest
  package var varied: [Varied]
  /// The number of drawn devices, or 0 for the device with the profile's own values.
  package var draws: Int
  /// True if a trial may stop or leave wrong data without making the figures useless.
  package var mayFail: Bool

  /// A combination of the varied settings' values.
  package struct Point: Hashable, Sendable {
    package var values: [SettingValue]
    /// The settings of the runs at the point.
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
    var points = [Point(values: [], request: request)]
    for setting in varied {
      points = try points.flatMap { point in
        try setting.values.map { value in
          var next = point
          next.values.append(SettingValue(setting.name, value))
          next.request[named: setting.name] = try SettingTable.standard.value(of: setting.name, from: value)
          return next
        }
      }
    }
    return points
  }

  /// Returns the values of a varied setting, or the stacks for the setting of the stacks; nil if it is not varied.
  package func values(of name: String) -> [String]? {
    name == ClaimExperiment.stackSetting ? stacks : varied.first { $0.name == name }?.values
  }

  /// The setting along whose values a query goes from stack to stack.
  package static let stackSetting = RunSettings.all.topology.name
}

// MARK: - Cases

extension ClaimExperiment {
  /// The names of the trials at each point that decide a claim: the draws, or the trials.
  package var deciding: [String] {
    guard draws == 0 else { return (1...draws).map(ClaimExperiment.drawName) }
    return machine == .live ? (1...(request.trials ?? 1)).map(ClaimExperiment.trialName) : [ClaimExperiment.deviceName]
  }

  /// The name of the trial on the device with the profile's own values.
  package static let deviceName = "device"

  static func drawName(_ number: Int) -> String { "draw \(number)" }
  static func trialName(_ number: Int) -> String { "trial \(number)" }
}

// MARK: - Commands

extension ClaimExperiment {
  /// The commands of the program that show the results.
  ///
  /// A single point is a run. Several points are a sweep on the device with the profile's own values, or one run for
  /// each point if a sweep does not have one of the settings.
  ///
  /// - Throws: `RunFailure` for a value that its setting refuses.
  package func commands() throws -> [String] {
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

  /// Returns a value of a sweep with a backslash before each comma.
  private static func escaped(_ value: String) -> String { value.replacing(",", with: "\\,") }
}
