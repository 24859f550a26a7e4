import Foundation
import MachineCore
import Metrics
import Workloads

// MARK: - Dying

extension Trial {
  /// The folder, in the trial's scratch folder, with the store's files that a machine copied at the death of the app.
  private static let leftFolder = "left"

  /// Warms up and runs until the app dies, at an instant or at a power cut. `Autopsy` then examines the trial's folder.
  ///
  /// On real threads the process ends, and the call does not return: a file that is copied while other threads run
  /// could have a state that no crash leaves. On a simulated machine no other block runs at the same time, so the files
  /// are copied at that instant. They contain all data that `write` was given, as after the end of a process. At a power
  /// cut, both machines write the files that a device has then.
  ///
  /// - Throws: The error that stopped the import or an edit before, or `UnmetFault`.
  package func runUntilKilled() throws {
    guard plan.options.isKilled else { trapMisuse("a trial without a death cannot be run until it is killed") }
    let archive = try instruments.openWorkload(URL(fileURLWithPath: plan.archive))
    let schema = try EngineSchema(archive.schema)
    for number in 0..<plan.options.warmup { try warmUp(number, archive: archive, schema: schema) }

    try BaseStore.copy(from: plan.baseStore, to: path(of: Self.storeFileName))
    let journal = try AppJournal(writingTo: path(of: Self.journalName))
    let session = try open(archive, schema: schema, storePath: path(of: Self.storeFileName), journal: journal)
    let drive = drive(session, archive: archive, schema: schema)
    let windowStart = drive.schedule.windowStart
    journal.write(.windowStart(at: windowStart))
    let left = Guarded<Result<Void, any Error>?>(nil)
    if let killAt = plan.options.killAt {
      let death = machine.makeSerialQueue(label: "death")
      death.async(at: windowStart + killAt) { [self] in
        journal.write(.died(at: machine.now))
        instruments.endProcess?()
        left.withLock { $0 = Result { try copyStore() } }
      }
    }
    drive.display.start()
    defer { drive.stop() }
    machine.wait(until: windowStart - .milliseconds(2))
    if plan.options.openScreens == .atFirstPayload { session.openScreens(at: windowStart) }
    armFault { [self] in
      // A commit that has returned by now was synced before the files are taken.
      journal.write(.died(at: machine.now))
      left.withLock { $0 = Result { try writeDeviceFiles() } }
      instruments.endProcess?()
    }
    session.running.start(at: windowStart)
    drive.edits.start()
    try wait(for: session) {
      drive.edits.failure != nil || journal.failure != nil || left.withLock { $0 != nil }
        || plan.options.killAt == nil && drive.isDone
    }
    if let failure = drive.edits.failure { throw failure }
    if let failure = journal.failure { throw failure }
    try left.withLock { $0 }?.get()
    try wind(down: session, drive)
    // The power may be cut while the store is closed.
    try left.withLock { $0 }?.get()
    try checkFault()
  }

  /// Stops a machine that continues after the death of the app, and waits until it is at rest.
  private func wind(down session: TrialSession, _ drive: Drive) throws {
    drive.stop()
    try wait(for: session) { session.isImported && drive.edits.isIdle && session.isAtRest() }
    try session.close()
  }

  /// Makes the folder of copied files, and copies the files of large values into it.
  private func makeLeftFolder() throws -> URL {
    let folder = URL(fileURLWithPath: path(of: Self.leftFolder))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try BaseStore.copySupportFolder(
      from: path(of: Self.storeFileName), to: folder.appendingPathComponent(Self.storeFileName).path)
    return folder
  }

  /// Copies the store's file, its write-ahead log and its journal.
  private func copyStore() throws {
    let folder = try makeLeftFolder()
    for name in ["", "-wal", "-journal"].map({ Self.storeFileName + $0 }) {
      guard FileManager.default.fileExists(atPath: path(of: name)) else { continue }
      try FileManager.default.copyItem(atPath: path(of: name), toPath: folder.appendingPathComponent(name).path)
    }
  }

  /// Writes the store's files as a device has them whose power is cut now.
  private func writeDeviceFiles() throws {
    let folder = try makeLeftFolder()
    // The store's paths may have another form than the scratch folder's, so only the folder's name is compared.
    let scratch = "/\(URL(fileURLWithPath: plan.scratch).lastPathComponent)/"
    for (path, content) in instruments.faults?.filesAfterPowerCut(seed: plan.options.seed) ?? [] {
      guard let start = path.range(of: scratch, options: .backwards)?.upperBound else {
        trapMisuse("the file \(path) is not in the folder of its trial")
      }
      let file = folder.appendingPathComponent(String(path[start...]))
      guard let content else {
        try? FileManager.default.removeItem(at: file)
        continue
      }
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(content).write(to: file)
    }
  }

  /// Returns the paths of the app's journal and of the store that a killed trial left in its folder. The
  /// store is the copy that was made of it, if there is one, otherwise the trial's own file.
  static func leftFiles(of plan: TrialPlan) -> (journal: String, store: String) {
    let folder = URL(fileURLWithPath: plan.scratch)
    let copied = folder.appendingPathComponent("\(leftFolder)/\(storeFileName)").path
    return (
      folder.appendingPathComponent(journalName).path,
      FileManager.default.fileExists(atPath: copied) ? copied : folder.appendingPathComponent(storeFileName).path
    )
  }
}
