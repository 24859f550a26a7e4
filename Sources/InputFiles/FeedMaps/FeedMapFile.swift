import Workloads

/// A map in a file of the user, or in a text of one line.
package enum FeedMapFile {
  /// The endings of the files' names.
  package static let endings = ["yaml", "yml"]
  /// The name that errors give to a map that is not in a file.
  package static let description = "the description"
  /// The largest size of a file, in bytes. A map of 200 entities with 100 attributes each has about a third of it.
  private static let largestSize = 2 << 20

  /// Reads a map.
  ///
  /// - Parameter word: The path of a file, or the text of a map, which begins with a brace.
  /// - Returns: The map.
  /// - Throws: `YAMLError` that names the file, and the line and the key if they are known.
  package static func map(_ word: String) throws(YAMLError) -> FeedMap {
    if word.hasPrefix("{") { return try map(from: word, place: description) }
    return try map(from: YAMLFile.text(at: word, largestSize: largestSize, of: "a map of a feed"), place: word)
  }

  /// Reads a map from the text of a file, strictly. Errors name the file by `place`.
  package static func map(from text: String, place: String) throws(YAMLError) -> FeedMap {
    let root = try YAMLMapping(text: text, place: place, keys: FeedMapKeys.root.names())
    var map = try FeedMapKeys.root.value(of: root, FeedMap(place: place))
    map.recordsLine = root.line(ofKey: "records")
    return map
  }

  /// Returns a map in one line, in the form of JSON. It can be part of a command line.
  package static func line(of map: FeedMap) -> String { YAMLValue.mapping(FeedMapKeys.root.members(of: map)).line }
}
