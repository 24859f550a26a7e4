/// A sort key: an attribute of the object, or of an object at the end of to-one relationships, in ascending or
/// descending order.
///
/// The order is SQLite's: null first, numbers by value, and strings by their UTF-8 bytes unless another text order is
/// given.
public struct FetchSortDescriptor: Hashable, Sendable {
  /// The key path of the attribute that is compared.
  public let keyPath: PropertyKeyPath
  /// True if the order is ascending, false if it is descending.
  public let isAscending: Bool
  /// The comparison that is used for strings.
  public let textOrder: TextOrder

  /// Creates a sort key from an attribute of the object.
  public init(_ path: PropertyPath, isAscending: Bool = true, textOrder: TextOrder = .literal) {
    self.init(PropertyKeyPath(path), isAscending: isAscending, textOrder: textOrder)
  }

  /// Creates a sort key from the attribute at the end of a key path.
  public init(_ keyPath: PropertyKeyPath, isAscending: Bool = true, textOrder: TextOrder = .literal) {
    self.keyPath = keyPath
    self.isAscending = isAscending
    self.textOrder = textOrder
  }

  /// The object's own property with which the key path begins: the attribute itself or the first relationship.
  public var path: PropertyPath { keyPath.steps[0] }

  /// Returns a negative number if `left` sorts before `right`, zero if they are equal, and a positive number otherwise.
  func compare<Subject: PredicateSubject>(_ left: Subject, _ right: Subject) -> Int {
    let order = textOrder.compare(
      keyPath.value(in: PredicateScope(object: left)), keyPath.value(in: PredicateScope(object: right)))
    return isAscending ? order : -order
  }
}
