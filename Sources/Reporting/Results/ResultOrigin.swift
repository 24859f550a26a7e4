import Foundation
import OutputFiles

/// A note in the folder of a result that was moved aside for a newer one: the name of the folder that it was written
/// to.
///
/// Results are moved aside into folders named after their day, regardless of the folder they come from. The note keeps
/// the results of one folder together, in the order in which they were moved.
package struct ResultOrigin: Hashable, Sendable, Codable {
  /// The last part of the path of the folder that the result was written to. Both folders have the same parent.
  package let name: String
  /// The place among the results that were moved from that folder, counted from 1.
  package let number: Int

  package static let fileName = "origin.json"

  package init(name: String, number: Int) {
    self.name = name
    self.number = number
  }

  /// Reads the note in the folder at `path`, or returns nil if it is missing or cannot be read.
  package init?(in path: String) {
    guard let data = FileManager.default.contents(atPath: "\(path)/\(Self.fileName)"),
      let origin = try? StoredJSON.decode(Self.self, from: data, path: path, expected: "a note of a result's origin")
    else { return nil }
    self = origin
  }

  /// Writes the note into the folder at `path`.
  ///
  /// - Throws: `FileError` with code `unwritable` or `fullDisk`.
  @Sendable
  package func write(to path: String) throws(FileError) {
    let file = "\(path)/\(Self.fileName)"
    guard let text = try? JSONText.text(of: self) else {
      throw FileError(.unwritable, path: file, message: "cannot be encoded")
    }
    try AtomicFile.write(Data(text.utf8), to: file)
  }
}
