/// The place of an object in a controller's list: the index of its section, and its index in that section.
///
/// Core Data uses an `NSIndexPath` with two indexes for this. A list without sections has one section; there, an
/// integer literal is enough.
public struct FetchedIndexPath: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  public var section: Int
  public var item: Int

  public init(item: Int, section: Int = 0) {
    self.section = section
    self.item = item
  }

  public init(integerLiteral item: Int) {
    self.init(item: item)
  }

  public var description: String { "[\(section), \(item)]" }

  public static func < (left: FetchedIndexPath, right: FetchedIndexPath) -> Bool {
    (left.section, left.item) < (right.section, right.item)
  }
}
