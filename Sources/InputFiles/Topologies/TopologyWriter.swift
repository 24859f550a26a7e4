import Topologies

/// Writes a topology as the YAML that `TopologyReader` reads.
package struct TopologyWriter {
  private let topology: Topology

  package init(_ topology: Topology) {
    self.topology = topology
  }

  /// The topology in one line, without the keys that have their standard value. It is the same for equal topologies,
  /// and is JSON as well as YAML.
  package var line: String {
    YAMLValue.mapping(TopologyKeys.all.members(of: topology)).line
  }

  /// Returns the text of a file that people edit: all keys, each with a comment, and a line break at the end. The first
  /// comment names the command that uses the file.
  package func text(for command: String) -> String {
    let head = ["# A stack of contexts, for \(command)."]
    let keys = TopologyKeys.all.flatMap { key in
      [""] + Self.comment(key) + Self.lines(of: key, key.write(topology))
    }
    return (head + keys).joined(separator: "\n") + "\n"
  }

  /// Returns the lines of a comment on a key, and on the keys of the mappings in its value.
  private static func comment(_ key: YAMLKey<Topology>) -> [String] {
    wrapped("\(capitalized(key.meaning)).", indented: "# ", hanging: "# ")
      + key.innerKeys.flatMap { wrapped("\($0.name): \($0.meaning)", indented: "#   ", hanging: "#     ") }
  }

  /// Returns the lines of a key and its value. A key without a value becomes a comment with an example.
  private static func lines(of key: YAMLKey<Topology>, _ value: YAMLValue?) -> [String] {
    guard let value else { return ["# \(key.name): \(key.example)"] }
    guard case .list(let items) = value, !key.innerKeys.isEmpty else { return ["\(key.name): \(value.plain)"] }
    return ["\(key.name):"] + items.flatMap(entry)
  }

  /// Returns the lines of an entry of a list. The values of a mapping are written one below the other.
  private static func entry(_ item: YAMLValue) -> [String] {
    guard case .mapping(let members) = item else { return ["  - \(item.plain)"] }
    return members.enumerated().map {
      "\($0.offset == 0 ? "  - " : "    ")\($0.element.key): \($0.element.value.plain)"
    }
  }

  private static let width = 100

  private static func wrapped(_ text: String, indented: String, hanging: String) -> [String] {
    var lines = [indented]
    for word in text.split(separator: " ") {
      let isFirst = lines[lines.count - 1] == indented || lines[lines.count - 1] == hanging
      if !isFirst, lines[lines.count - 1].count + 1 + word.count > width { lines.append(hanging) }
      let isStart = lines[lines.count - 1] == indented || lines[lines.count - 1] == hanging
      lines[lines.count - 1] += (isStart ? "" : " ") + word
    }
    return lines
  }

  private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
