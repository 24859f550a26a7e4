import MachineCore

/// A path from an object to one of its properties or to a property of related objects: `author.passport.number`.
///
/// It is resolved from names once, or created from the paths of its steps. Every step except the last is a
/// relationship.
public struct PropertyKeyPath: Hashable, Sendable {
  /// The object at which a key path begins.
  public enum Root: Hashable, Sendable {
    /// The object that is tested, sorted or read.
    case object
    /// The object of a subquery's variable.
    case variable(String)
  }

  /// The object at which the key path begins.
  public var root: Root
  /// The properties along the path, of which there is at least one. Every step except the last is a relationship.
  public let steps: [PropertyPath]

  /// Creates a key path from its steps. Traps if there is no step, or if a step before the last is an attribute.
  public init(_ steps: PropertyPath..., root: Root = .object) {
    self.init(steps: steps, root: root)
  }

  /// Creates a key path from its steps. Traps if there is no step, or if a step before the last is an attribute.
  public init(steps: [PropertyPath], root: Root = .object) {
    guard !steps.isEmpty, steps.dropLast().allSatisfy({ $0.kind != .attribute }) else {
      trapMisuse("a key path needs a last step, and relationships before it")
    }
    self.root = root
    self.steps = steps
  }

  /// The property at the end of the path.
  public var last: PropertyPath { steps[steps.count - 1] }

  /// Creates a key path from property names joined by dots.
  ///
  /// - Throws: `.invalidPredicate` if a name is not a property of the entity that the path has reached (the message
  ///   contains that entity and its properties), or if a name follows an attribute.
  public init(
    _ names: String, of entity: EntityDescription, in model: ManagedObjectModel, root: Root = .object
  ) throws(PersistenceError) {
    var steps: [PropertyPath] = []
    var current: EntityDescription? = entity
    for name in names.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
      guard let entity = current else {
        throw PersistenceError(
          .invalidPredicate, "“\(names)” continues after an attribute, but only relationships lead to other objects")
      }
      guard let step = entity.pathIfPresent(name) else { throw Self.unknown(name, of: entity) }
      steps.append(step)
      current = model.destination(of: step)
    }
    self.init(steps: steps, root: root)
  }

  static func unknown(_ name: String, of entity: EntityDescription) -> PersistenceError {
    let known = entity.propertyNames.joined(separator: ", ")
    return PersistenceError(
      .invalidPredicate, "entity \(entity.name) has no property “\(name)”; it has \(known)")
  }

  /// True if the path contains a to-many relationship, so that it may have many values.
  package var isCollection: Bool { steps.contains { $0.isToMany } }
}

extension ManagedObjectModel {
  /// Returns the destination entity of a relationship, or nil for an attribute.
  package func destination(of path: PropertyPath) -> EntityDescription? {
    let entity = entities[Int(path.entity)]
    switch path.kind {
    case .attribute: return nil
    case .toOne:
      guard case .toOne(let relationship) = entity.slots[path.slot] else { return nil }
      return entities[relationship.destination]
    case .toMany: return entities[entity.toManys[path.slot].destination]
    }
  }

  /// Returns a key path in its written form.
  package func description(of keyPath: PropertyKeyPath) -> String {
    let names = keyPath.steps.map { entities[Int($0.entity)].propertyName(at: $0) }
    let start: [String] = if case .variable(let name) = keyPath.root { ["$" + name] } else { [] }
    return (start + names).joined(separator: ".")
  }
}
