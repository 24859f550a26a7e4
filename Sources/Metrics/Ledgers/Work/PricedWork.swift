/// The cost of the work of one kind and role by a profile's prices.
package struct PricedWork: Hashable, Sendable, Codable {
  package let kind: String
  /// The role of the work: `import` or `ui`.
  package let role: String
  package let count: Int
  package let nanoseconds: Int64

  package init(kind: String, role: String, count: Int, nanoseconds: Int64) {
    self.kind = kind
    self.role = role
    self.count = count
    self.nanoseconds = nanoseconds
  }

  private enum CodingKeys: String, CodingKey {
    case kind
    case role
    case count
    case nanoseconds = "predicted_ns"
  }
}
