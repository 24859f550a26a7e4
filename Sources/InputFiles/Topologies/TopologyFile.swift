import Topologies

/// A topology in a file of the user.
package enum TopologyFile {
  /// The endings of the files' names.
  package static let endings = ["yaml", "yml"]
  /// The largest size of a file, in bytes. A file with all keys has a tenth of it.
  private static let largestSize = 65_536

  /// Returns true if a text has the form of a path and not of a stack's name.
  package static func isPath(_ text: String) -> Bool {
    endings.contains { text.lowercased().hasSuffix(".\($0)") } || ["/", "./", "../"].contains { text.hasPrefix($0) }
  }

  /// Reads the topology in a file. If the file gives no ID, the ID is the file's name without its ending.
  ///
  /// - Throws: `YAMLError` that names the file, and the line and the key if they are known.
  package static func topology(at path: String) throws(YAMLError) -> Topology {
    let text = try YAMLFile.text(at: path, largestSize: largestSize, of: "a topology")
    return try TopologyReader(place: path, standardID: standardID(of: path)).topology(from: text)
  }

  private static func standardID(of path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let ending = endings.first { name.lowercased().hasSuffix(".\($0)") }
    return ending.map { String(name.dropLast($0.count + 1)) } ?? name
  }
}
