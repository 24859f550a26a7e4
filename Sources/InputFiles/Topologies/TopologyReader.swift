import Topologies

/// Reads a topology from YAML, and rejects unknown keys, invalid values and stacks that cannot work.
package struct TopologyReader {
  /// The name of the file in errors.
  private let place: String
  /// The ID of a topology whose text gives no ID, or nil if the text must give one.
  private let standardID: String?

  package init(place: String, standardID: String? = nil) {
    self.place = place
    self.standardID = standardID
  }

  /// Returns the topology in the text of a file.
  ///
  /// - Throws: `YAMLError` that names the file, the line and the key.
  package func topology(from text: String) throws(YAMLError) -> Topology {
    let root = try YAMLMapping(text: text, place: place, keys: TopologyKeys.all.names())
    var topology = try TopologyKeys.all.value(
      of: root,
      Topology(
        id: "", number: TopologyKeys.standardNumber, summary: TopologyKeys.standardSummary, contexts: [],
        uiContext: "", importContext: ""))
    if !root.has("id") {
      guard let standardID else {
        throw YAMLError(.missingKey, "missing; use id: my-stack", place: place, line: root.line, key: "id")
      }
      topology.id = standardID
    }
    do throws(TopologyFlaw) {
      try TopologyCheck(topology, hasOwnID: root.has("id")).run()
    } catch {
      throw YAMLError(
        .invalidValue, error.message, place: place, line: root.line(of: error.field), key: error.field)
    }
    return topology
  }
}
