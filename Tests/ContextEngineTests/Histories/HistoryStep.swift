import MachineCore

/// A step of a history: its kind, and numbers that choose its objects from those that exist. A step that cannot be
/// carried out is skipped, so that any part of a history is a history too.
struct HistoryStep: Sendable {
  enum Kind: Int, CaseIterable, Sendable {
    case insert, set, relate, add, remove, arrange, replaceMembers, delete
    case save, saveUpwards, rollback, reset, refresh, refreshAll, fire, obtainIDs
    case fetch, count, dictionaries, list, replay, pin, meet, batchInsert, batchUpdate, batchDelete
    case undo, redo, addContext, dropContext, process, mark, unite

    /// The frequency of a kind relative to the others.
    var weight: Int {
      switch self {
      case .insert, .set, .relate, .add: 9
      case .remove, .arrange, .replaceMembers, .delete: 4
      case .save: 9
      case .saveUpwards, .undo, .redo, .fire, .fetch, .count: 3
      default: 2
      }
    }
  }

  let kind: Kind
  let first: Int
  let second: Int
  let third: Int
  let fourth: Int

  init(kind: Kind, first: Int = 0, second: Int = 0, third: Int = 0, fourth: Int = 0) {
    self.kind = kind
    self.first = first
    self.second = second
    self.third = third
    self.fourth = fourth
  }

  /// Returns the given number of random steps, which depend only on the seed.
  static func random(count: Int, _ random: inout SeededRandom) -> [HistoryStep] {
    let deck = Kind.allCases.flatMap { Array(repeating: $0, count: $0.weight) }
    return (0..<count).map { _ in
      HistoryStep(
        kind: deck[random.below(deck.count)], first: random.below(1 << 20), second: random.below(1 << 20),
        third: random.below(1 << 20), fourth: random.below(1 << 20))
    }
  }
}
