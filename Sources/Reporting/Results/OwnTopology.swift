/// A stack of the user's own, as a manifest keeps it.
///
/// The description is complete, so that a run can be repeated when the file that it came from has changed or is gone.
package struct OwnTopology: Hashable, Sendable, Codable {
  private let description: JSONValue

  /// Creates a stack from its description in one line of JSON, or returns nil if the text is not JSON.
  package init?(line: String) {
    guard let description = JSONValue(text: line) else { return nil }
    self.description = description
  }

  package init(from decoder: any Decoder) throws {
    description = try JSONValue(from: decoder)
  }

  package func encode(to encoder: any Encoder) throws {
    try description.encode(to: encoder)
  }

  /// The name in the form `id` or `id/variant`.
  package var title: String {
    [description["id"]?.string, description["variant"]?.string].compactMap(\.self).joined(separator: "/")
  }

  /// The description in one line, which can be the name of a stack in a command.
  package var line: String { description.line }

  /// Returns the first difference between the descriptions of two stacks, or nil if they are equal.
  func difference(from other: OwnTopology) -> JSONValue.Difference? {
    description.difference(from: other.description)
  }
}
