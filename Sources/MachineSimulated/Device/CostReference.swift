/// What the engine's work costs in instructions: the costs that devices share, before their speeds.
///
/// It is frozen, so that calibrating a computer changes no phone. It is not a device.
package struct CostReference: Hashable, Sendable {
  package var name: String
  package var title: String
  /// Increases with every change of the reference.
  package var version: Int
  package var description: String
  /// Instructions for each count or byte; all parts but waiting for storage.
  package let costs: CostTable<ProfileConstant>

  /// - Throws: `ProfileError` if a cost is missing, or is one of waiting for storage.
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
