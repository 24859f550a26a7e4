import MachineSimulated
import Profiles

/// A reference of costs made of counted instructions.
package struct CountedReference {
  private let fit: ProfileFit

  /// - Parameter fit: fitted to measurements whose nanoseconds are instructions.
  package init(_ fit: ProfileFit) {
    self.fit = fit
  }

  /// Returns the YAML of the reference that follows another one.
  ///
  /// Calls of the system and the waking of threads keep the costs of the reference before: the profiler counts no
  /// instructions of the system.
  package func text(replacing old: CostReference) throws(ProfileError) -> String {
    var costs = old.costs
    for line in fit.lines {
      guard let workClass = WorkClass(line.part), workClass != .systemCalls, workClass != .handOver else { continue }
      costs[line.part] = ProfileFit.constant(
        line.value, deviation: min(line.deviation, 0.1),
        source: line.isDetermined
          ? "instructions counted by .ci/reference"
          : "the reference before, times what instructions counted by .ci/reference say of the class")
    }
    return ReferenceWriter(
      try CostReference(
        name: old.name, title: old.title, version: old.version + 1,
        description:
          "Frozen: calibrating a computer changes no phone. Instructions of this engine, counted scenario by scenario",
        costs: costs)
    ).text
  }
}
