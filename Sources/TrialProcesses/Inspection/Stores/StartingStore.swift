import ContextEngine
import Foundation
import Glibc
import OutputFiles
import SQLitePersistence

/// A store of a user's app from which trials start: a private copy that was compared with the model of the trials.
package struct StartingStore: Sendable {
  /// The path of the copied database. It has no log and no journal, because their contents are in it.
  package let path: String
  /// The contents of the store.
  package let contents: StoreContents
  /// The number of files with large values, which are in the folder in which the engine looks for them.
  package let externalFileCount: Int

  /// Copies a store with the rows of its write-ahead log and its external files, and compares it with a model.
  ///
  /// Other processes may write the store during the copy. The original is only read. Blocks until the copy is complete.
  ///
  /// - Parameters:
  ///   - origin: The path of the store.
  ///   - folder: An existing folder for the copy.
  ///   - name: The name of the copied database, which the folder does not have yet.
  ///   - model: The model of the trials.
  /// - Throws: `FileError`, with code `otherModel` and a sentence that names the first difference if the store
  ///   belongs to another version of the model. The folder then contains no file of the copy.
  package init(
    copying origin: String, into folder: String, named name: String, model: ManagedObjectModel
  ) throws(FileError) {
    let target = StoreFiles(database: "\(folder)/\(name)")
    do throws(FileError) {
      // An app writes an external file before the commit that refers to it, and removes it after the commit that drops
      // the reference. What is copied before and after the database includes each file to which it refers.
      let source = try StoreFiles(ofStoreAt: origin)
      var copied = try Self.copyExternalFiles(of: source, to: target, except: [])
      let copy = try StoreCopy(of: origin, in: folder, named: name)
      copied += try Self.copyExternalFiles(of: source, to: target, except: copied)
      contents = try StoreContents(of: copy)
      let comparison = StoreModelComparison(contents, with: model)
      if let difference = comparison.firstDifference {
        throw FileError(
          .otherModel, path: origin,
          message:
            "belongs to another version of the model: \(difference); use the version of the model with which the app saved "
            + "the store")
      }
      guard access(target.log, F_OK) != 0, access(target.journal, F_OK) != 0 else {
        throw FileError(.malformed, path: origin, message: "has a log or a journal that SQLite cannot apply")
      }
      path = copy.path
      externalFileCount = copied.count
    } catch {
      StoreCopy.remove(target)
      try? FileManager.default.removeItem(atPath: target.supportFolder)
      throw error
    }
  }

  /// Copies the external files that are not copied yet, and returns their names.
  private static func copyExternalFiles(
    of source: StoreFiles, to target: StoreFiles, except known: [String]
  ) throws(FileError) -> [String] {
    let files = ExternalFiles(of: source)
    let known = Set(known)
    let names = files.names.filter { !known.contains($0) }
    guard !names.isEmpty else { return [] }
    for folder in [target.supportFolder, target.externalFolder] where mkdir(folder, S_IRWXU) != 0 && errno != EEXIST {
      throw FileError(writing: folder, errno)
    }
    var copied: [String] = []
    for name in names {
      // A file that was removed since the list was made belongs to a value that is gone too.
      guard let file = try SourceFile.ifPresent(files.path(name)) else { continue }
      try file.copy(to: ExternalFiles(of: target).path(name))
      copied.append(name)
    }
    return copied
  }
}
