import ContextEngine
import MachineCore
import Testing

@Suite struct KeyTableTests {
  @Test(arguments: 0..<6)
  func `a table equals a dictionary under random insertions and removals`(seed: UInt64) {
    var random = SeededRandom(seed: seed, stream: "key tables")
    var table = KeyTable<Int>()
    var dictionary: [Int64: Int] = [:]
    var entered: [Int64] = []
    // The keys are in runs, scattered, far apart by powers of two, and negative.
    let makers: [(inout SeededRandom) -> Int64] = [
      { Int64(1 + $0.below(3000)) }, { Int64(truncatingIfNeeded: $0.next() | 1) },
      { Int64(1 + $0.below(500)) << 20 }, { -Int64(1 + $0.below(3000)) },
    ]
    for step in 0..<30_000 {
      // The table is filled and emptied in turns, so that it grows, shrinks and fills up with graves.
      let isFilling = step / 5_000 % 2 == 0
      let isRemoval = random.below(10) < (isFilling ? 2 : 8)
      var key = makers[random.below(makers.count)](&random)
      if isRemoval, !entered.isEmpty { key = entered[random.below(entered.count)] } else { entered.append(key) }
      let old = table.withElement(of: key) { element in
        let old = element
        element = isRemoval ? nil : step
        return old
      }
      #expect(old == dictionary[key])
      dictionary[key] = isRemoval ? nil : step
      #expect(table.count == dictionary.count && table[key] == dictionary[key])
    }
    #expect(table.elements.sorted() == dictionary.values.sorted())
    for (key, value) in dictionary { #expect(table[key] == value) }
    for key in dictionary.keys { table.withElement(of: key) { $0 = nil } }
    #expect(table.count == 0 && Array(table.elements).isEmpty)
  }

  @Test func `reading and changing an element in place keeps the table's count`() {
    var table = KeyTable<Int>()
    #expect(table.withElement(of: 7) { $0 } == nil)
    table.withElement(of: 7) { $0 = 1 }
    table.withElement(of: 7) { $0? += 1 }
    table.withElement(of: 8) { $0? += 1 }
    #expect(table[7] == 2 && table[8] == nil && table.count == 1)
  }

  @Test(arguments: 0..<6)
  func `batch insertion gives the same table as single insertions`(seed: UInt64) {
    var random = SeededRandom(seed: seed, stream: "runs of keys")
    var table = KeyTable<Int>()
    var dictionary: [Int64: Int] = [:]
    for round in 0..<40 {
      // The keys are known and new ones, and their searches pass graves.
      let first = 1 + random.below(4_000)
      let keys = (0..<random.below(700)).map { Int64(first + $0 * (1 + round % 3)) }
      table.withElements(of: keys.indices, key: { keys[$0] }) { index, element in
        #expect(element == dictionary[keys[index]])
        if round % 5 == 4 { return }
        element = (element ?? 0) + index
      }
      for (index, key) in keys.enumerated() where round % 5 != 4 { dictionary[key, default: 0] += index }
      for key in dictionary.keys.sorted() where random.below(4) == 0 {
        table.withElement(of: key) { $0 = nil }
        dictionary[key] = nil
      }
      #expect(table.count == dictionary.count)
    }
    #expect(!dictionary.isEmpty && dictionary.allSatisfy { table[$0.key] == $0.value })
    #expect(table.elements.sorted() == dictionary.values.sorted())
  }

  @Test func `tables with equal histories list their elements in the same order`() {
    var tables = [KeyTable<Int64>(), KeyTable<Int64>()]
    for index in tables.indices {
      for key in (Int64(1)..<2_000) { tables[index].withElement(of: key * 7) { $0 = key } }
      for key in (Int64(1)..<1_000) { tables[index].withElement(of: key * 14) { $0 = nil } }
    }
    #expect(Array(tables[0].elements) == Array(tables[1].elements))
  }
}
