import ContextEngine
import Experiments
import Foundation
import MachineLive
import SQLitePersistence
import TestSupport

/// A folder with files of an app.
struct ProjectFixture {
  let folder: TemporaryFolder
  /// A private folder for copies.
  let scratch: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    scratch = try TemporaryFolder()
  }

  /// Writes a file below the folder, with the folders above it.
  func write(_ text: String, to path: String) throws {
    let file = folder.url.appendingPathComponent(path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// Writes a model with one entity. Its attributes are optional strings.
  func writeModel(_ path: String, entity: String, attributes: [String]) throws {
    let name = path.split(separator: "/").last.map { $0.replacing(".xcdatamodeld", with: "") } ?? ""
    let lines = attributes.map { #"<attribute name="\#($0)" optional="YES" attributeType="String"/>"# }
    try write(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="\(entity)" representedClassName="\(entity)" syncable="YES">
      \(lines.joined(separator: "\n"))
      </entity>
      </model>
      """, to: "\(path)/\(name).xcdatamodel/contents")
  }

  /// Writes a store with rows of one entity. Its attributes are optional strings.
  func writeStore(_ path: String, entity: String, attributes: [String], rowCount: Int) throws {
    let model = ManagedObjectModel([.init(entity, attributes: attributes.map { .init($0, .string) })])
    let store = try SQLiteStore(
      LiveMachine(ledger: .init()), model: model,
      configuration: SQLiteStoreConfiguration(path: folder.url.appendingPathComponent(path).path))
    let coordinator = PersistentStoreCoordinator(machine: LiveMachine(ledger: .init()), store: store)
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "app")
    try context.performAndWait { () throws(PersistenceError) in
      for number in 0..<rowCount { context.insert(model.entity(entity))[attributes[0]] = .string("row \(number)") }
      try context.save()
    }
    try store.close()
  }

  /// Searches the folder.
  func survey() throws -> FolderSurvey {
    try FolderSurvey(of: folder.path, scratch: scratch.path, except: SettingsFile.name)
  }
}
