import MachineSimulated

/// Reads a reference, the costs in instructions that devices share, from the text of a YAML file.
struct ReferenceReader {
  /// The unit that marks a file as a reference and not a device.
  static let unit = "instructions"

  private static let keys = ["name", "title", "version", "description", "unit", "costs"]

  /// The file, as errors name it.
  private let place: String

  init(place: String) {
    self.place = place
  }

  /// - Throws: `ProfileError` that names the file, the line and the key.
  func reference(from text: String) throws(ProfileError) -> CostReference {
    let root = try YAMLMapping(text: text, place: place, keys: ReferenceReader.keys)
    _ = try root.name("unit", of: [ReferenceReader.unit])
    let name = try root.text("name")
    let title = try root.text("title")
    let version = try root.integer("version", in: 1...1_000_000)
    let description = try root.text("description")
    let costs = try root.costs()
    return try root.locating { () throws(ProfileError) in
      try CostReference(name: name, title: title, version: version, description: description, costs: costs)
    }
  }
}
