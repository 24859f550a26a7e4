import MachineCore
import MachineSimulated
import Metrics

extension CostModel {
  /// Returns the time that work takes at the costs of the model, by role and kind. Work that takes less than a
  /// nanosecond in total is left out.
  package func priced(_ work: WorkCounts) -> [PricedWork] {
    WorkRole.allCases.flatMap { role in
      Work.Kind.allCases.compactMap { kind in
        let cost = self[kind]
        let count = work.count(kind, for: role)
        let picoseconds =
          Int64(count) * (cost.cpuPerCount + cost.storagePerCount)
          + Int64(work.bytes(kind, for: role)) * (cost.cpuPerByte + cost.storagePerByte)
        guard picoseconds >= 1_000 else { return nil }
        return PricedWork(
          kind: kind.name, role: role.title, count: count, nanoseconds: picoseconds / 1_000)
      }
    }
  }
}
