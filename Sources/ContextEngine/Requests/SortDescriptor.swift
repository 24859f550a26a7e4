/// One key of an order: an attribute of the object or of one that to-one relationships lead to, up or down.
///
/// Order is SQLite's: nothing first, numbers by size, strings by their UTF-8 bytes unless another text order is asked for.
public struct SortDescriptor: Hashable, Sendable {
  public let keyPath: PropertyKeyPath
  public let isAscending: Bool
  /// How strings are compared.
  public let textOrder: TextOrder

  public init(_ path: PropertyPath, isAscending: Bool = true, textOrder: TextOrder = .literal) {
    self.init(PropertyKeyPath(path), isAscending: isAscending, textOrder: textOrder)
  }

  public init(_ keyPath: PropertyKeyPath, isAscending: Bool = true, textOrder: TextOrder = .literal) {
    self.keyPath = keyPath
    self.isAscending = isAscending
    self.textOrder = textOrder
  }

  /// The property of the object itself with which the key path begins: the attribute, or the relationship to go along.
  public var path: PropertyPath { keyPath.steps[0] }

  /// Negative, zero or positive as `left` comes before, with or after `right`.
  func compare<Subject: PredicateSubject>(_ left: Subject, _ right: Subject) -> Int {
    let order = textOrder.compare(
      keyPath.value(in: PredicateScope(object: left)), keyPath.value(in: PredicateScope(object: right)))
    return isAscending ? order : -order
  }
}
