import Foundation
import MachineCore
import Metrics
import Workloads

// MARK: - Dying

extension Trial {
  private static let journalName = "journal.jsonl"
  private static let storeName = "store.sqlite"
  private static let leftStoreName = "left.sqlite"

  /// Warms up and runs until `--kill-at`, where the app dies; `Autopsy` then tells from the trial's folder what is left.
  ///
  /// Where the machine can only be stopped by ending the process, as on real threads, this does not return: a file copied
  /// while other threads go on would show a state that no crash leaves. Where nothing else runs while one block does, the
  /// files are copied at that instant, which is what a killed process leaves: whatever `write` was given is there.
  ///
  /// - Throws: what stopped the import or an edit before.
  package func runUntilKilled() throws {
    guard let killAt = plan.options.killAt else { trapMisuse("a trial that nobody kills was run until it is") }
    let archive = try WorkloadArchive(opening: URL(fileURLWithPath: plan.archive))
    let schema = try EngineSchema(archive.schema)
    for number in 0..<plan.options.warmup { try warmUp(number, archive, schema) }

    try BaseStore.copy(from: plan.baseStore, to: path(of: Self.storeName))
    let journal = try AppJournal(writingTo: path(of: Self.journalName))
    let session = try open(archive, schema, path(of: Self.storeName), journal: journal)
    let drive = drive(session, archive)
    let windowStart = drive.schedule.windowStart
    journal.write(.windowStart(at: windowStart))
    let left = Guarded<Result<Void, any Error>?>(nil)
    let death = machine.makeSerialQueue(label: "death")
    death.async(at: windowStart + killAt) { [self] in
      journal.write(.died(at: machine.now))
      instruments.endProcess?()
      left.withLock { $0 = Result { try copyStore() } }
    }
    drive.display.start()
    defer { drive.stop() }
    machine.wait(until: windowStart - .milliseconds(2))
    for lane in session.lanes { lane.start(at: windowStart) }
    drive.edits.start()
    try wait(for: session) {
      drive.edits.failure != nil || journal.failure != nil || left.withLock { $0 != nil }
    }
    if let failure = drive.edits.failure { throw failure }
    if let failure = journal.failure { throw failure }
    try left.withLock { $0 }?.get()
    try wind(down: session, drive)
  }

  /// Lets a machine that outlives the app come to rest: what happens from the death on is nobody's any more.
  private func wind(down session: TrialSession, _ drive: Drive) throws {
    drive.stop()
    try wait(for: session) { session.isImported && drive.edits.isIdle && session.isAtRest() }
    try session.close()
  }

  /// Copies the store's file and what lies beside it.
  private func copyStore() throws {
    for suffix in ["", "-wal", "-journal"] {
      let file = path(of: Self.storeName) + suffix
      guard FileManager.default.fileExists(atPath: file) else { continue }
      try FileManager.default.copyItem(atPath: file, toPath: path(of: Self.leftStoreName) + suffix)
    }
  }

  /// The files that a killed trial left in its folder: the app's journal, and the store to look at.
  static func leftFiles(of plan: TrialPlan) -> (journal: String, store: String) {
    let folder = URL(fileURLWithPath: plan.scratch)
    let copied = folder.appendingPathComponent(leftStoreName).path
    return (
      folder.appendingPathComponent(journalName).path,
      FileManager.default.fileExists(atPath: copied) ? copied : folder.appendingPathComponent(storeName).path
    )
  }
}
