import MachineSimulated

/// Reads profiles, references and shapes from the texts of YAML files, and rejects unknown keys and invalid values.
package struct ProfileReader {
  /// The name of the file in errors.
  private let place: String

  package init(place: String) {
    self.place = place
  }

  /// Returns the declaration of a device in the text of a file. The keys `unit`, `costsOf`, `shape`, `speed`,
  /// `benchmarks`, `yardstick`, `factors` and `hardware.coldAfterMicroseconds` may be left out.
  ///
  /// - Throws: `ProfileError` that names the file, the line and the key.
  package func declaration(from text: String) throws(ProfileError) -> ProfileDeclaration {
    try read(text, ProfileKeys.device, ProfileKeys.blankDevice).value
  }

  /// Returns the reference, the costs in instructions that devices share, in the text of a file.
  ///
  /// - Throws: `ProfileError` that names the file, the line and the key.
  package func reference(from text: String) throws(ProfileError) -> CostReference {
    let (root, read) = try read(text, ProfileKeys.reference, SharedCosts())
    return try ProfileError.locating(in: root) { () throws(ProfileError) in
      try CostReference(
        name: read.name, title: read.title, version: read.version, description: read.description, costs: read.costs)
    }
  }

  /// Returns the shape, the factors of groups of costs, in the text of a file.
  ///
  /// - Throws: `ProfileError` that names the file, the line and the key.
  package func shape(from text: String) throws(ProfileError) -> CostShape {
    let (root, read) = try read(text, ProfileKeys.shape, SharedCosts())
    return try ProfileError.locating(in: root) { () throws(ProfileError) in
      try CostShape(
        name: read.name, title: read.title, version: read.version, description: read.description, groups: read.groups)
    }
  }

  private func read<Subject>(
    _ text: String, _ keys: [YAMLKey<Subject>], _ blank: Subject
  ) throws(ProfileError) -> (root: YAMLMapping, value: Subject) {
    try ProfileError.reading { () throws(YAMLError) in
      let root = try YAMLMapping(text: text, place: place, keys: keys.names())
      return (root, try keys.value(of: root, blank))
    }
  }
}
