import MachineCore
import Yams

/// A mapping of a YAML file that is read strictly: an unexpected key is an error.
package struct YAMLMapping {
  /// The file, as errors name it.
  package let place: String
  /// The keys above the mapping, with a dot behind each.
  package let path: String
  private let node: Node
  private let entries: [(key: Node, value: Node)]
  /// The place of each key that is a text among the entries.
  private let places: [String: Int]

  /// Creates the mapping of a node.
  ///
  /// - Parameters:
  ///   - node: The node, which must be a mapping.
  ///   - place: The file, as errors name it.
  ///   - path: The keys above the mapping, with a dot behind each.
  ///   - keys: The keys that the mapping may have, or nil for any.
  /// - Throws: `YAMLError` if `node` is not a mapping, or has a key that is not among `keys`.
  init(_ node: Node, place: String, path: String = "", keys: [String]?) throws(YAMLError) {
    self.place = place
    self.path = path
    self.node = node
    guard case .mapping(let mapping) = node else {
      let key = path.isEmpty ? nil : String(path.dropLast())
      throw YAMLError(
        .invalidValue, "not a mapping; use \(keys?.first ?? "name"): … and the like", place: place,
        line: node.mark?.line, key: key)
    }
    entries = mapping.map { ($0.key, $0.value) }
    let names = entries.enumerated().compactMap { place, entry in entry.key.string.map { ($0, place) } }
    places = Dictionary(names) { first, _ in first }
    guard let keys else { return }
    for (key, _) in entries {
      guard let name = key.string, keys.contains(name) else {
        let flaw = key.string.map { $0.isEmpty ? "an empty key" : "not known" } ?? "a key that is not a text"
        let name = key.string.map { path + $0 } ?? path
        throw YAMLError(
          .unknownKey, "\(flaw); \(Self.choice(key.string ?? "", of: keys))", place: place, line: key.mark?.line,
          key: name.isEmpty ? nil : name)
      }
    }
  }

  /// Returns a clause with the name that may be meant by a text, and all names.
  private static func choice(_ text: String, of names: [String]) -> String {
    guard names.count > 1 else { return "use \(names.joined())" }
    return "\(NearestName.clause(text, among: names))use one of \(names.joined(separator: ", "))"
  }

  /// Indicates whether the value of `key` is a mapping itself.
  package func isMapping(_ key: String) -> Bool {
    guard case .mapping = value(key) else { return false }
    return true
  }

  /// The line in which the mapping begins.
  package var line: Int? { node.mark?.line }

  /// The keys that are given, in the file's order. Keys that are not texts, such as lists, are left out.
  package var keys: [String] { entries.compactMap(\.key.string) }

  /// Indicates whether a key is given.
  package func has(_ key: String) -> Bool {
    value(key) != nil
  }

  /// Returns the line of a key, or nil if the key is not given.
  package func line(ofKey key: String) -> Int? {
    places[key].flatMap { entries[$0].key.mark?.line }
  }

  /// Returns an error about the value of `key`.
  package func error(_ key: String, _ message: String) -> YAMLError {
    YAMLError(.invalidValue, message, place: place, line: value(key)?.mark?.line ?? line, key: path + key)
  }

  /// Returns the line of the value at a path of keys, or of the nearest value around it. The path may contain places
  /// in lists, as in `contexts[1].name`.
  package func line(of path: String) -> Int? {
    var node = node
    for part in path.split(whereSeparator: { ".[".contains($0) }) {
      guard let next = Self.child(part, of: node) else { break }
      node = next
    }
    return node.mark?.line
  }

  /// Returns the value of a key, or of a place such as `1]` in a list.
  private static func child(_ part: Substring, of node: Node) -> Node? {
    switch node {
    case .mapping(let mapping): return mapping.first { $0.key.string == String(part) }?.value
    case .sequence(let sequence):
      guard part.last == "]", let place = Int(part.dropLast()), sequence.indices.contains(place) else { return nil }
      return sequence[place]
    default: return nil
    }
  }

  /// Returns the value of a key, or nil if the key is not given.
  func value(_ key: String) -> Node? {
    places[key].map { entries[$0].value }
  }

  /// Returns the error about a key that must be given and is not.
  package func missing(_ key: String, _ message: String = "missing") -> YAMLError {
    YAMLError(.missingKey, message, place: place, line: line, key: path + key)
  }

  /// Returns the value of a key that must be given.
  func required(_ key: String) throws(YAMLError) -> Node {
    guard let node = value(key) else { throw missing(key) }
    return node
  }
}

// MARK: - Values

extension YAMLMapping {
  /// Returns the mapping below a key.
  ///
  /// - Parameters:
  ///   - key: The key, which must be given.
  ///   - keys: The keys that the mapping may have, or nil for any.
  /// - Returns: The mapping.
  /// - Throws: `YAMLError` if the key is missing, or if its value is not a mapping or has a key that is not among
  ///   `keys`.
  package func mapping(_ key: String, keys: [String]?) throws(YAMLError) -> YAMLMapping {
    try YAMLMapping(try required(key), place: place, path: "\(path)\(key).", keys: keys)
  }

  /// Returns a text that is not empty, with a space for each run of line breaks.
  package func text(_ key: String) throws(YAMLError) -> String {
    guard case .scalar(let scalar) = try required(key) else { throw error(key, "not a text") }
    let text = scalar.string.split(whereSeparator: \.isNewline).joined(separator: " ")
    guard !text.allSatisfy(\.isWhitespace) else { throw error(key, "empty") }
    return text
  }

  /// Returns a text as it is. It may be empty and have line breaks.
  package func string(_ key: String) throws(YAMLError) -> String {
    guard case .scalar(let scalar) = try required(key) else { throw error(key, "not a text") }
    return scalar.string
  }

  /// Returns a text that is one of some names, compared exactly.
  package func name(_ key: String, of names: [String]) throws(YAMLError) -> String {
    let text = try text(key)
    guard names.contains(text) else {
      throw error(key, "\(QuotedText.of(text)) is not known; \(Self.choice(text, of: names))")
    }
    return text
  }

  /// Returns a whole number in a range. It may have a sign (`+5`) but no fraction (`5.0`).
  package func integer(_ key: String, in range: ClosedRange<Int>) throws(YAMLError) -> Int {
    let text = try text(key)
    guard let value = Int(text), range.contains(value) else {
      throw error(
        key,
        "\(QuotedText.of(text)) is not in range; use a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  /// Returns a finite number in a range. An error has the line of the key's value.
  package func number(_ key: String, in range: ClosedRange<Double>) throws(YAMLError) -> Double {
    try number(try text(key), key: key, in: range, line: value(key)?.mark?.line)
  }

  /// Returns a finite number in a range, which may have its unit behind it, as in `5 ms`.
  package func number(_ key: String, in range: ClosedRange<Double>, unit: String) throws(YAMLError) -> Double {
    let text = try text(key)
    let end = text.firstIndex { !($0.isNumber || ".-+".contains($0)) } ?? text.endIndex
    let suffix = text[end...].drop { $0 == " " }
    guard !unit.isEmpty, suffix == unit else {
      guard suffix.isEmpty || end == text.startIndex else {
        throw error(
          key, "\(QuotedText.of(text)) has another unit; use a number\(unit.isEmpty ? " alone" : " of \(unit)")")
      }
      return try number(text, key: key, in: range, line: value(key)?.mark?.line)
    }
    return try number(String(text[..<end]), key: key, in: range, line: value(key)?.mark?.line)
  }

  /// Reads a number from the text of a key or of an entry of its list. The text may have digits, signs, a point and an
  /// exponent only; blanks and hexadecimal digits throw.
  func number(
    _ text: String, key: String, in range: ClosedRange<Double>, line: Int?
  ) throws(YAMLError) -> Double {
    func error(_ message: String) -> YAMLError {
      YAMLError(.invalidValue, message, place: place, line: line ?? self.line, key: path + key)
    }
    let isPlain = text.utf8.allSatisfy { (48...57).contains($0) || ".-+eE".utf8.contains($0) }
    guard isPlain, let value = Double(text), value.isFinite else {
      throw error(
        "\(QuotedText.of(text)) is not a number; use \(range.lowerBound.plainText) to \(range.upperBound.plainText)")
    }
    guard range.contains(value) else {
      let flaw = value < 0 ? "is negative" : "is out of range"
      throw error("\(QuotedText.of(text)) \(flaw); use \(range.lowerBound.plainText) to \(range.upperBound.plainText)")
    }
    return value
  }

  /// Returns the value of `true` or `false`.
  package func boolean(_ key: String) throws(YAMLError) -> Bool {
    switch try text(key) {
    case "true": true
    case "false": false
    case let text: throw error(key, "\(QuotedText.of(text)) is neither true nor false")
    }
  }
}
