import MachineCore

/// One step of a history: what to do, and numbers by which it chooses on what. What they choose depends on what there is
/// then; a step that cannot be done is passed over. So any part of a history is a history too.
struct HistoryStep: Sendable {
  enum Kind: Int, CaseIterable, Sendable {
    case insert, set, relate, add, remove, arrange, replaceMembers, delete
    case save, saveUpwards, rollback, reset, refresh, refreshAll, fire, obtainIDs
    case fetch, count, dictionaries, list, replay, pin, meet, batchInsert, batchUpdate, batchDelete
    case undo, redo, addContext, dropContext, process, mark, unite

    /// How often a kind comes, beside the others.
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

  /// As many steps as wanted, the same for the same seed.
  static func random(count: Int, _ random: inout SeededRandom) -> [HistoryStep] {
    let deck = Kind.allCases.flatMap { Array(repeating: $0, count: $0.weight) }
    return (0..<count).map { _ in
      HistoryStep(
        kind: deck[random.below(deck.count)], first: random.below(1 << 20), second: random.below(1 << 20),
        third: random.below(1 << 20), fourth: random.below(1 << 20))
    }
  }
}
