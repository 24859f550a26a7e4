import ContextEngine
import Foundation
import TestSupport
import Testing

extension ManagedObjectContext {
  /// Returns the only photo of a title.
  func photo(_ title: String) throws -> ManagedObject {
    try #require(try fetch(FetchRequest(Album.photo, predicate: .equal(Album.title, .string(title)))).first)
  }

  /// Returns the image of the only photo of a title.
  func image(_ title: String) throws -> Value { try photo(title)[Album.image] }
}

extension TemporaryFolder {
  /// The folder in which the store keeps long values.
  var externalData: URL { url.appendingPathComponent(".library_SUPPORT/_EXTERNAL_DATA", isDirectory: true) }

  /// Returns the values in the store's external files, in the order of their bytes. A store in memory has no such
  /// files.
  func externalValues() throws -> [Data] {
    guard FileManager.default.fileExists(atPath: externalData.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: externalData.path)
      .map { try Data(contentsOf: externalData.appendingPathComponent($0)) }
      .sorted { $0.lexicographicallyPrecedes($1) }
  }
}

extension Stack {
  /// Expects that the external files hold exactly these values. A store in memory has no such files.
  func expectFiles(_ values: [Data], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let found = try folder.externalValues()
    let wanted = hasSQL ? values.sorted { $0.lexicographicallyPrecedes($1) } : []
    #expect(found == wanted, "\(found.count) files", sourceLocation: sourceLocation)
  }

  /// Expects that the only photo of a title has this image in the store.
  func expectImage(_ title: String, _ image: Data, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let found = try inStore { try $0.image(title) }
    #expect(found == .binary(image), sourceLocation: sourceLocation)
  }
}
