/// The rules that make a schedule from each seed.
package struct SeededSearch: Codable, Hashable, Sendable {
  package enum Kind: String, CaseIterable, Codable, Sendable {
    /// Random schedules for odd seeds, and schedules by priorities for even ones.
    case mixed
    case random
    case priorities
  }

  package var kind: Kind
  /// The largest number of points at which a priority changes.
  package var depth: Int
  /// The number of decisions among which these points are drawn.
  package var length: Int

  package init(_ kind: Kind, depth: Int, length: Int) {
    self.kind = kind
    self.depth = depth
    self.length = length
  }

  /// Returns the rule for a seed.
  package func schedule(of seed: UInt64) -> ScheduleSearch {
    switch kind {
    case .random: return .random(seed: seed)
    case .mixed where !seed.isMultiple(of: 2): return .random(seed: seed)
    case .mixed: return .priorities(seed: seed, depth: 1 + Int(seed / 2 % UInt64(depth)), length: length)
    case .priorities: return .priorities(seed: seed, depth: 1 + Int(seed % UInt64(depth)), length: length)
    }
  }
}
