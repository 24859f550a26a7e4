import Foundation
import OutputFiles

/// A store that was read for inspection: its contents, and the files of the original.
package struct InspectedStore: Sendable {
  /// The path of the store, as it was given.
  package let path: String
  /// The contents, with the rows of the write-ahead log.
  package let contents: StoreContents
  /// The number of bytes of the database.
  package let databaseByteCount: Int
  /// The number of bytes of the write-ahead log, or 0 without a log.
  package let logByteCount: Int
  /// The sizes of the files with values that the store keeps outside of the database.
  package let externalByteCounts: [Int]

  /// Copies a store into a folder, reads the copy and removes it. Blocks until that is done.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - folder: An existing private folder.
  /// - Throws: `FileError`.
  package init(_ path: String, copyingInto folder: String) throws(FileError) {
    let copy = try StoreCopy(of: path, in: folder)
    defer { StoreCopy.remove(StoreFiles(database: copy.path)) }
    self.path = path
    contents = try StoreContents(of: copy)
    databaseByteCount = copy.databaseByteCount
    logByteCount = copy.logByteCount
    externalByteCounts = ExternalFiles(of: copy.original).byteCounts
  }
}

/// The files in which a store keeps its large values.
struct ExternalFiles {
  private let folder: String

  init(of files: StoreFiles) {
    folder = files.externalFolder
  }

  /// The names of the files, sorted. Links, folders and other entries that are not files are left out.
  var names: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().filter { byteCount($0) != nil }
  }

  /// The sizes of the files.
  var byteCounts: [Int] { names.compactMap(byteCount) }

  /// Returns the path of a file.
  func path(_ name: String) -> String { "\(folder)/\(name)" }

  private func byteCount(_ name: String) -> Int? {
    var status = stat()
    guard lstat(path(name), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }
}
