/// One key of an order: an attribute, up or down.
///
/// Order is SQLite's: nothing first, numbers by size, strings by their UTF-8 bytes.
public struct SortDescriptor: Hashable, Sendable {
  public let path: PropertyPath
  public let isAscending: Bool

  public init(_ path: PropertyPath, isAscending: Bool = true) {
    self.path = path
    self.isAscending = isAscending
  }
}
