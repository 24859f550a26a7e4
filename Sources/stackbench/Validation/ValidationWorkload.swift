/// A workload on which the machines are compared: flags of `run`, so that each cell can be run by hand.
struct ValidationWorkload: Hashable, Sendable {
  let name: String
  /// Why it is there: what it tells apart from the others.
  let reason: String
  /// What differs from `run`'s own defaults; sizes come beside.
  let flags: [String]

  /// Each adds one thing to the one before.
  static let all = [
    // Blind inserts without links: decoding, inserting, binding, writing, and what brings new rows to the screen.
    ValidationWorkload(
      name: "inserts", reason: "blind inserts of one entity: objects, rows and pages, no look-up",
      flags: ["--workload", "flat", "--mix", "100:0:0", "--lookup", "none"] + still),
    // More updates than inserts: fetches by key, faults, rows rewritten, merges of registered objects.
    ValidationWorkload(
      name: "upserts", reason: "mostly updates and some deletes: look-ups, faults, rows rewritten",
      flags: ["--workload", "catalog", "--mix", "40:55:5"] + still),
    // Inserts alone, but linked: to-one look-ups and both sides of every relationship.
    ValidationWorkload(
      name: "relationships", reason: "inserts of three linked entities: links and their inverses",
      flags: ["--workload", "catalog", "--mix", "100:0:0"] + still),
    // The app in use. Faster than a user would, so that a short import sees enough of both.
    ValidationWorkload(
      name: "scrolling", reason: "the standard mix while the user scrolls and edits: main contends with the import",
      flags: ["--workload", "catalog", "--mix", "70:25:5", "--scroll-speed", "200", "--user-edit-interval", "50"]),
  ]

  /// Nothing scrolls and nobody edits: what main does then, the import caused.
  private static let still = ["--scroll-speed", "0", "--user-edit-interval", "0"]
}
