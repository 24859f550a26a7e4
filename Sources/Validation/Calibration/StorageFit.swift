import Foundation
import MachineCore
import MachineSimulated
import Metrics

/// The time that a sync waits for storage, by the sync and by the byte, fitted to measurements.
package struct StorageFit {
  private let values: [CostPart: Double]

  /// What is known beforehand: a sync may take ten times as long as on another computer, or a tenth.
  private static let priorDeviation = 2.3
  /// Waiting for less than this is what reading the clocks takes.
  private static let leastWait = Span.microseconds(20)

  /// - Parameter host: The profile whose constants the fit begins with.
  package init(_ measurements: [WorkMeasurement], host: ProfileDeclaration) {
    let parts = [Work.Kind.sync, .fullFlush].flatMap { kind in
      kind.costComponents.filter { !$0.isCPU }.map { CostPart(kind, $0) }
    }
    let counted = parts.filter { part in
      (host.costs[part]?.value ?? 0) > 0 && measurements.contains { $0.storage >= Self.leastWait && $0[part] > 0 }
    }
    let fit = LogNormalFit(
      parameters: counted.map { .init(mean: log(host.costs[$0]?.value ?? 1), deviation: Self.priorDeviation) },
      observations: measurements.filter { $0.storage >= Self.leastWait }.compactMap { measurement in
        let terms = counted.enumerated().filter { measurement[$0.element] > 0 }
          .map { LogNormalFit.Term(Double(measurement[$0.element]), [$0.offset]) }
        guard terms.contains(where: { counted[$0.parameters[0]].component == .storage }) else { return nil }
        return LogNormalFit.Observation(
          group: measurement.scenario, terms: terms, measured: Double(measurement.storage.nanoseconds), deviation: 0.2)
      })
    values = Dictionary(uniqueKeysWithValues: zip(counted, fit.values.map { exp($0) }))
  }

  /// The nanoseconds for each count or byte; nil for a part that was not measured.
  subscript(part: CostPart) -> Double? { values[part] }
}
