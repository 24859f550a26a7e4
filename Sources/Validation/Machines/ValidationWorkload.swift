import Experiments
import MachineCore
import Workloads

/// A workload on which the machines are compared. It consists of the settings of a run, so that users can also run each
/// cell by hand.
struct ValidationWorkload: Hashable, Sendable {
  let name: String
  /// The reason for the workload, as the work in which it differs from the others.
  let reason: String
  /// The settings that differ from the defaults of a run, without the sizes.
  let request: RunRequest

  /// All workloads of a validation, in the order in which they run.
  static let all = [
    // Blind inserts without links: decoding, inserting, binding, writing, and bringing new rows to the screen.
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
    // The app in use. Scrolls and edits are more frequent than a user's, so that a short import meets enough of both.
    ValidationWorkload(
      name: "scrolling", reason: "the standard mix while the user scrolls and edits: main contends with the import",
      request: RunRequest().with(\.scrollSpeed, 200).with(\.userEditInterval, .milliseconds(50))),
  ]

  /// The settings of a user who neither scrolls nor edits, so that the import causes all work of the main thread.
  private static let still = RunRequest().with(\.scrollSpeed, 0).with(\.userEditInterval, .zero)
}
