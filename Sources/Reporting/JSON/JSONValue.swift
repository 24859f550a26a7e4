import Foundation

/// Any JSON value, for members of a file that this library passes on and does not interpret.
package enum JSONValue: Hashable, Sendable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case members([String: JSONValue])

  /// Creates the value of a JSON text, or returns nil for other texts.
  package init?(text: String) {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else { return nil }
    self = value
  }

  /// The value of a member, or nil if there is no such member.
  subscript(_ name: String) -> JSONValue? {
    if case .members(let members) = self { members[name] } else { nil }
  }

  /// The text of a text value, or nil for other values.
  var string: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The value in one line, with members in alphabetical order.
  ///
  /// Two hyphens in a row are written with an escape sequence, so that the line can be part of a command line that is
  /// split at its flags.
  package var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Numbers that were read from JSON are finite, and all other values can be encoded.
    guard let data = try? encoder.encode(self) else { return "null" }
    return String(decoding: data, as: UTF8.self).replacing("--", with: "-\\u002d")
  }
}

// MARK: - Coding

extension JSONValue: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let list = try? container.decode([JSONValue].self) {
      self = .list(list)
    } else {
      self = .members(try container.decode([String: JSONValue].self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .flag(let flag): try container.encode(flag)
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .list(let list): try container.encode(list)
    case .members(let members): try container.encode(members)
    }
  }
}

// MARK: - Differences

extension JSONValue {
  /// A difference between two values.
  struct Difference: Hashable, Sendable {
    /// The path of the differing part, such as `contexts[1].parent`, or an empty text for the whole value.
    var path: String
    /// The part of the first value in words, or an empty text if it has no such part.
    var first: String
    var second: String
  }

  /// Returns the first difference from another value, in the alphabetical order of members, or nil if both are equal.
  func difference(from other: JSONValue) -> Difference? { Self.difference(between: self, and: other, path: "") }

  private static func difference(between first: JSONValue?, and second: JSONValue?, path: String) -> Difference? {
    guard first != second else { return nil }
    switch (first, second) {
    case (.members(let before), .members(let after)):
      return Set(before.keys).union(after.keys).sorted().lazy.compactMap { name in
        difference(between: before[name], and: after[name], path: path.isEmpty ? name : "\(path).\(name)")
      }.first
    case (.list(let before), .list(let after)):
      return (0..<max(before.count, after.count)).lazy.compactMap { place in
        difference(
          between: before.indices.contains(place) ? before[place] : nil,
          and: after.indices.contains(place) ? after[place] : nil,
          path: "\(path)[\(place)]")
      }.first
    default: return Difference(path: path, first: shown(first), second: shown(second))
    }
  }

  private static func shown(_ value: JSONValue?) -> String { value.map { $0.string ?? $0.line } ?? "" }
}
