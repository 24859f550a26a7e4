import ContextEngine
import Foundation
import SQLitePersistence
import TestSupport
import Testing

/// A model with values that may lie in files beside the store.
enum Album {
  static let model = ManagedObjectModel([
    .init(
      "Album", attributes: [.init("name", .string)],
      relationships: [.init("photos", to: "Photo", inverse: "album", isToMany: true, deleteRule: .cascade)]),
    .init(
      "Photo",
      attributes: [
        .init("title", .string), .init("image", .binary, allowsExternalBinaryDataStorage: true),
        .init(
          "text", .transformable, allowsExternalBinaryDataStorage: true, valueTransformer: TextTransformer()),
        .init("preview", .binary),
      ],
      relationships: [.init("album", to: "Album", inverse: "photos")], uniquenessConstraints: [["title"]]),
  ])

  static let album = model.entity("Album")
  static let photo = model.entity("Photo")
  static let title = photo.path("title")
  static let image = photo.path("image")
  static let text = photo.path("text")
  static let preview = photo.path("preview")
  static let ofPhoto = photo.path("album")

  /// Bytes that are too many for a row, each time others.
  static func long(_ seed: UInt8, count: Int = 150_000) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) ^ seed })
  }

  /// Bytes that a row has room for.
  static let short = Data([2, 1, 0])

  /// Text as its UTF-8.
  private struct TextTransformer: ContextEngine.ValueTransformer {
    var name: String { "Text" }

    func transformedValue(_ value: any Hashable & Sendable) -> Data? { (value as? String).map { Data($0.utf8) } }

    func reverseTransformedValue(_ data: Data) -> (any Hashable & Sendable)? { String(decoding: data, as: UTF8.self) }
  }
}

extension ManagedObjectContext {
  @discardableResult
  func insertPhoto(_ title: String, _ image: Data?) -> ManagedObject {
    let photo = insert(Album.photo)
    photo[Album.title] = .string(title)
    if let image { photo[Album.image] = .binary(image) }
    return photo
  }

  /// The only photo of a title.
  func photo(_ title: String) throws -> ManagedObject {
    try #require(try fetch(FetchRequest(Album.photo, predicate: .equal(Album.title, .string(title)))).first)
  }

  /// The image of the only photo of a title.
  func image(_ title: String) throws -> Value { try photo(title)[Album.image] }
}

extension TemporaryFolder {
  /// Where the store in the folder keeps long values.
  var externalData: URL { url.appendingPathComponent(".library_SUPPORT/_EXTERNAL_DATA", isDirectory: true) }

  /// What the files beside the store have, smallest first byte first; of a store in memory there are none.
  func externalValues() throws -> [Data] {
    guard FileManager.default.fileExists(atPath: externalData.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: externalData.path)
      .map { try Data(contentsOf: externalData.appendingPathComponent($0)) }
      .sorted { $0.lexicographicallyPrecedes($1) }
  }
}

extension Stack {
  /// Expects that these values, and no others, lie in files beside the store; that of a store in memory has none.
  func expectFiles(_ values: [Data], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let found = try folder.externalValues()
    let wanted = hasSQL ? values.sorted { $0.lexicographicallyPrecedes($1) } : []
    #expect(found == wanted, "\(found.count) files", sourceLocation: sourceLocation)
  }
}

extension Stack {
  /// Expects that the only photo of a title has this image in the store.
  func expectImage(_ title: String, _ image: Data, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let found = try inStore { try $0.image(title) }
    #expect(found == .binary(image), sourceLocation: sourceLocation)
  }
}
