import Yams

extension YAMLMapping {
  /// Returns the mappings of a list that is not empty.
  ///
  /// - Parameters:
  ///   - key: The key of the list.
  ///   - keys: The keys that each mapping may have, or nil for any.
  /// - Returns: The mappings, in the order of the file. Their paths have the form `key[1].`, counted from 0.
  /// - Throws: `YAMLError` if the list is missing or empty, or if an entry is not a mapping or has a key that is not
  ///   among `keys`.
  package func mappings(_ key: String, keys: [String]?) throws(YAMLError) -> [YAMLMapping] {
    var mappings: [YAMLMapping] = []
    for (place, node) in try list(key).enumerated() {
      mappings.append(try YAMLMapping(node, place: self.place, path: "\(path)\(key)[\(place)].", keys: keys))
    }
    return mappings
  }

  /// Returns the texts of a list that is not empty. Line breaks remain, unlike in `text(_:)`. Throws if an entry is
  /// blank or not a text.
  package func texts(_ key: String) throws(YAMLError) -> [String] {
    try texts(key, in: try list(key)) { !$0.allSatisfy(\.isWhitespace) }
  }

  /// Returns the texts of a list. The list may be empty, and its texts may be blank.
  package func names(_ key: String) throws(YAMLError) -> [String] {
    guard case .sequence(let sequence) = try required(key) else {
      throw error(key, "not a list; use [name, …]")
    }
    return try texts(key, in: Array(sequence)) { _ in true }
  }

  private func texts(
    _ key: String, in nodes: [Node], where isValid: (String) -> Bool
  ) throws(YAMLError) -> [String] {
    var texts: [String] = []
    for (place, node) in nodes.enumerated() {
      guard case .scalar(let scalar) = node, isValid(scalar.string) else {
        throw itemError(key, at: place, node: node, message: "not a text")
      }
      texts.append(scalar.string)
    }
    return texts
  }

  /// Returns the lists of texts in a list that is not empty. An inner list may be empty, and its texts may be blank.
  package func textLists(_ key: String) throws(YAMLError) -> [[String]] {
    var lists: [[String]] = []
    for (place, node) in try list(key).enumerated() {
      guard case .sequence(let sequence) = node else {
        throw itemError(key, at: place, node: node, message: "not a list; use [name, …]")
      }
      var texts: [String] = []
      for node in sequence {
        guard case .scalar(let scalar) = node else {
          throw itemError(key, at: place, node: node, message: "not a list of names")
        }
        texts.append(scalar.string)
      }
      lists.append(texts)
    }
    return lists
  }

  /// Returns one number, or those of a list that is not empty.
  package func numbers(_ key: String, in range: ClosedRange<Double>) throws(YAMLError) -> [Double] {
    guard isList(key) else { return [try number(key, in: range)] }
    var numbers: [Double] = []
    for (place, text) in try texts(key).enumerated() {
      numbers.append(try number(text, key: "\(key)[\(place)]", in: range, line: try list(key)[place].mark?.line))
    }
    return numbers
  }

  /// Indicates whether the value of `key` is null, such as `~` without quotes.
  package func isNull(_ key: String) -> Bool {
    guard case .scalar(let scalar) = value(key), scalar.style == .any || scalar.style == .plain else { return false }
    return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
  }

  /// Indicates whether the value of `key` is a list.
  package func isList(_ key: String) -> Bool {
    guard case .sequence = value(key) else { return false }
    return true
  }

  /// Indicates whether the value of `key` is a list without entries.
  package func isEmptyList(_ key: String) -> Bool {
    guard case .sequence(let sequence) = value(key) else { return false }
    return sequence.isEmpty
  }

  private func list(_ key: String) throws(YAMLError) -> [Node] {
    guard case .sequence(let sequence) = try required(key) else {
      throw error(key, "not a list; use - … for each entry")
    }
    guard !sequence.isEmpty else { throw error(key, "empty; use at least one entry") }
    return Array(sequence)
  }

  private func itemError(_ key: String, at place: Int, node: Node, message: String) -> YAMLError {
    YAMLError(
      .invalidValue, message, place: self.place, line: node.mark?.line ?? line, key: "\(path)\(key)[\(place)]")
  }
}
