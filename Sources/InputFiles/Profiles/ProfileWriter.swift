import MachineSimulated

/// Writes a profile, a reference or a shape as the YAML that `ProfileReader` reads.
package struct ProfileWriter {
  /// The text of the file, with a line break at the end.
  package let text: String

  package init(_ declaration: ProfileDeclaration) {
    self.init(ProfileKeys.device.members(of: declaration))
  }

  package init(_ reference: CostReference) {
    self.init(
      ProfileKeys.reference.members(
        of: SharedCosts(
          name: reference.name, title: reference.title, version: reference.version,
          description: reference.description, costs: reference.costs)))
  }

  package init(_ shape: CostShape) {
    self.init(
      ProfileKeys.shape.members(
        of: SharedCosts(
          name: shape.name, title: shape.title, version: shape.version, description: shape.description,
          groups: shape.groups)))
  }

  private init(_ members: [YAMLValue.Member]) {
    text = YAMLValue.lines(of: members).map { $0 + "\n" }.joined()
  }
}
