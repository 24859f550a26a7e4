import Foundation
import MachineCore
import Metrics
import Workloads

// MARK: - Dying

extension Trial {
  private static let journalName = "journal.jsonl"
  private static let storeName = "store.sqlite"
  private static let leftStoreName = "left.sqlite"

  /// Warms up and runs until the app dies at `--kill-at`. `Autopsy` then examines the trial's folder.
  ///
  /// On real threads the process ends, and the call does not return: a file that is copied while other threads run
  /// could have a state that no crash leaves. On a simulated machine no other block runs at the same time, so the files
  /// are copied at that instant. They contain all data that `write` was given, as after the end of a process.
  ///
  /// - Throws: The error that stopped the import or an edit before.
  package func runUntilKilled() throws {
    guard let killAt = plan.options.killAt else {
      trapMisuse("a trial without killAt cannot be run until it is killed")
    }
    let archive = try instruments.openWorkload(URL(fileURLWithPath: plan.archive))
    let schema = try EngineSchema(archive.schema)
    for number in 0..<plan.options.warmup { try warmUp(number, archive: archive, schema: schema) }

    try BaseStore.copy(from: plan.baseStore, to: path(of: Self.storeName))
    let journal = try AppJournal(writingTo: path(of: Self.journalName))
    let session = try open(archive, schema: schema, storePath: path(of: Self.storeName), journal: journal)
    let drive = drive(session, archive: archive, schema: schema)
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
    if plan.options.openScreens == .atFirstPayload { session.openScreens(at: windowStart) }
    session.running.start(at: windowStart)
    drive.edits.start()
    try wait(for: session) {
      drive.edits.failure != nil || journal.failure != nil || left.withLock { $0 != nil }
    }
    if let failure = drive.edits.failure { throw failure }
    if let failure = journal.failure { throw failure }
    try left.withLock { $0 }?.get()
    try wind(down: session, drive)
  }

  /// Stops a machine that continues after the death of the app, and waits until it is at rest.
  private func wind(down session: TrialSession, _ drive: Drive) throws {
    drive.stop()
    try wait(for: session) { session.isImported && drive.edits.isIdle && session.isAtRest() }
    try session.close()
  }

  /// Copies the store's file, its write-ahead log and its journal.
  private func copyStore() throws {
    for suffix in ["", "-wal", "-journal"] {
      let file = path(of: Self.storeName) + suffix
      guard FileManager.default.fileExists(atPath: file) else { continue }
      try FileManager.default.copyItem(atPath: file, toPath: path(of: Self.leftStoreName) + suffix)
    }
    try BaseStore.copySupportFolder(from: path(of: Self.storeName), to: path(of: Self.leftStoreName))
  }

  /// Returns the paths of the app's journal and of the store that a killed trial left in its folder. The
  /// store is the copy that was made of it, if there is one, otherwise the trial's own file.
  static func leftFiles(of plan: TrialPlan) -> (journal: String, store: String) {
    let folder = URL(fileURLWithPath: plan.scratch)
    let copied = folder.appendingPathComponent(leftStoreName).path
    return (
      folder.appendingPathComponent(journalName).path,
      FileManager.default.fileExists(atPath: copied) ? copied : folder.appendingPathComponent(storeName).path
    )
  }
}
