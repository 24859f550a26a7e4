import Foundation
import MachineSimulated
import Metrics
import Reporting
import TrialProcesses
import YAMLReading

/// The runs of a gate, the number of devices that it draws, and the changes of measures that a user notices.
package struct GatePlan: Hashable, Sendable {
  /// The name of the plan's file in the folder of a baseline. The file and each of its parts are optional.
  package static let fileName = "gate.yaml"

  /// The default number of draws in each of the two looks that the gate may take.
  package static let standardDraws = 10

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
    guard let data = FileManager.default.contents(atPath: path), let text = String(validating: data, as: UTF8.self)
    else {
      throw RunFailure.usage("\(path): cannot be read as text; use YAML with tolerances: and runs:")
    }
    do {
      self = try GatePlan(yaml: text, place: path)
    } catch {
      throw RunFailure.usage("\(error)")
    }
  }

  /// Reads the plan in a YAML text, which error messages name by `place`.
  ///
  /// - Throws: `YAMLError`, which names the place, the line and the key.
  init(yaml text: String, place: String, _ table: SettingTable = .standard) throws(YAMLError) {
    let root = try YAMLMapping(text: text, place: place, keys: ["tolerances", "draws", "runs"])
    if root.has("tolerances") { tolerances = try GatePlan.tolerances(in: root) }
    if root.has("draws") { draws = try root.integer("draws", in: 0...1_000) }
    if root.has("runs") { runs = try GatePlan.runs(in: root, table) }
  }
}

// MARK: - Reading

extension GatePlan {
  /// The key of the tolerance that applies to all measures without a key in the file.
  private static let standardKey = "default"
  private static let largestPercent = 1_000_000.0

  private static func tolerances(in root: YAMLMapping) throws(YAMLError) -> Tolerances {
    let mapping = try root.mapping("tolerances", keys: [standardKey] + Measure.all.map(\.name))
    var tolerances = Tolerances()
    if mapping.has(standardKey) {
      tolerances = Tolerances(standard: try tolerance(standardKey, in: mapping, else: .standard), own: [:])
    }
    for measure in Measure.all where mapping.has(measure.name) {
      tolerances.own[measure] = try tolerance(measure.name, in: mapping, else: tolerances[measure])
    }
    return tolerances
  }

  /// Reads a tolerance, which is a number of per cent, or a mapping with `percent`, `floor` or both. `standard` gives
  /// the percentage or the floor that a mapping does not have.
  private static func tolerance(
    _ key: String, in mapping: YAMLMapping, else standard: Tolerance
  ) throws(YAMLError) -> Tolerance {
    guard mapping.isMapping(key) else { return Tolerance(partsPerMillion: try percent(key, in: mapping)) }
    let parts = try mapping.mapping(key, keys: ["percent", "floor"])
    return Tolerance(
      partsPerMillion: parts.has("percent") ? try percent("percent", in: parts) : standard.partsPerMillion,
      floor: parts.has("floor") ? Int64(try parts.integer("floor", in: 0...Int.max)) : standard.floor)
  }

  private static func percent(_ key: String, in mapping: YAMLMapping) throws(YAMLError) -> Int64 {
    Int64((try mapping.number(key, in: 0...largestPercent) * 10_000).rounded())
  }

  /// Reads the runs from a mapping of each run's name to its flags. The flags are written as on a command line,
  /// separated by spaces and without quotes.
  private static func runs(in root: YAMLMapping, _ table: SettingTable) throws(YAMLError) -> [GateRun] {
    let mapping = try root.mapping("runs", keys: nil)
    var runs: [GateRun] = []
    for name in mapping.keys {
      let isPlain = name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
      guard isPlain, !name.isEmpty else {
        throw mapping.error(name, "not the name of a folder; use letters from a to z, digits and hyphens")
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
