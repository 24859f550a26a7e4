import ContextEngine
import MachineCore
import SQLitePersistence
import TestSupport
import Testing

/// Random rows, predicates and orders, whose results in SQL must equal those of a plain evaluation in memory.
@Suite(.bothFileAccesses) struct PredicateTests {
  private static let rowCount = 120

  @Test(arguments: 1...8)
  func `a predicate finds the same rows in SQL and in memory`(seed: UInt64) throws {
    var sample = Sample(seed: seed)
    let fixture = try StoreFixture()
    let store = try fixture.open(poolSize: 2)
    let rows = (0..<Self.rowCount).map { _ in sample.row() }
    let ids = try store.insert(store.book, rows)
    for _ in 0..<150 {
      let predicate = sample.predicate(store.book, depth: 3)
      let expected = zip(ids, rows).filter { predicate.matches($0, $1) }.map(\.0.key)
      let request = StoreFetchRequest(entity: store.book, predicate: predicate, sortDescriptors: [])
      #expect(try store.fetchKeys(request).sorted() == expected, "\(predicate)")
      #expect(try store.fetch(request).map(\.key).sorted() == expected, "\(predicate)")
    }
    #expect(store.busyStatementCount == 0)
  }

  @Test(arguments: 1...4)
  func `sort descriptors order rows in SQL as in memory`(seed: UInt64) throws {
    var sample = Sample(seed: seed)
    let fixture = try StoreFixture()
    let store = try fixture.open()
    let rows = (0..<Self.rowCount).map { _ in sample.row() }
    let ids = try store.insert(store.book, rows)
    for _ in 0..<20 {
      let sorts = (0...sample.random.below(2)).map { _ in
        let slot = sample.random.below(5)
        let path = store.book.path(store.book.slots[slot].name)
        return FetchSortDescriptor(path, isAscending: sample.random.below(2) == 0)
      }
      let request = StoreFetchRequest(entity: store.book, predicate: nil, sortDescriptors: sorts)
      let keys = try store.fetchKeys(request)
      #expect(keys.sorted() == ids.map(\.key))
      let sorted = keys.map { rows[Int($0) - 1] }
      for (first, second) in zip(sorted, sorted.dropFirst()) {
        let order = sorts.lazy.map { sort in
          let order = Value.compare(first[sort.path.slot], second[sort.path.slot])
          return sort.isAscending ? order : -order
        }.first { $0 != 0 }
        #expect((order ?? 0) <= 0, "\(sorts): \(first) before \(second)")
      }
    }
  }

  @Test func `a temporary object ID equals no row and differs from every row`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.insert(store.book, [Bookshop.row(), Bookshop.row(author: .object(ObjectID(entity: 0, key: 3)))])
    let temporary = ObjectID(entity: 0, key: -3)
    let author = store.book.path("author")
    func keys(_ predicate: FetchPredicate) throws -> [Int64] {
      try store.fetchKeys(StoreFetchRequest(entity: store.book, predicate: predicate, sortDescriptors: []))
    }
    #expect(try keys(.equal(author, .object(temporary))) == [])
    #expect(try keys(.isIn(author, [.object(temporary)])) == [])
    #expect(try keys(.objectIsIn([ObjectID(entity: 1, key: -1)])) == [])
    #expect(try keys(.comparison(author, .notEqual, .object(temporary))) == [1, 2])
    #expect(try keys(.not(.equal(author, .object(temporary)))) == [1, 2])
  }
}

/// Random values, few enough of each type that they meet.
private struct Sample {
  var random: SeededRandom
  private static let texts = ["", "a", "B", "b", "ab", "ä", "a\0", "a\0b", "z", "日本"]

  init(seed: UInt64) {
    random = SeededRandom(seed: seed, stream: "predicates")
  }

  mutating func row() -> [Value] {
    (0..<6).map { value(forSlot: $0) }
  }

  mutating func value(forSlot slot: Int) -> Value {
    if random.below(4) == 0 { return .null }
    let number = random.below(7) - 3
    return switch slot {
    case 0: .string(Self.texts[random.below(Self.texts.count)])
    case 1: .integer(Int64(number) * (random.below(5) == 0 ? 1 << 60 : 1))
    case 2: .boolean(number > 0)
    case 3: .double(Double(number) / 2)
    case 4: .date(Double(number) * 1.25)
    default: .object(ObjectID(entity: 0, key: Int64(number + 4)))
    }
  }

  mutating func predicate(_ entity: EntityDescription, depth: Int) -> FetchPredicate {
    switch random.below(depth > 0 ? 9 : 5) {
    case 0...2: return comparison(entity)
    case 3:
      let slot = random.below(6)
      let values = (0..<random.below(4)).map { _ in value(forSlot: slot) }
      return .isIn(entity.path(entity.slots[slot].name), values)
    case 4:
      return .objectIsIn(
        (0..<random.below(5)).map { _ in ObjectID(entity: random.below(2), key: Int64(random.below(140) - 10)) })
    case 5: return .and((0..<random.below(4)).map { _ in predicate(entity, depth: depth - 1) })
    case 6: return .or((0..<random.below(4)).map { _ in predicate(entity, depth: depth - 1) })
    default: return .not(predicate(entity, depth: depth - 1))
    }
  }

  private mutating func comparison(_ entity: EntityDescription) -> FetchPredicate {
    let slot = random.below(6)
    let all: [FetchPredicate.Comparison] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
    let comparison = all[random.below(slot == 5 ? 2 : all.count)]
    return .comparison(entity.path(entity.slots[slot].name), comparison, value(forSlot: slot))
  }
}

extension FetchPredicate {
  /// Returns true if a row satisfies the predicate, evaluated in the simplest way.
  fileprivate func matches(_ objectID: ObjectID, _ row: [Value]) -> Bool {
    switch self {
    case .comparison(let path, let comparison, let value):
      let own = row[path.slot]
      let order = own.isNull || value.isNull ? nil : Value.compare(own, value)
      let isEqual = order.map { $0 == 0 } ?? (own.isNull && value.isNull)
      return switch comparison {
      case .equal: isEqual
      case .notEqual: !isEqual
      case .less: order.map { $0 < 0 } ?? false
      case .lessOrEqual: order.map { $0 <= 0 } ?? false
      case .greater: order.map { $0 > 0 } ?? false
      case .greaterOrEqual: order.map { $0 >= 0 } ?? false
      }
    case .isIn(let path, let values):
      return values.contains { FetchPredicate.equal(path, $0).matches(objectID, row) }
    case .objectIsIn(let objectIDs): return objectIDs.contains(objectID)
    case .and(let parts): return parts.allSatisfy { $0.matches(objectID, row) }
    case .or(let parts): return parts.contains { $0.matches(objectID, row) }
    case .not(let part): return !part.matches(objectID, row)
    case .constant(let isTrue): return isTrue
    case .expressions: preconditionFailure("not among the predicates of this suite")
    }
  }
}
