import Foundation
import Metrics
import Reporting

/// Made-up results that are written in the format of a run.
package enum ComparedResults {
  /// Writes trials of stacks. Every measure is 1 s, 1 GB or a count of 10⁹ unless `change` changes it.
  ///
  /// `change` receives the measures of each trial, its stack, and its number, which is counted from 1.
  package static func write(
    to path: String, topologies: [String] = ["all-main", "three-tier"], machine: String = "live", rows: Int = 1_000,
    trials: Int = 12,
    flags: [String: String] = [:],
    changing change: (inout TrialMeasures, String, Int) -> Void = { _, _, _ in }
  ) throws {
    let records = (1...trials).flatMap { number in
      topologies.map { topology in
        var measures = TrialMeasures()
        // The yardstick is missing, as in results of older versions, so that no figure depends on this computer.
        for measure in Measure.all where !measure.isOfHost { measures[keyPath: measure.keyPath] = 1_000_000_000 }
        measures.storeDigest = String(repeating: "0f", count: 32)
        measures.verified = 1
        change(&measures, topology, number)
        return TrialRecord(
          identity: TrialIdentity(
            topology: topology, machine: machine, workload: "catalog", rows: rows, seed: 1, trial: number,
            startedNanoseconds: 0),
          measures: measures)
      }
    }
    let manifest = Manifest(
      versions: Manifest.Versions(tool: "0.1.0", swift: "6.3.1", sqlite: "3.40.1", packages: [:]),
      configuration: "release", host: Manifest.Host(cpuModel: "Example CPU", cores: 2, kernel: "6.1.0"),
      fileSystem: Manifest.FileSystem(type: "ext4", fsyncNanoseconds: 1), idleTicks: nil,
      flags: flags.merging(["rows": "\(rows)"]) { $1 }, seed: 1, machine: machine,
      startedAt: Date(timeIntervalSince1970: 1_790_000_000),
      endedAt: Date(timeIntervalSince1970: 1_790_000_060))
    try ResultsFolder(path: path).write(records, manifest: manifest)
  }
}
