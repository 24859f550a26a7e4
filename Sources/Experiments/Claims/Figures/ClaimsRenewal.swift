import Foundation
import Reporting
import TrialProcesses

/// Runs experiments anew: for the committed figures, or to check that these are still right.
package struct ClaimsRenewal: Sendable {
  /// The machines whose figures are renewed.
  package enum Scope: String, CaseIterable, Sendable {
    case simulated
    case live
    case all

    /// Returns true if the figures of a machine are renewed.
    func includes(_ machine: MachineKind) -> Bool { self == .all || rawValue == machine.rawValue }
  }

  let catalogue: ClaimCatalogue
  let run: ClaimRun

  package init(_ catalogue: ClaimCatalogue, run: ClaimRun) {
    self.catalogue = catalogue
    self.run = run
  }

  /// The result of a renewal.
  package struct Outcome: Sendable {
    package var figures: FigureTable
    /// The circumstances of the new figures, for each machine on which an experiment ran stacks.
    package var manifests: [MachineKind: Manifest]
    /// The commands of the experiments that ran, by the experiments' identifiers, for each machine.
    package var commands: [MachineKind: [String: String]]
  }

  /// Runs the experiments of claims and replaces their figures.
  ///
  /// - Parameters:
  ///   - claims: The claims.
  ///   - scope: The machines whose experiments run.
  ///   - figures: The figures of before.
  /// - Returns: The figures with the new ones.
  /// - Throws: `RunFailure` if a trial fails; `CancellationError` if the run is interrupted.
  package func renew(_ claims: [Claim], scope: Scope, of figures: FigureTable) async throws -> Outcome {
    var outcome = Outcome(figures: figures, manifests: [:], commands: [:])
    let experiments = catalogue.experiments(of: claims).filter { scope.includes($0.machine) }
    let order = catalogue.experiments.map(\.id)
    for (place, experiment) in experiments.enumerated() {
      let prefix = "experiment \(place + 1) of \(experiments.count): "
      let part = try await run.outcome(of: experiment, draws: true, prefix: prefix)
      outcome.figures = outcome.figures.replacing(experiment.id, by: part.rows, order: order)
      outcome.commands[experiment.machine, default: [:]][experiment.id] = try experiment.commands()
        .joined(separator: "; ")
      guard let manifest = part.manifest else { continue }
      outcome.manifests[experiment.machine] = joined(outcome.manifests[experiment.machine], with: manifest)
    }
    return outcome
  }

  /// Simulates the devices with their profiles' own values, and compares the figures with committed ones.
  ///
  /// - Returns: A line for each trial whose figures differ, and for each experiment whose figures are not needed.
  /// - Throws: `RunFailure` if a trial fails; `CancellationError` if the run is interrupted.
  package func differences(_ claims: [Claim], from figures: FigureTable) async throws -> [String] {
    var lines: [String] = []
    let experiments = catalogue.experiments(of: claims).filter { $0.machine == .simulated }
    for (place, experiment) in experiments.enumerated() {
      let prefix = "experiment \(place + 1) of \(experiments.count): "
      lines += figures.differences(
        from: try await run.outcome(of: experiment, draws: false, prefix: prefix).rows)
    }
    return lines
  }

  /// Returns the manifest of all experiments of a machine, without the settings of a single one.
  private func joined(_ known: Manifest?, with own: Manifest) -> Manifest {
    var manifest = known ?? own
    if known == nil {
      manifest.flags = [:]
      manifest.noise = []
      manifest.replay = nil
      manifest.fingerprint = nil
      manifest.simulatedTrials = nil
      manifest.profile = nil
      manifest.profileVersion = nil
      manifest.remarks = nil
    }
    manifest.endedAt = own.endedAt
    return manifest
  }
}
