import Foundation
import Harness
import InputFiles
import MachineCore
import Metrics
import OutputFiles
import Reporting
import Topologies
import TrialProcesses
import Workloads

/// The results of a run, which its files and its table show.
package struct Results: Sendable {
  /// The run. The size of a feed and the size of a unit are filled in.
  package var experiment: Experiment
  /// The words of the command line that sentences and the manifest use.
  var words: CommandWords
  /// The measurement of this computer, or nil if it was not measured.
  var probe: HostProbe?
  /// The type of the file system that contained the stores.
  var fileSystem: String
  /// The records of trials on the live machine, or on the device with the profile's own values.
  package var records: [TrialRecord]
  /// The records of trials on devices drawn from the profile's ranges.
  package var draws: [TrialRecord]
  /// The records of trials in which the app was killed. These trials have no other record.
  package var killed: [KilledRecord]
  var start: Date
  var end: Date
  /// Sentences about the workload for the user.
  package var remarks: [String] = []

  /// Writes all files in one step, or no files if it fails.
  ///
  /// - Parameters:
  ///   - output: The folder for the files.
  ///   - traceParts: The files that are joined to the trace, or nil if the run is not traced.
  /// - Returns: The path to which the earlier result was moved, or nil if no result was moved.
  /// - Throws: `RunFailure` if the results cannot be written.
  func write(to output: OutputFolder, traceParts: [String]? = nil) throws -> String? {
    do {
      let folder = ResultsFolder(path: output.path)
      let earlier = experiment.movesEarlierResult ? StoredResult.keeping(in: output.path) : nil
      var trace: ((_ path: String) throws(FileError) -> Void)?
      if let traceParts {
        trace = { (path) throws(FileError) in try TraceFile.write(joining: traceParts, to: path) }
      }
      let written =
        !experiment.options.isKilled
        ? try folder.write(records, draws: draws, manifest: manifest, trace: trace, replacing: earlier)
        : try folder.write(killed, manifest: manifest, replacing: earlier)
      output.hold(written.lock)
      return written.moved
    } catch {
      throw RunFailure.unexpected(error, "the results cannot be written: ", in: output.path)
    }
  }

  /// The summaries, one for each stack, which `summary.csv` contains.
  package var summaries: [Summary] { Summary.summaries(of: records, draws: draws) }

  /// The page of a run that measured its stacks.
  private var page: Page {
    let summaries = summaries
    return RunPage(
      summaries: summaries, manifest: manifest, hitchScale: hitchScale, words: words,
      separation: Separation(of: records, by: RunPage.printedMeasures),
      draws: draws.isEmpty ? nil : DrawBands(of: draws, values: summaries, by: RunPage.printedMeasures),
      ratios: ratios
    ).page
  }

  /// Returns the results as they are printed, with the failures of the run and the outcome of the determinism check.
  func printed(failures: [String], isDeterministic: Bool?) -> PrintedRun {
    guard !experiment.options.isKilled else {
      return PrintedRun(
        killed: killed, output: experiment.output, failures: failures, isDeterministic: isDeterministic)
    }
    return PrintedRun(
      page, output: experiment.output, failures: failures, isDeterministic: isDeterministic, summaries: summaries,
      ratios: ratios)
  }

  /// The comparison of the other stacks with the reference, or nil if there is none.
  var ratios: StackRatios? {
    experiment.reference.flatMap { StackRatios(to: $0, of: records + draws, by: RatioTable.measures) }
  }

  /// The one of Apple's scales that applies to the run.
  package var hitchScale: HitchScale {
    experiment.options.scrollSpeed > 0 && experiment.options.viewControllers > 0 ? .scroll : .animation
  }

  /// A message that the stores of verified trials differ, or nil if they are equal. All trials of a workload should
  /// leave stores with the same digest, even if each verified by itself.
  var disagreement: String? {
    let digests = Set((records + draws).filter { $0.measures.verified == 1 }.compactMap(\.measures.storeDigest))
    guard digests.count > 1 else { return nil }
    let files = draws.isEmpty ? "trials.csv" : "trials.csv and draws.csv"
    return "the stores differ: \(digests.count) digests among trials that verified; see \(files)"
  }
}

// MARK: - Manifest

extension Results {
  var manifest: Manifest {
    let host = HostFacts.current
    var manifest = Manifest(
      versions: Manifest.Versions(
        tool: PackageVersions.tool, swift: host.swift, sqlite: host.sqlite, packages: PackageVersions.packages),
      configuration: host.configuration,
      host: Manifest.Host(cpuModel: host.processor, cores: host.cores, kernel: host.kernel),
      fileSystem: Manifest.FileSystem(type: fileSystem, fsyncNanoseconds: probe?.syncP50.nanoseconds),
      idleTicks: probe.map {
        Manifest.IdleTicks(
          latenessNanosecondsP50: $0.tickLatenessP50.nanoseconds,
          latenessNanosecondsP99: $0.tickLatenessP99.nanoseconds)
      },
      flags: flags, seed: experiment.options.seed, machine: experiment.machine.rawValue,
      simulation: experiment.simulation.map(simulationManifest), startedAt: start, endedAt: end,
      noise: records.map(Manifest.Noise.init(of:)))
    manifest.trialChoice = experiment.trialChoice
    manifest.ownTopologies = ownTopologies.isEmpty ? nil : ownTopologies
    manifest.reference = experiment.reference
    manifest.map = map
    manifest.counts = records.first?.counts
    manifest.remarks = remarks.isEmpty ? nil : remarks
    return manifest
  }

  private func simulationManifest(_ simulation: Simulation) -> Manifest.Simulation {
    let costs = simulation.profile.device().costs
    return Manifest.Simulation(
      profile: simulation.profile.name, profileVersion: simulation.profile.version,
      replay: PrintedCommand(
        repeating: flags, SettingTable.standard.roles(words), ownTopologies: ownTopologies, map: map,
        switches: simulation.isTraced ? [RunSettings.all.trace.name] : []
      ).text,
      trials: (records + draws).compactMap { record in
        record.simulation.map { figures in
          // A drawn device has different prices.
          var trial = Manifest.SimulatedTrial(
            identity: record.identity, figures: figures,
            charged: figures.draw == nil ? record.work.map(costs.priced) : nil)
          trial.mainStatementsCount = record.measures.mainStatementsCount
          return trial
        }
      })
  }

  /// The stacks that the user has described, as the manifest keeps them.
  private var ownTopologies: [OwnTopology] {
    experiment.topologies.filter { !Topology.known.contains($0) }
      .compactMap { OwnTopology(line: TopologyWriter($0).line) }
  }

  /// The map of the feed as the manifest keeps it, or nil if the run has none.
  private var map: Reporting.JSONValue? {
    experiment.workload.map.flatMap { Reporting.JSONValue(text: FeedMapFile.line(of: $0)) }
  }

  /// The value of each setting that the manifest records, by name.
  private var flags: [String: String] { SettingTable.standard.recorded(experiment) }
}
