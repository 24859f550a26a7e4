import OutputFiles
import TrialProcesses

/// A store in a folder.
struct FoundStore {
  /// The path relative to the folder.
  let path: String
  private let contents: StoreContents

  /// Reads a store of Core Data by a private copy.
  ///
  /// - Parameters:
  ///   - path: The path of the store relative to the folder.
  ///   - place: The path by which the store is read.
  ///   - scratch: An existing private folder for the copy.
  /// - Throws: `FileError` if the file is not a store, or cannot be read.
  init(_ path: String, at place: String, scratch: String) throws(FileError) {
    self.path = path
    contents = try InspectedStore(place, copyingInto: scratch).contents
  }

  /// The number of rows of all tables, without those that join many-to-many relationships.
  var rowCount: Int {
    let joins = contents.tables.filter { $0.name.hasPrefix("Z_") }
    return (contents.tables.map(\.rowCount).reduce(0, +)) - joins.map(\.rowCount).reduce(0, +)
  }

  /// The number of the version of a model to which the store belongs, or nil if it does not belong to the model.
  func version(of model: FoundModel) -> Int? {
    model.versions.firstIndex { StoreModelComparison(contents, with: $0.model).firstDifference == nil }
  }
}
