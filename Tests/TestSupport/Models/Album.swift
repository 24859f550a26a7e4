import ContextEngine
import Foundation

/// A model for tests of external binary data. Its entities are Album and Photo, and a photo has values that the store
/// may keep in separate files.
package enum Album {
  package static let model = ManagedObjectModel([
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

  package static let album = model.entity("Album")
  package static let photo = model.entity("Photo")
  package static let title = photo.path("title")
  package static let image = photo.path("image")
  package static let text = photo.path("text")
  package static let preview = photo.path("preview")
  package static let ofPhoto = photo.path("album")

  /// Returns more bytes than a row has room for. They depend on the seed.
  package static func long(_ seed: UInt8, count: Int = 150_000) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) ^ seed })
  }

  /// Bytes that a row has room for.
  package static let short = Data([2, 1, 0])

  /// Text as its UTF-8.
  private struct TextTransformer: ContextEngine.ValueTransformer {
    var name: String { "Text" }

    func transformedValue(_ value: any Hashable & Sendable) -> Data? { (value as? String).map { Data($0.utf8) } }

    func reverseTransformedValue(_ data: Data) -> (any Hashable & Sendable)? { String(decoding: data, as: UTF8.self) }
  }
}

extension ManagedObjectContext {
  @discardableResult
  package func insertPhoto(_ title: String, _ image: Data?) -> ManagedObject {
    let photo = insert(Album.photo)
    photo[Album.title] = .string(title)
    if let image { photo[Album.image] = .binary(image) }
    return photo
  }
}
