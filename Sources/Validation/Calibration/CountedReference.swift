import InputFiles
import MachineSimulated

/// A reference of costs that consists of counted instructions.
package struct CountedReference {
  private let fit: ProfileFit

  /// Creates a reference from a fit to measurements whose nanoseconds are instructions.
  package init(_ fit: ProfileFit) {
    self.fit = fit
  }

  /// Returns the YAML of the next version of a reference.
  ///
  /// System calls and the waking of threads keep the costs of the old reference, because the profiler does not count
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
    return ProfileWriter(
      try CostReference(
        name: old.name, title: old.title, version: old.version + 1,
        description:
          "Frozen: calibrating a computer changes no phone. Instructions of this engine, counted scenario by scenario",
        costs: costs)
    ).text
  }
}
