/// The place of an object in a controller's list: the index of its section, and its index in that section.
///
/// Core Data uses an `NSIndexPath` with two indexes for this. A list without sections has one section; there, an
/// integer literal is enough.
public struct FetchedIndexPath: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// The index of the section in the list, from 0.
  public var section: Int
  /// The index of the object in its section, from 0.
  public var item: Int

  /// Creates the place of an object in a section, which is the first one unless another is given.
  public init(item: Int, section: Int = 0) {
    self.section = section
    self.item = item
  }

  /// Creates the place of an object in the first section.
  public init(integerLiteral item: Int) {
    self.init(item: item)
  }

  /// The index of the section and that of the object in brackets: `[0, 3]`.
  public var description: String { "[\(section), \(item)]" }

  /// Returns true if `left` comes before `right` in a list: in an earlier section, or earlier in the same one.
  public static func < (left: FetchedIndexPath, right: FetchedIndexPath) -> Bool {
    (left.section, left.item) < (right.section, right.item)
  }
}
