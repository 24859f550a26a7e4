import ContextEngine
import MachineCore
import Testing

@Suite struct OrderNumbersTests {
  private func members(_ list: [(Int64, Int64?)]) -> [OrderNumbers.Member] {
    list.map { OrderNumbers.Member(key: $0.0, number: $0.1) }
  }

  @Test func `existing members keep their order numbers, and new ones get numbers around them`() {
    let changes = OrderNumbers.changes(for: members([(9, nil), (1, 2_048), (8, nil), (2, 3_072), (7, nil)]))
    #expect(changes.map(\.key) == [9, 8, 7])
    #expect(changes.map(\.number) == [1_024, 2_560, 4_096])
    #expect(OrderNumbers.changes(for: members([(1, 5), (2, 6), (3, 70)])).isEmpty)
  }

  @Test func `a move changes the fewest order numbers`() {
    // The last member moves to the front, and the first one to the end.
    #expect(OrderNumbers.changes(for: members([(4, 40), (1, 10), (2, 20), (3, 30)])).map(\.key) == [4])
    #expect(OrderNumbers.changes(for: members([(2, 20), (3, 30), (4, 40), (1, 10)])).map(\.key) == [1])
  }

  @Test func `equal, negative and huge order numbers become ascending`() {
    for list: [(Int64, Int64?)] in [
      [(1, 7), (2, 7), (3, 7)], [(1, -5), (2, nil), (3, -4)], [(1, .min), (2, nil), (3, .max)],
      [(1, 0), (2, nil), (3, 1)],
    ] {
      let wanted = members(list)
      let changed = Dictionary(uniqueKeysWithValues: OrderNumbers.changes(for: wanted).map { ($0.key, $0.number) })
      let numbers = wanted.compactMap { changed[$0.key] ?? $0.number }
      #expect(numbers.count == 3)
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(numbers)")
    }
  }

  @Test func `order numbers ascend after random changes of the list`() {
    var random = SeededRandom(seed: 7)
    var list: [OrderNumbers.Member] = []
    for step in 0..<2_000 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where !list.isEmpty:
        list.append(list.remove(at: Int.random(in: list.indices, using: &random)))
      case 1 where !list.isEmpty:
        let moved = list.remove(at: Int.random(in: list.indices, using: &random))
        list.insert(moved, at: Int.random(in: 0...list.count, using: &random))
      case 2 where list.count > 20: list.remove(at: Int.random(in: list.indices, using: &random))
      default:
        list.insert(.init(key: Int64(step), number: nil), at: Int.random(in: 0...list.count, using: &random))
      }
      for change in OrderNumbers.changes(for: list) {
        let place = list.firstIndex { $0.key == change.key }
        if let place { list[place] = change }
      }
      let numbers = list.compactMap(\.number)
      #expect(numbers.count == list.count)
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    }
  }
}
