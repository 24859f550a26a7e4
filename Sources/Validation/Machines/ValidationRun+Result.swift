import MachineSimulated
import Metrics
import TrialProcesses

/// The comparison of a validation's trials.
extension ValidationRun {
  /// Returns the speed of this computer over all live trials.
  func speed(of live: [Cell: [TrialRecord]]) -> ValidationSpeed {
    let trials = cells.flatMap { live[$0] ?? [] }.map(\.noise)
    let drift = YardstickDrift(
      of: trials.compactMap(\.yardstick), repeatedTrialCount: trials.count { ($0.repeatCount ?? 0) > 0 })
    return ValidationSpeed(drift: drift, profileNanoseconds: validation.profile.yardstick)
  }

  /// Compares every cell that has a predicted trial, with the live trials scaled to the median yardstick. `profile` is
  /// the profile whose costs the simulated trials used.
  func result(
    live: [Cell: [TrialRecord]], predicted: [Cell: TrialRecord], of profile: Profile
  ) -> ValidationResult {
    let median = speed(of: live).drift.map { Double($0.medianNanoseconds) }
    let tick = 1_000_000_000 / Int64(profile.hardware.refreshRate)
    var compared: [ValidationResult.Cell] = []
    var records: [TrialRecord] = []
    for cell in cells {
      guard let record = predicted[cell] else { continue }
      records.append(record)
      compared.append(
        ValidationResult.Cell(
          workload: validation.workloads[cell.workload].name, topology: topologies[cell.topology].id,
          live: (live[cell] ?? []).map { trial in median.map(trial.measures.atYardstick) ?? trial.measures },
          predicted: record.measures, tick: tick))
    }
    let explanations = ValidationResult.Measure.allCases.compactMap { measure -> ValidationResult.Explanation? in
      guard let worst = ValidationResult.largestError(of: measure, in: compared),
        let place = compared.firstIndex(of: worst), let work = records[place].work
      else { return nil }
      return ValidationResult.Explanation(
        measure: measure, workload: worst.workload, topology: worst.topology,
        work: profile.device().costs.priced(work))
    }
    return ValidationResult(
      profile: profile.name, rows: validation.rows, cells: compared, explanations: explanations)
  }
}
