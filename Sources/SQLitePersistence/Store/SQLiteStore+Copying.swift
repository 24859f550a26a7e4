import ContextEngine
import Foundation
import MachineCore

extension SQLiteStore {
  /// Opens a private copy of a store, for example of one that Core Data wrote, so that the original's bytes never
  /// change.
  ///
  /// The file, its write-ahead log or journal, and the folder of its external files are copied. The original must not
  /// be written during the copy. The copy belongs to the caller and remains when the store is closed.
  ///
  /// - Parameters:
  ///   - machine: the machine of the opened store.
  ///   - model: the model of the opened store.
  ///   - configuration: the configuration of the opened store, with the path of the original.
  ///   - folder: an existing folder for the copy, which keeps the original's name.
  /// - Returns: the opened store.
  /// - Throws: `.storeOpen` if the original cannot be read or is not a file, or if the folder cannot hold the copy or
  ///   has a file of its name; `.full` if there is no space left; the errors of opening the copy. No copied file
  ///   remains in the folder in these cases.
  public static func openCopy(
    _ machine: any Machine, model: ManagedObjectModel, of configuration: SQLiteStoreConfiguration, in folder: String
  ) throws(PersistenceError) -> SQLiteStore {
    let original = URL(fileURLWithPath: configuration.path)
    let copy = URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent(original.lastPathComponent)
    try checkFile(at: original)
    guard !FileManager.default.fileExists(atPath: copy.path) else {
      throw PersistenceError(.storeOpen, "a store cannot be copied over an existing file", path: copy.path)
    }
    do throws(PersistenceError) {
      for (source, target) in zip(files(of: original), files(of: copy)) { try copyFile(source, to: target) }
      var configuration = configuration
      configuration.path = copy.path
      return try SQLiteStore(machine, model: model, configuration: configuration)
    } catch {
      for file in files(of: copy) { try? FileManager.default.removeItem(at: file) }
      throw error
    }
  }

  /// Returns the files of a store: the database, SQLite's log and journal, and the folder of external files. The shared
  /// index of the write-ahead log is left out, since SQLite creates it anew.
  private static func files(of store: URL) -> [URL] {
    [store] + ["-wal", "-journal"].map { URL(fileURLWithPath: store.path + $0) }
      + [ExternalStorage.supportFolder(ofStoreAt: store.path)]
  }

  private static func checkFile(at original: URL) throws(PersistenceError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: original.path, isDirectory: &isFolder) else {
      throw PersistenceError(.storeOpen, "there is no store to copy", path: original.path)
    }
    guard !isFolder.boolValue else {
      throw PersistenceError(.storeOpen, "the path of the store is a folder", path: original.path)
    }
  }

  /// Copies a file or folder if it exists, and makes the copy writable.
  private static func copyFile(_ source: URL, to target: URL) throws(PersistenceError) {
    guard FileManager.default.fileExists(atPath: source.path) else { return }
    do {
      try FileManager.default.copyItem(at: source, to: target)
      let attributes = try FileManager.default.attributesOfItem(atPath: target.path)
      let permissions = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o644
      try FileManager.default.setAttributes([.posixPermissions: permissions | 0o600], ofItemAtPath: target.path)
    } catch {
      let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
      throw PersistenceError(
        isFull ? .full : .storeOpen, "copying the store failed: \(error.localizedDescription)", path: source.path)
    }
  }
}
