import MachineSimulated

/// Writes a reference as the YAML that `ReferenceReader` reads.
struct ReferenceWriter {
  private let reference: CostReference

  init(_ reference: CostReference) {
    self.reference = reference
  }

  var text: String {
    let heading = [
      "name: \(YAMLText.quoted(reference.name))", "title: \(YAMLText.quoted(reference.title))",
      "version: \(reference.version)", "description: \(YAMLText.quoted(reference.description))",
      "unit: \(ReferenceReader.unit)",
    ]
    return (heading + YAMLText.costs(reference.costs)).joined(separator: "\n") + "\n"
  }
}
