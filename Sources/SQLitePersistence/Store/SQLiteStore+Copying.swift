import ContextEngine
import Foundation
import MachineCore

extension SQLiteStore {
  /// Opens a private copy of a store, as of one that Core Data wrote: the original's bytes never change.
  ///
  /// Copied are the file, its write-ahead log or journal, and the folder of the values that it keeps in files of their own.
  /// Nobody may write the original meanwhile. The copy is the caller's: it stays when the store is closed.
  ///
  /// - Parameters:
  ///   - configuration: of the store to be opened; its path is the original's.
  ///   - folder: where the copy goes, under the original's name; it exists.
  /// - Throws: `.storeOpen` where the original cannot be read, is no file, or the folder cannot take it or has a file of its
  ///   name; `.full` where there is no room; whatever opening the copy throws. Nothing is left in the folder then.
  public static func openCopy(
    _ machine: any Machine, model: ManagedObjectModel, of configuration: SQLiteStoreConfiguration, in folder: String
  ) throws(PersistenceError) -> SQLiteStore {
    let original = URL(fileURLWithPath: configuration.path)
    let copy = URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent(original.lastPathComponent)
    try checkFile(at: original)
    guard !FileManager.default.fileExists(atPath: copy.path) else {
      throw PersistenceError(.storeOpen, "a store cannot be copied over a file that is there", path: copy.path)
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

  /// What belongs to a store: its file, what SQLite keeps beside it, and what Core Data keeps there. Not the shared index of
  /// the write-ahead log, which is made anew.
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
      throw PersistenceError(.storeOpen, "what should be a store is a folder", path: original.path)
    }
  }

  /// Copies a file or folder if it is there, and makes the copy one that may be written.
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
