import ContextEngine
import Foundation
import MachineCore
import Workloads

/// The store that each trial starts from, with the rows that exist before the first payload. The engine writes it once.
package enum BaseStore {
  /// The number of rows in one save.
  private static let saveSize = 2_000

  /// Writes the archive's existing records and the inputs of computations, if the run has any, into the store at `path`,
  /// which is made if it does not exist, and closes it.
  /// Blocks until that is done.
  package static func write(
    _ archive: WorkloadArchive, to path: String, options: RunOptions, machine: any Machine,
    instruments: TrialInstruments
  ) throws {
    let schema = try EngineSchema(archive.schema, hasComputationInputs: options.inFlight != .off)
    let store = try instruments.openStore(machine, schema.model, path, options)
    let coordinator = PersistentStoreCoordinator(machine: machine, store: store)
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "existing rows")
    let decoder = PayloadDecoder(schema: archive.schema)
    let references = Guarded(ForwardReferences())
    for index in archive.existing.indices {
      let records = try decoder.decode(archive.existingText(index))
      var start = 0
      while start < records.count {
        let end = records.endOfUnit(from: start, count: saveSize)
        let unit = records[start..<end]
        start = end
        try context.performAndWait { () throws(PersistenceError) in
          var unitImport = UnitImport(
            context, schema: schema, lookup: .unit, references: references.withLock { $0 })
          try unitImport.run(unit)
          try context.save()
          references.withLock { [found = unitImport.references] in $0 = found }
        }
      }
    }
    if let inputs = schema.computationInputs {
      try context.performAndWait { () throws(PersistenceError) in
        inputs.insert(into: context)
        try context.save()
      }
    }
    try store.close()
  }

  /// Copies the closed store for one trial, with the files of its large values.
  package static func copy(from path: String, to copy: String) throws {
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    try copySupportFolder(from: path, to: copy)
  }

  /// Copies the folder with the files of a store's large values, if the store has one.
  static func copySupportFolder(from path: String, to copy: String) throws {
    let folder = supportFolder(of: path)
    guard FileManager.default.fileExists(atPath: folder) else { return }
    try FileManager.default.copyItem(atPath: folder, toPath: supportFolder(of: copy))
  }

  /// Removes a closed store and the files of its large values.
  static func remove(_ path: String) throws {
    try FileManager.default.removeItem(atPath: path)
    let folder = supportFolder(of: path)
    if FileManager.default.fileExists(atPath: folder) { try FileManager.default.removeItem(atPath: folder) }
  }

  private static func supportFolder(of path: String) -> String {
    let store = URL(fileURLWithPath: path)
    return store.deletingLastPathComponent()
      .appendingPathComponent(".\(store.deletingPathExtension().lastPathComponent)_SUPPORT").path
  }
}
