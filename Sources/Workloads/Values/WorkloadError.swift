/// An error about a workload that cannot be made or read. One sentence says what was wrong and where, and what would be
/// right.
package struct WorkloadError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Hashable, Sendable {
    /// An option's value cannot be used.
    case invalidOption
    /// A feed cannot be opened or read. Files of a workload's folder have `damagedArchive` instead.
    case unreadableFile
    /// The rows of a starting store and the records do not fit each other, or the rows cannot be read.
    case unusableStore
    /// The folder of a workload cannot be written.
    case unwritableFolder
    /// A feed's text does not have the form that its name promises, or its records cannot be used.
    case damagedFeed
    /// A payload cannot be decoded.
    case damagedPayload
    /// A file of a workload's folder is missing, cannot be read, or contains data that this version does not recognise.
    case damagedArchive
  }

  /// A field of `WorkloadOptions`, and its unusable value as text.
  package struct Field: Hashable, Sendable {
    package enum Kind: String, Hashable, CaseIterable, Sendable {
      case workload
      case rows
      case existingRows = "existing rows"
      case batchSize = "batch size"
      case mix
      case lanes
      case overlap
      case list
      case listSort = "list sort"
      case listCondition = "list condition"
      case listPrefetch = "list prefetch"
      case listCells = "list cells"
    }

    package var kind: Kind
    package var value: String

    package init(_ kind: Kind, value: String) {
      self.kind = kind
      self.value = value
    }
  }

  package var code: Code
  package var message: String
  /// The field that is wrong, or nil if the error is not about a field.
  package var field: Field?
  package var path: String?
  /// The number of the line, counted from 1, or nil if it is not known.
  package var line: Int?

  package init(_ code: Code, _ message: String, path: String? = nil, line: Int? = nil) {
    self.code = code
    self.message = message
    self.path = path
    self.line = line
  }

  /// Creates the error of a field.
  package init(_ kind: Field.Kind, _ value: String, _ message: String) {
    self.init(.invalidOption, message)
    field = Field(kind, value: value)
  }

  /// The message in one line, after the place of the error: a field and its value, or a path and a line. A line
  /// without a path is left out.
  package var description: String {
    if let field { return "\(field.kind.rawValue) \(field.value): \(message)" }
    guard let path else { return message }
    guard let line else { return "\(path): \(message)" }
    return "\(path):\(line): \(message)"
  }
}
