import Foundation
import MachineCore
import MachineSimulated
import Metrics

/// The time that a sync waits for storage, as a cost of each sync and of each byte, fitted to measurements.
package struct StorageFit {
  private let values: [CostPart: Double]

  /// The standard deviation of the prior, as a logarithm: a sync may take ten times as long as on another computer, or
  /// a tenth as long.
  private static let priorDeviation = 2.3
  /// The shortest wait that is fitted to. Shorter waits are the time that reading the clocks takes.
  private static let leastWait = TimeSpan.microseconds(20)

  /// Fits the costs to measurements.
  ///
  /// - Parameters:
  ///   - measurements: The measurements, including those that do not wait for storage.
  ///   - host: The profile whose constants are the means of the prior.
  package init(_ measurements: [WorkMeasurement], host: ProfileDeclaration) {
    let parts = [Work.Kind.sync, .fullFlush].flatMap { kind in
      kind.costComponents.filter { !$0.isCPU }.map { CostPart(kind, component: $0) }
    }
    let counted = parts.filter { part in
      (host.costs[part]?.value ?? 0) > 0 && measurements.contains { $0.storage >= Self.leastWait && $0[part] > 0 }
    }
    let fit = LogNormalFit(
      parameters: counted.map { .init(mean: log(host.costs[$0]?.value ?? 1), deviation: Self.priorDeviation) },
      observations: measurements.filter { $0.storage >= Self.leastWait }.compactMap { measurement in
        let terms = counted.enumerated().filter { measurement[$0.element] > 0 }
          .map { LogNormalFit.Term(Double(measurement[$0.element]), parameters: [$0.offset]) }
        guard terms.contains(where: { counted[$0.parameters[0]].component == .storage }) else { return nil }
        return LogNormalFit.Observation(
          group: measurement.scenario, terms: terms, measured: Double(measurement.storage.nanoseconds), deviation: 0.2)
      })
    values = Dictionary(uniqueKeysWithValues: zip(counted, fit.values.map { exp($0) }))
  }

  /// The nanoseconds for each count or byte, or nil if the part was not measured.
  subscript(part: CostPart) -> Double? { values[part] }
}
