import MachineSimulated

/// Reads a shape, the factors of groups of costs, from the text of a YAML file.
package struct ShapeReader {
  private static let keys = ["name", "title", "version", "description", "groups"]

  /// The name of the file in errors.
  private let place: String

  package init(place: String) {
    self.place = place
  }

  /// Returns the shape in the text of a file.
  ///
  /// - Throws: `ProfileError` that names the file, the line and the key.
  package func shape(from text: String) throws(ProfileError) -> CostShape {
    let (root, heading, groups) = try ProfileError.reading { () throws(YAMLError) in
      let root = try YAMLMapping(text: text, place: place, keys: ShapeReader.keys)
      return (root, try SharedCostHeading(root), try self.groups(root))
    }
    return try ProfileError.locating(in: root) { () throws(ProfileError) in
      try CostShape(
        name: heading.name, title: heading.title, version: heading.version, description: heading.description,
        groups: groups)
    }
  }

  private func groups(_ root: YAMLMapping) throws(YAMLError) -> [CostGroup] {
    let mapping = try root.mapping("groups", keys: nil)
    var groups: [CostGroup] = []
    for key in mapping.keys { groups.append(try group(key, mapping)) }
    return groups
  }

  private func group(_ name: String, _ groups: YAMLMapping) throws(YAMLError) -> CostGroup {
    let mapping = try groups.mapping(name, keys: ["title", "costs", "factor", "axes"])
    var parts: [CostPart] = []
    for text in try mapping.texts("costs") {
      guard let part = CostPart.named(text) else {
        throw mapping.error("costs", "\(text) is not part of a cost; use kinds with a component, as in commit.cpu")
      }
      parts.append(part)
    }
    return CostGroup(
      name: name, title: try mapping.text("title"), parts: parts, factor: try mapping.factor("factor"),
      axes: mapping.has("axes") ? try mapping.numbers("axes", in: YAMLMapping.factorLimits) : [])
  }
}
