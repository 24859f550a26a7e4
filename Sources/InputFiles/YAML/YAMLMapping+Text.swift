import Yams

extension YAMLMapping {
  /// Reads the text of a file, which is one mapping.
  ///
  /// - Throws: `YAMLError` that names the file and the line. The code is `.malformedText` for text that is not YAML, for
  ///   a key that is given twice, and, without a line, for an empty text.
  package init(text: String, place: String, keys: [String]) throws(YAMLError) {
    if let flaw = AliasGrowth.flaw(of: text) {
      throw YAMLError(.malformedText, "\(flaw); write out their values", place: place)
    }
    let node: Node?
    do {
      node = try Yams.compose(yaml: text)
    } catch let error as YamlError {
      throw Self.malformed(error, place: place)
    } catch {
      throw YAMLError(.malformedText, "not YAML: \(error)", place: place)
    }
    guard let node else {
      throw YAMLError(.malformedText, "empty; use YAML with \(keys[0]): … first", place: place)
    }
    try self.init(node, place: place, keys: keys)
  }

  private static func malformed(_ error: YamlError, place: String) -> YAMLError {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      YAMLError(.malformedText, "not YAML: \(problem)", place: place, line: mark.line)
    case .duplicatedKeysInMapping(let names, let context):
      YAMLError(
        .malformedText, "given twice; use it once", place: place, line: context.mark.line,
        key: names.sorted().joined(separator: ", "))
    case .reader(let problem, _, _, _):
      YAMLError(.malformedText, "not YAML: \(problem)", place: place)
    default:
      YAMLError(.malformedText, "not YAML", place: place)
    }
  }
}
