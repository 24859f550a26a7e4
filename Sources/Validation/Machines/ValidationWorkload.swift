import Experiments
import MachineCore
import Workloads

/// A workload on which the machines are compared: settings of a run, so that each cell can be run by hand.
struct ValidationWorkload: Hashable, Sendable {
  let name: String
  /// Why it is there: what it tells apart from the others.
  let reason: String
  /// The settings that differ from a run's defaults, but for the sizes.
  let request: RunRequest

  /// Each adds one thing to the one before.
  static let all = [
    // Blind inserts without links: decoding, inserting, binding, writing, and what brings new rows to the screen.
    ValidationWorkload(
      name: "inserts", reason: "blind inserts of one entity: objects, rows and pages, no look-up",
      request: still.with(\.workload, .flat).with(\.mix, .insertsOnly).with(\.lookup, .none)),
    // More updates than inserts: fetches by key, faults, rows rewritten, merges of registered objects.
    ValidationWorkload(
      name: "upserts", reason: "mostly updates and some deletes: look-ups, faults, rows rewritten",
      request: still.with(\.mix, Mix(inserts: 40, updates: 55, deletes: 5))),
    // Inserts alone, but linked: to-one look-ups and both sides of every relationship.
    ValidationWorkload(
      name: "relationships", reason: "inserts of three linked entities: links and their inverses",
      request: still.with(\.mix, .insertsOnly)),
    // The app in use. Faster than a user would, so that a short import sees enough of both.
    ValidationWorkload(
      name: "scrolling", reason: "the standard mix while the user scrolls and edits: main contends with the import",
      request: RunRequest().with(\.scrollSpeed, 200).with(\.userEditInterval, .milliseconds(50))),
  ]

  /// Nothing scrolls and nobody edits: what main does then, the import caused.
  private static let still = RunRequest().with(\.scrollSpeed, 0).with(\.userEditInterval, .zero)
}
