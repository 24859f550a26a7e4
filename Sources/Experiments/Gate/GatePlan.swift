import Foundation
import InputFiles
import MachineCore
import MachineSimulated
import Metrics
import Reporting
import TrialProcesses

/// The runs of a gate, the number of devices that it draws, and the changes of measures that a user notices.
package struct GatePlan: Hashable, Sendable {
  /// The name of the plan's file in the folder of a baseline. The file and each of its parts are optional.
  package static let fileName = "gate.yaml"

  /// The default number of draws in each of the two looks that the gate may take.
  package static let standardDraws = 10
  /// The largest size of a file, in bytes. A file with a hundred runs has a tenth of it.
  private static let largestSize = 262_144

  package var runs = GateRun.standard
  /// The number of draws in a look, or 0 if only the device with the profile's values is simulated.
  var draws = standardDraws
  var tolerances = Tolerances()

  init() {}

  /// Reads the plan of the baseline in `folder`. A part that the file does not have, or the whole plan if there is no
  /// file, gets its default.
  ///
  /// - Throws: `RunFailure` with status 64 if the file is damaged, with the file, the line and the key in the message.
  package init(of folder: String) throws {
    self.init()
    let path = "\(folder)/\(GatePlan.fileName)"
    guard FileManager.default.fileExists(atPath: path) else { return }
    self = try GatePlan(at: path)
  }

  /// Reads the plan in a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - place: The name of the file in messages, or nil for its path.
  /// - Throws: `RunFailure` with status 64 if the file cannot be read or is damaged, with the file, the line and the key
  ///   in the message.
  package init(at path: String, place: String? = nil) throws {
    self = try UserInput.read { () throws(YAMLError) in
      do throws(YAMLError) {
        let text = try YAMLFile.text(at: path, largestSize: Self.largestSize, of: "a gate")
        return try GatePlan(yaml: text, place: place ?? path)
      } catch {
        var error = error
        error.place = place ?? path
        throw error
      }
    }
    // Settings may contradict each other.
    for run in runs where run.settings != nil { _ = try run.experiment(output: ".") }
  }

  /// Reads the plan in a YAML text, which error messages name by `place`.
  ///
  /// - Throws: `YAMLError`, which names the place, the line and the key.
  init(yaml text: String, place: String, _ table: SettingTable = .standard) throws(YAMLError) {
    let keys = GatePlan.keys(table)
    self = try keys.value(of: try YAMLMapping(text: text, place: place, keys: keys.names()), GatePlan())
  }

  private static func keys(_ table: SettingTable) -> [YAMLKey<GatePlan>] {
    [
      .reading("runs") { (root, plan) throws(YAMLError) in plan.runs = try runs(in: root, table) },
      .standard("draws", \.draws, .integer(in: 0...1_000), standardDraws),
      .standard("tolerances", \.tolerances, .mapping(toleranceKeys, Tolerances()), Tolerances()),
    ]
  }
}

// MARK: - Reading

extension GatePlan {
  /// The keys of tolerances: that of all measures without a key in the file, and one for each measure.
  private static let toleranceKeys: [YAMLKey<Tolerances>] =
    [
      .reading("default") { (mapping, tolerances) throws(YAMLError) in
        tolerances = Tolerances(standard: try tolerance("default", in: mapping, else: .standard), own: [:])
      }
    ]
    + Measure.all.map { measure in
      .reading(measure.name) { (mapping, tolerances) throws(YAMLError) in
        tolerances.own[measure] = try tolerance(measure.name, in: mapping, else: tolerances[measure])
      }
    }

  /// Reads a tolerance, which is a number of per cent, or a mapping with `percent`, `floor` or both. `standard` gives
  /// the percentage or the floor that a mapping does not have.
  private static func tolerance(
    _ key: String, in mapping: YAMLMapping, else standard: Tolerance
  ) throws(YAMLError) -> Tolerance {
    guard mapping.isMapping(key) else { return Tolerance(partsPerMillion: try percent.read(mapping, key)) }
    return try YAMLForm.mapping(partKeys, standard).read(mapping, key)
  }

  private static let partKeys: [YAMLKey<Tolerance>] = [
    .standard("percent", \.partsPerMillion, percent, 0), .standard("floor", \.floor, .integer(in: 0...Int.max), 0),
  ]

  private static let percent = YAMLForm<Int64>(
    { (mapping, key) throws(YAMLError) in
      Int64((try mapping.number(key, in: 0...1_000_000) * 10_000).rounded())
    })

  /// Reads the runs from a mapping of each run's name to its flags, or to a mapping. The flags are written as on a
  /// command line, separated by spaces and without quotes.
  private static func runs(in root: YAMLMapping, _ table: SettingTable) throws(YAMLError) -> [GateRun] {
    let mapping = try root.mapping("runs", keys: nil)
    var runs: [GateRun] = []
    for name in mapping.keys {
      let isPlain = name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
      guard isPlain, !name.isEmpty else {
        throw mapping.error(name, "not the name of a folder; use letters from a to z, digits and hyphens")
      }
      if mapping.isMapping(name) {
        runs.append(try run(name, in: mapping, table: table))
        continue
      }
      let flags = try mapping.text(name).split(separator: " ").map(String.init)
      do {
        let run = GateRun(name: name, request: try RunRequest(arguments: flags, table))
        _ = try run.experiment(output: ".", table)
        runs.append(run)
      } catch {
        throw mapping.error(name, "\(error)")
      }
    }
    guard !runs.isEmpty else { throw root.error("runs", "empty; use name: flags of stackbench run, or leave it out") }
    return runs
  }
}

// MARK: - Runs with limits

extension GatePlan {
  /// The greatest value of a measure in the files of results.
  private static let greatestValue: Int64 = 1_000_000_000_000_000

  /// Reads a run that has settings, limits and tolerances of its own.
  private static func run(
    _ name: String, in runs: YAMLMapping, table: SettingTable
  ) throws(YAMLError) -> GateRun {
    let keys = runKeys(table)
    var run = GateRun(name: name, request: RunRequest())
    run.place = place(of: name, in: runs)
    run = try keys.value(of: try runs.mapping(name, keys: keys.names()), run)
    guard !run.isLive || !run.limits.isEmpty else {
      throw runs.error(name, "has no limits; a live run is not compared with a baseline, so that it needs limits")
    }
    return run
  }

  private static func runKeys(_ table: SettingTable) -> [YAMLKey<GateRun>] {
    [
      .reading("settings", isRequired: true) { (mapping, run) throws(YAMLError) in
        let settings = try SettingsFile("settings", in: mapping, table: table)
        (run.settings, run.request) = (settings, settings.request)
      },
      .reading("limits") { (mapping, run) throws(YAMLError) in
        let limits = try mapping.mapping("limits", keys: nil)
        for key in limits.keys {
          let limit = try limit(key, in: limits, isLive: run.isLive)
          if let twin = run.limits.first(where: { $0.limit.measure == limit.limit.measure }) {
            throw limits.error(key, "a limit on the measure of \(twin.name); use one of them")
          }
          run.limits.append(limit)
          run.limitPlaces[key] = place(of: key, in: limits)
        }
        guard run.limits.isEmpty else { return }
        throw mapping.error("limits", "empty; use hitch: 5 ms/s and the like, or leave it out")
      },
      .optional("tolerances", \.tolerances, .mapping(toleranceKeys, Tolerances())),
    ]
  }

  /// Returns the file, the line and the key of a value, as errors name them.
  private static func place(of key: String, in mapping: YAMLMapping) -> String {
    "\(mapping.place):\(mapping.line(ofKey: key) ?? 1): \(mapping.path)\(key)"
  }

  /// Reads a limit, which is a number with or without its unit, or a mapping with `at-most` and `on`.
  private static func limit(
    _ key: String, in limits: YAMLMapping, isLive: Bool
  ) throws(YAMLError) -> GateLimit {
    guard let measured = LimitedMeasure.named(key) else {
      let names = LimitedMeasure.all.map(\.name)
      throw limits.error(
        key,
        "not a measure whose smaller values are better; \(NearestName.clause(key, among: names))use one of "
          + "\(LimitedMeasure.common.map(\.name).joined(separator: ", ")), or a column of trials.csv")
    }
    guard measured.measure.unit != .bytes || isLive else {
      throw limits.error(
        key, "a simulated heap is a small part of an app's memory, so that a limit has no meaning; use tolerances:")
    }
    let greatest = Double(greatestValue / measured.scale)
    let form = YAMLForm<AdviceLimit>(
      { (mapping, key) throws(YAMLError) in
        measured.limit(try amount(key, in: mapping, unit: measured.unit, most: greatest))
      })
    guard limits.isMapping(key) else { return GateLimit(name: key, limit: try form.read(limits, key)) }
    let keys: [YAMLKey<GateLimit>] = [.required("at-most", \.limit, form), .standard("on", \.share, share, 10_000)]
    return try YAMLForm.mapping(keys, GateLimit(name: key, limit: measured.limit(0))).read(limits, key)
  }

  private static let share = YAMLForm<Int>(
    { (mapping, key) throws(YAMLError) in
      let share = Int((try amount(key, in: mapping, unit: "%", most: 100) * 100).rounded())
      guard share > 0 else { throw mapping.error(key, "0 is no share of devices; use a number above 0, such as 90 %") }
      return share
    })

  /// Reads a number that is not negative, and may have its unit behind it.
  private static func amount(
    _ key: String, in mapping: YAMLMapping, unit: String, most: Double
  ) throws(YAMLError) -> Double {
    if mapping.isNull(key) {
      throw mapping.error(key, "empty; use a number\(unit.isEmpty ? "" : " of \(unit)")")
    }
    return try mapping.number(key, in: 0...most, unit: unit)
  }
}
