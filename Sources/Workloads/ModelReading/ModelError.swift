/// An error in a data model: one line that says what was wrong, where, and what would be right.
package struct ModelError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Hashable, Sendable {
    /// A file or a folder is missing, cannot be read or is of the wrong kind.
    case unreadableFile
    /// The path leads to something else than a data model.
    case notAModel
    /// The model is in the binary format from before Xcode 4, or compiled.
    case binaryModel
    /// The file is larger or deeper than any model, declares a document type, or lies outside its bundle.
    case refusedFile
    /// The text is not XML.
    case malformedText
    /// No version is named as the current one, or the named version does not exist.
    case unknownVersion
    case missingValue
    case invalidValue
    /// Two entities or two properties have the same name.
    case duplicateName
    /// A name refers to an entity or a property that does not exist, or an inverse disagrees.
    case invalidReference
    /// The model is correct, but the engine does not support a part of it.
    case unsupported
  }

  package var code: Code
  package var message: String
  /// The file, as the reader was given it, or the file that the reader found for it.
  package var place: String
  /// The number of the line, counted from 1.
  package var line: Int?
  /// The entity, property or field that is wrong, such as `Car.color.defaultValueString`.
  package var field: String?

  package init(_ code: Code, _ message: String, place: String, line: Int? = nil, field: String? = nil) {
    self.code = code
    self.message = message
    self.place = place
    self.line = line
    self.field = field
  }

  /// The error in one line, `place:line: field: message`, with the parts that are known.
  package var description: String {
    let location = line.map { "\(place):\($0)" } ?? place
    let text = [location, field, message].compactMap(\.self).joined(separator: ": ")
    return String(text.map { $0.isNewline ? " " : $0 })
  }
}
