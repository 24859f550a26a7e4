import MachineCore

/// A way from an object to a property of it or of objects that it is related to: `author.passport.number`.
///
/// Resolved from names once, or put together from the paths of its steps. Every step but the last is a relationship.
public struct PropertyKeyPath: Hashable, Sendable {
  /// Where the way begins.
  public enum Root: Hashable, Sendable {
    /// At the object that is tested, sorted or read.
    case object
    /// At the object that a subquery's variable stands for.
    case variable(String)
  }

  public var root: Root
  public let steps: [PropertyPath]

  /// Traps when there is no step, or a step before the last is an attribute.
  public init(_ steps: PropertyPath..., root: Root = .object) {
    self.init(steps: steps, root: root)
  }

  public init(steps: [PropertyPath], root: Root = .object) {
    guard !steps.isEmpty, steps.dropLast().allSatisfy({ $0.kind != .attribute }) else {
      trapMisuse("a key path needs a last step, and relationships before it")
    }
    self.root = root
    self.steps = steps
  }

  /// The property that it leads to.
  public var last: PropertyPath { steps[steps.count - 1] }

  /// Resolves names joined by dots.
  ///
  /// - Throws: `.invalidPredicate` where a name is no property of the entity that the way has come to; the sentence has
  ///   that entity and its properties.
  public init(
    _ names: String, of entity: EntityDescription, in model: ManagedObjectModel, root: Root = .object
  ) throws(PersistenceError) {
    var steps: [PropertyPath] = []
    var current: EntityDescription? = entity
    for name in names.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
      guard let entity = current else {
        throw PersistenceError(
          .invalidPredicate, "“\(names)” goes on behind an attribute: only relationships lead to other objects")
      }
      guard let step = entity.pathIfPresent(name) else { throw Self.unknown(name, of: entity) }
      steps.append(step)
      current = model.destination(of: step)
    }
    self.init(steps: steps, root: root)
  }

  static func unknown(_ name: String, of entity: EntityDescription) -> PersistenceError {
    let known = (entity.slots.map(\.name) + entity.toManys.map(\.name)).joined(separator: ", ")
    return PersistenceError(
      .invalidPredicate, "entity \(entity.name) has no property “\(name)”; it has \(known)")
  }

  /// The only step of a path that stays with the object itself; nil for any other.
  var onlyStep: PropertyPath? {
    root == .object && steps.count == 1 ? last : nil
  }

  /// Whether a to-many relationship is on the way, so that there may be many values.
  package var isCollection: Bool { steps.contains { $0.isToMany } }
}

extension ManagedObjectModel {
  /// The entity that a relationship leads to; nil for an attribute.
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

  /// A key path as it is written.
  package func description(of keyPath: PropertyKeyPath) -> String {
    let names = keyPath.steps.map { entities[Int($0.entity)].propertyName(at: $0) }
    let start: [String] = if case .variable(let name) = keyPath.root { ["$" + name] } else { [] }
    return (start + names).joined(separator: ".")
  }
}
