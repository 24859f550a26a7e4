import MachineSimulated

/// Writes a reference as the YAML that `ReferenceReader` reads.
package struct ReferenceWriter {
  private let reference: CostReference

  package init(_ reference: CostReference) {
    self.reference = reference
  }

  /// The text of the file, with a line break at the end.
  package var text: String {
    let heading = [
      "name: \(YAMLText.quoted(reference.name))", "title: \(YAMLText.quoted(reference.title))",
      "version: \(reference.version)", "description: \(YAMLText.quoted(reference.description))",
      "unit: \(ReferenceReader.unit)",
    ]
    return (heading + YAMLText.costs(reference.costs)).joined(separator: "\n") + "\n"
  }
}
