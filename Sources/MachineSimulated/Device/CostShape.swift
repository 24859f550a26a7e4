/// A description of how a framework divides its time compared with this engine: a factor for each group of costs.
///
/// A device that runs the framework takes its costs from a reference, times these factors, times its own speed.
/// Waiting, for storage or until a woken thread runs, is not part of a shape; it belongs to the device.
package struct CostShape: Hashable, Sendable, Codable {
  package var name: String
  package var title: String
  /// Increases with every change of the shape.
  package var version: Int
  package var description: String
  /// The groups of cost parts. Each part that follows a device's speed belongs to exactly one of them.
  package let groups: [CostGroup]

  /// Creates a shape.
  ///
  /// - Throws: `ProfileError` if a part that follows a device's speed is not in exactly one group, or if a group
  ///   contains any other part.
  package init(
    name: String, title: String, version: Int, description: String, groups: [CostGroup]
  ) throws(ProfileError) {
    self.name = name
    self.title = title
    self.version = version
    self.description = description
    self.groups = groups
    for part in CostPart.cpu {
      let names = groups.flatMap { group in group.parts.filter { $0 == part }.map { _ in group.name } }
      if names.isEmpty {
        throw ProfileError(.missingKey, "\(part.name) belongs to no group; list it in one", key: "groups")
      }
      guard names.count == 1 else {
        throw ProfileError(
          .invalidValue, "\(part.name) is also listed in \(names[0]); list it once", key: "groups.\(names[1]).costs")
      }
    }
    for group in groups {
      if group.axes.count > groups.count {
        throw ProfileError(
          .invalidValue, "has \(group.axes.count) numbers, but the shape has \(groups.count) groups; use one for each",
          key: "groups.\(group.name).axes")
      }
      for part in group.parts where !part.component.isCPU {
        throw ProfileError(
          .invalidValue, "\(part.name) is waiting for storage, which belongs to the device; leave it out",
          key: "groups.\(group.name).costs")
      }
    }
  }

  /// Returns the same shape with other factors, and if needed axes, in the order of its groups.
  package func with(factors: [ProfileConstant], axes: [[Double]] = []) -> CostShape {
    CostShape(
      self,
      groups: groups.indices.map { place in
        var group = groups[place]
        group.factor = factors[place]
        group.axes = axes.isEmpty ? [] : axes[place]
        return group
      })
  }

  private init(_ shape: CostShape, groups: [CostGroup]) {
    name = shape.name
    title = shape.title
    version = shape.version
    description = shape.description
    self.groups = groups
  }
}

// MARK: - Coding

extension CostShape {
  private enum Key: CodingKey {
    case name, title, version, description, groups
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    try self.init(
      name: container.decode(String.self, forKey: .name), title: container.decode(String.self, forKey: .title),
      version: container.decode(Int.self, forKey: .version),
      description: container.decode(String.self, forKey: .description),
      groups: container.decode([CostGroup].self, forKey: .groups))
  }
}
