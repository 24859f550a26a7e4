/// The costs of the engine's work in instructions, which devices share before their speeds are applied.
///
/// A reference is not a device. It is frozen, so that calibrating a computer does not change the profiles of phones.
package struct CostReference: Hashable, Sendable {
  package var name: String
  package var title: String
  /// Increases with every change of the reference.
  package var version: Int
  package var description: String
  /// The instructions for each count or byte, for all parts that are paid with a core.
  package let costs: CostTable<ProfileConstant>

  /// Creates a reference.
  ///
  /// - Throws: `ProfileError` if a part that is paid with a core has no cost, or if another part has one.
  package init(
    name: String, title: String, version: Int, description: String, costs: CostTable<ProfileConstant>
  ) throws(ProfileError) {
    self.name = name
    self.title = title
    self.version = version
    self.description = description
    self.costs = costs
    for part in CostPart.all {
      if part.component.isCPU {
        guard costs[part] != nil else {
          throw ProfileError(
            .missingKey, "missing; a reference needs {value, low, high, source} for it", key: "costs.\(part.name)")
        }
      } else if costs[part] != nil {
        throw ProfileError(
          .invalidValue, "belongs to the device; leave it out", key: "costs.\(part.name)")
      }
    }
  }
}
