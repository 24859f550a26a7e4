import MachineSimulated

/// Runs rows of a published table in virtual time, each in a child process, on all cores.
struct PublishedRun: Sendable {
  let table: PublishedTable
  /// About how many objects each row imports.
  let objectCount: Int
  let seed: UInt64
  let children: Children

  /// What one row may take of wall time.
  private static let timeLimit = Duration.seconds(600)

  /// The figures of these rows on each of these devices: by device, then by row, then by phase.
  ///
  /// - Throws: `CommandFailure` of the first row that failed; `CancellationError`.
  func figures(
    of rows: [PublishedTable.Row], on profiles: [Profile], progress: ProgressLine
  ) async throws -> [[[ChildPublishedCommand.Figures]]] {
    let folder = try children.scratch.makeFolder("published")
    defer { children.scratch.removeFolder(folder) }
    let count = rows.count * profiles.count
    let timeLeft = TimeLeft(trials: count)
    let answers = try await children.answers(
      of: ChildPublishedCommand.self, count: count, timeLimit: PublishedRun.timeLimit,
      plan: { [objectCount, seed] index, core in
        ChildPublishedCommand.Plan(
          row: rows[index % rows.count], objectCount: objectCount,
          simulation: Simulation(
            profile: profiles[index / rows.count], scheduleSeed: nil, seed: seed, isTraced: false),
          storePath: "\(folder)/\(index).sqlite", hostCore: core)
      },
      ended: { progress.show("\($0) of \(count) rows\(timeLeft.text(done: $0))") })
    return profiles.indices.map { device in
      rows.indices.map { answers[device * rows.count + $0].phases }
    }
  }
}
