import MachineCore
import MachineSimulated
import Yams

/// A mapping of a YAML file, read strictly: every key is asked for, and what is left over is an error.
struct YAMLMapping {
  /// The file, as errors name it.
  let place: String
  /// The keys above, with a dot behind each.
  let path: String
  private let node: Node
  private let entries: [(key: Node, value: Node)]

  /// - Parameter keys: those that it may have; nil = any, which is for whoever reads it to check.
  /// - Throws: `ProfileError` where `node` is no mapping, or holds a key that is not among `keys`.
  init(_ node: Node, place: String, path: String = "", keys: [String]?) throws(ProfileError) {
    self.place = place
    self.path = path
    self.node = node
    guard case .mapping(let mapping) = node else {
      let key = path.isEmpty ? nil : String(path.dropLast())
      throw ProfileError(
        .invalidValue, "not a mapping; use \(keys?.first ?? "name"): … and the like", place: place,
        line: node.mark?.line, key: key)
    }
    entries = mapping.map { ($0.key, $0.value) }
    guard let keys else { return }
    for (key, _) in entries {
      let name = key.string ?? ""
      guard keys.contains(name) else {
        throw ProfileError(
          .unknownKey, "not known; use \(keys.count == 1 ? "" : "one of ")\(keys.joined(separator: ", "))",
          place: place, line: key.mark?.line, key: path + name)
      }
    }
  }

  /// Whether the value of `key` is a mapping itself.
  func isMapping(_ key: String) -> Bool {
    guard case .mapping = value(key) else { return false }
    return true
  }

  /// Where the mapping begins.
  var line: Int? { node.mark?.line }

  /// The keys that are given, in the file's order.
  var keys: [String] { entries.compactMap(\.key.string) }

  func has(_ key: String) -> Bool {
    value(key) != nil
  }

  /// An error about the value of `key`.
  func error(_ key: String, _ message: String) -> ProfileError {
    ProfileError(.invalidValue, message, place: place, line: value(key)?.mark?.line ?? line, key: path + key)
  }

  /// Runs `body`, whose errors know a key but no place, and adds the file and the line of the key to an error.
  func locating<Result>(_ body: () throws(ProfileError) -> Result) throws(ProfileError) -> Result {
    do throws(ProfileError) {
      return try body()
    } catch {
      var error = error
      error.place = place
      error.line = error.key.flatMap(line(of:))
      throw error
    }
  }

  /// Returns the line of the value at a path of keys, or of the nearest mapping around it.
  private func line(of path: String) -> Int? {
    var node = node
    for key in path.split(separator: ".") {
      guard case .mapping(let mapping) = node, let next = mapping.first(where: { $0.key.string == String(key) })?.value
      else { break }
      node = next
    }
    return node.mark?.line
  }

  /// Returns the value of a key, or nil if the key is not given.
  func value(_ key: String) -> Node? {
    entries.first { $0.key.string == key }?.value
  }

  /// Returns the value of a key that has to be given.
  func required(_ key: String) throws(ProfileError) -> Node {
    guard let node = value(key) else {
      throw ProfileError(.missingKey, "missing", place: place, line: line, key: path + key)
    }
    return node
  }
}

// MARK: - Values

extension YAMLMapping {
  func mapping(_ key: String, keys: [String]?) throws(ProfileError) -> YAMLMapping {
    try YAMLMapping(try required(key), place: place, path: "\(path)\(key).", keys: keys)
  }

  /// A text that is not empty.
  func text(_ key: String) throws(ProfileError) -> String {
    guard case .scalar(let scalar) = try required(key) else { throw error(key, "not a text") }
    let text = scalar.string.split(whereSeparator: \.isNewline).joined(separator: " ")
    guard !text.allSatisfy(\.isWhitespace) else { throw error(key, "empty") }
    return text
  }

  /// One of some names.
  func name(_ key: String, of names: [String]) throws(ProfileError) -> String {
    let text = try text(key)
    guard names.contains(text) else {
      throw error(key, "\(QuotedText.of(text)) is not known; use one of \(names.joined(separator: ", "))")
    }
    return text
  }

  func integer(_ key: String, in range: ClosedRange<Int>) throws(ProfileError) -> Int {
    let text = try text(key)
    guard let value = Int(text), range.contains(value) else {
      throw error(
        key,
        "\(QuotedText.of(text)) is not in range; use a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  func number(_ key: String, in range: ClosedRange<Double>) throws(ProfileError) -> Double {
    try number(try text(key), key, in: range, line: value(key)?.mark?.line)
  }

  /// Reads a number from the text of a key or of an entry of its list.
  func number(
    _ text: String, _ key: String, in range: ClosedRange<Double>, line: Int?
  ) throws(ProfileError) -> Double {
    func error(_ message: String) -> ProfileError {
      ProfileError(.invalidValue, message, place: place, line: line ?? self.line, key: path + key)
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

  func boolean(_ key: String) throws(ProfileError) -> Bool {
    switch try text(key) {
    case "true": true
    case "false": false
    case let text: throw error(key, "\(QuotedText.of(text)) is neither true nor false")
    }
  }
}
