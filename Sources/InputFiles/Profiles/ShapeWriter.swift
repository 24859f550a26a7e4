import MachineSimulated

/// Writes a shape as the YAML that `ShapeReader` reads.
package struct ShapeWriter {
  private let shape: CostShape

  package init(_ shape: CostShape) {
    self.shape = shape
  }

  /// The text of the file, with a line break at the end.
  package var text: String {
    let heading = [
      "name: \(YAMLText.quoted(shape.name))", "title: \(YAMLText.quoted(shape.title))", "version: \(shape.version)",
      "description: \(YAMLText.quoted(shape.description))", "groups:",
    ]
    let groups = shape.groups.flatMap { group in
      [
        "  \(group.name):", "    title: \(YAMLText.quoted(group.title))",
        "    costs: [\(group.parts.map(\.name).joined(separator: ", "))]",
        "    factor: {\(YAMLText.fields(group.factor))}",
      ] + (group.axes.isEmpty ? [] : ["    axes: [\(group.axes.map(\.plainText).joined(separator: ", "))]"])
    }
    return (heading + groups).joined(separator: "\n") + "\n"
  }
}
