import Foundation
import Testing
import Workloads

/// Models that tests write inline.
enum ModelText {
  static let place = "test/contents"

  /// Reads the text of a whole file.
  static func document(_ text: String) throws(ModelError) -> ModelDocument {
    try ModelDocument(text: Data(text.utf8), place: place)
  }

  /// Reads a model with some elements, of which the first begins in line 2.
  static func model(_ elements: String) throws(ModelError) -> ModelDocument {
    try document("<model>\n\(elements)\n</model>")
  }

  /// Reads the only entity of a model, which is called A and whose first property begins in line 3.
  static func entity(_ properties: String, attributes: String = "") throws -> ModelDocument.Entity {
    let document = try model("<entity name=\"A\" \(attributes)>\n\(properties)\n</entity>")
    return try #require(document.entities.first)
  }

  /// Reads an attribute called a of the entity A, in line 3.
  static func attribute(_ attributes: String) throws -> ModelDocument.Attribute {
    try #require(try entity("<attribute name=\"a\" \(attributes)/>").attributes.first)
  }

  /// Returns the error that a body must throw, as one line without the place.
  static func error(_ body: () throws -> Void) -> String {
    let error = #expect(throws: ModelError.self) { try body() }
    let text = error?.description ?? ""
    guard text.hasPrefix(place + ":") else { return text }
    return String(text.dropFirst(place.count + 1).drop { $0 == " " })
  }
}
