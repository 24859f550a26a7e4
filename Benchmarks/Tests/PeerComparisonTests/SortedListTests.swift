import PeerComparison
import Testing

@Suite struct SortedListTests {
  private func entries(_ names: [String]) -> [SortedList.Entry] {
    names.enumerated().map { SortedList.Entry(name: $0.element, key: Int64($0.offset)) }
  }

  /// Renames rows, and returns the reported moves as `key: from → to`.
  private func moves(in list: inout SortedList, _ renamings: [(key: Int64, newName: String)]) -> [String] {
    let oldNames = Dictionary(uniqueKeysWithValues: list.entries.map { ($0.key, $0.name) })
    var moves: [String] = []
    list.process(
      renamings.map { SortedList.Renaming(key: $0.key, oldName: oldNames[$0.key] ?? "", newName: $0.newName) }
    ) { moves.append("\($0.entry.key): \($0.from) → \($0.to)") }
    return moves
  }

  @Test func `a row is moved from its old place to its new one`() {
    var list = SortedList(entries(["b", "d", "a", "c"]))
    #expect(list.entries.map(\.key) == [2, 0, 3, 1])
    #expect(moves(in: &list, [(2, "cc")]) == ["2: 0 → 2"])
    #expect(list.entries.map(\.name) == ["b", "c", "cc", "d"])
    #expect(moves(in: &list, [(1, "a")]) == ["1: 3 → 0"])
    #expect(moves(in: &list, [(0, "bb")]) == ["0: 1 → 1"])
    #expect(list.entries.map(\.name) == ["a", "bb", "c", "cc"])
  }

  @Test func `rows with equal names are in the order of their keys`() {
    var list = SortedList(entries(["a", "b", "c"]))
    #expect(moves(in: &list, [(0, "c")]) == ["0: 0 → 1"])
    #expect(moves(in: &list, [(2, "b"), (1, "c")]) == ["2: 2 → 0", "1: 0 → 2"])
    #expect(list.entries.map(\.key) == [2, 0, 1])
  }

  @Test(arguments: [1, 7, 60, 200])
  func `the moves of many rows lead from the old list to the new one`(changeCount: Int) {
    let names = (0..<200).map { Item.name(of: $0, generation: 0) }
    var list = SortedList(entries(names))
    let old = list.entries
    let renamings = (0..<changeCount).map { change in
      let entry = old[change * 200 / changeCount]
      return SortedList.Renaming(
        key: entry.key, oldName: entry.name, newName: Item.name(of: change, generation: 1))
    }
    var moves: [SortedList.Move] = []
    list.process(renamings) { moves.append($0) }

    // A list view takes all rows out before it puts the first one to a new place.
    var expected = old
    for from in moves.map(\.from).sorted(by: >) { expected.remove(at: from) }
    for move in moves.sorted(by: { $0.to < $1.to }) { expected.insert(move.entry, at: move.to) }
    #expect(list.entries == expected)
    #expect(list.entries == list.entries.sorted())
    #expect(moves.map(\.entry.key).sorted() == renamings.map(\.key).sorted())
    #expect(moves.allSatisfy { old[$0.from].key == $0.entry.key && list.entries[$0.to] == $0.entry })
  }
}
