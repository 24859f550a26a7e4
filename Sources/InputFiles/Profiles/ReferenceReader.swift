import MachineSimulated

/// Reads a reference, the costs in instructions that devices share, from the text of a YAML file.
package struct ReferenceReader {
  /// The unit that marks a file as a reference and not a device.
  static let unit = "instructions"

  private static let keys = ["name", "title", "version", "description", "unit", "costs"]

  /// The name of the file in errors.
  private let place: String

  package init(place: String) {
    self.place = place
  }

  /// Returns the reference in the text of a file.
  ///
  /// - Throws: `ProfileError` that names the file, the line and the key.
  package func reference(from text: String) throws(ProfileError) -> CostReference {
    let (root, heading, costs) = try ProfileError.reading { () throws(YAMLError) in
      let root = try YAMLMapping(text: text, place: place, keys: ReferenceReader.keys)
      _ = try root.name("unit", of: [ReferenceReader.unit])
      return (root, try SharedCostHeading(root), try root.costs())
    }
    return try ProfileError.locating(in: root) { () throws(ProfileError) in
      try CostReference(
        name: heading.name, title: heading.title, version: heading.version, description: heading.description,
        costs: costs)
    }
  }
}
