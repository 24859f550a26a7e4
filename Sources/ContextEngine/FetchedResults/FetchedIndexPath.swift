/// Where an object stands in a controller's list: in which section, and which of its objects it is.
///
/// What Core Data makes an `NSIndexPath` of two numbers for. A list without sections is one section; there a plain number
/// does.
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
