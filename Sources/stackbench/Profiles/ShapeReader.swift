import MachineSimulated

/// Reads a shape, the factors of groups of costs, from the text of a YAML file.
struct ShapeReader {
  private static let keys = ["name", "title", "version", "description", "groups"]

  /// The file, as errors name it.
  private let place: String

  init(place: String) {
    self.place = place
  }

  /// - Throws: `ProfileError` that names the file, the line and the key.
  func shape(from text: String) throws(ProfileError) -> CostShape {
    let root = try YAMLMapping(text: text, place: place, keys: ShapeReader.keys)
    let name = try root.text("name")
    let title = try root.text("title")
    let version = try root.integer("version", in: 1...1_000_000)
    let description = try root.text("description")
    let mapping = try root.mapping("groups", keys: nil)
    var groups: [CostGroup] = []
    for key in mapping.keys { groups.append(try group(key, mapping)) }
    return try root.locating { () throws(ProfileError) in
      try CostShape(name: name, title: title, version: version, description: description, groups: groups)
    }
  }

  private func group(_ name: String, _ groups: YAMLMapping) throws(ProfileError) -> CostGroup {
    let mapping = try groups.mapping(name, keys: ["title", "costs", "factor"])
    var parts: [CostPart] = []
    for text in try mapping.texts("costs") {
      guard let part = CostPart.named(text) else {
        throw mapping.error("costs", "\(text) is not part of a cost; use kinds with a component, as in commit.cpu")
      }
      parts.append(part)
    }
    return CostGroup(
      name: name, title: try mapping.text("title"), parts: parts, factor: try mapping.factor("factor"))
  }
}
