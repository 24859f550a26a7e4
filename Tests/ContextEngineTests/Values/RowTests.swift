import ContextEngine
import Foundation
import MachineCore
import Testing

@Suite struct RowTests {
  /// Returns a random value of the kinds that a row can hold.
  private static func value(_ random: inout SeededRandom) -> Value {
    let length = random.below(4) == 0 ? random.below(400) : random.below(30)
    return switch random.below(10) {
    case 0: .null
    case 1: .integer(Int64(truncatingIfNeeded: random.next()))
    case 2: .double(Double(random.below(1_000)) / 8)
    case 3: .boolean(random.below(2) == 0)
    case 4: .date(-Double(random.below(1_000)))
    case 5: .object(ObjectID(entity: random.below(300), key: Int64(random.below(2_000)) - 1_000))
    case 6: .string(String(repeating: "é", count: length))
    case 7: .binary(Data(repeating: UInt8(length & 255), count: length))
    case 8: .decimal(Decimal(random.below(1_000_000)) / 7)
    default: random.below(2) == 0 ? .uuid(uuid(random.next())) : uri(length)
    }
  }

  private static func uuid(_ number: UInt64) -> UUID {
    withUnsafeBytes(of: (number, ~number)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  private static func uri(_ length: Int) -> Value {
    URL(string: "https://example.org/" + String(repeating: "a", count: length)).map(Value.uri) ?? .null
  }

  @Test func `a row has the room that it was made with`() {
    let sizes = (0..<24).flatMap { power in [-9, -1, 0, 1, 9].map { (1 << power) + $0 } }.filter { $0 >= 0 }
    for size in sizes + [2_047 * 1_024 + 1, 4_095 * 1_024 + 1_023] {
      var row = Row(version: 1, slotCount: 3, byteCapacity: size)
      let memory = row.identifier
      row.set(.binary(Data(repeating: 7, count: size)), at: 1)
      #expect(row.identifier == memory && row.value(at: 1) == .binary(Data(repeating: 7, count: size)), "\(size)")
      row.set(.binary(Data(repeating: 8, count: size + 100_000)), at: 2)
      #expect(row.value(at: 2) == .binary(Data(repeating: 8, count: size + 100_000)), "\(size)")
    }
  }

  @Test(arguments: 0..<6)
  func `a row equals a list of values under random operations`(seed: UInt64) {
    var random = SeededRandom(seed: seed, stream: "rows")
    let slotCount = [1, 5, 8, 64, 65, 1_000][Int(seed)]
    var values = [Value](repeating: .null, count: slotCount)
    var row = Row(version: 3, slotCount: slotCount, byteCapacity: 0)
    var before: (row: Row, values: [Value]) = (row.copy().shared(), values)
    for _ in 0..<2_000 {
      let slot = random.below(slotCount)
      switch random.below(12) {
      case 0: row = row.copy(spareByteCount: random.below(100))
      case 1: row = row.compacted()
      case 2:
        before = (row.shared(), values)
        row = row.copy()
      case 3:
        values[slot] = before.values[slot]
        row.set(slot, from: before.row)
      default:
        values[slot] = Self.value(&random)
        row.set(values[slot], at: slot)
      }
      #expect(row.value(at: slot) == values[slot] && row.holds(values[slot], at: slot))
      #expect(row.isNull(at: slot) == values[slot].isNull)
      #expect(row.isEqual(to: before.row, at: slot) == (values[slot] == before.values[slot]))
    }
    #expect(row.values == values && before.row.values == before.values && row.version == 3)
    let differing = SlotSet(values.indices.filter { values[$0] != before.values[$0] })
    #expect(row.slotsDiffering(from: before.row) == differing)
    #expect(before.row.replacing(differing, by: row).slotsDiffering(from: row).isEmpty)
    #expect(row.byteCount == Recount.bytes(of: row))
  }

  @Test func `values of each type are read by that type only`() {
    let objectID = ObjectID(entity: SlotKind.entityLimit - 1, key: -5)
    let row = Row(
      version: 1,
      values: [.integer(5), .double(0.5), .boolean(true), .date(2), .string("five"), .object(objectID), .null])
    #expect((0..<7).map(row.integer) == [5, nil, nil, nil, nil, nil, nil])
    #expect((0..<7).map(row.double) == [nil, 0.5, nil, 2, nil, nil, nil])
    #expect((0..<7).map(row.boolean) == [nil, nil, true, nil, nil, nil, nil])
    #expect((0..<7).map(row.string) == [nil, nil, nil, nil, "five", nil, nil])
    #expect((0..<7).map(row.objectID) == [nil, nil, nil, nil, nil, objectID, nil])
    #expect(row.refersToTemporary)
  }

  @Test func `negative zero equals zero, NaN differs from itself, and strings compare by bytes`() {
    let row = Row(version: 1, values: [.double(0), .double(.nan), .string("\u{e9}")])
    #expect(row.holds(.double(-0.0), at: 0) && !row.holds(.double(.nan), at: 1) && !row.holds("e\u{301}", at: 2))
    #expect(
      row.slotsDiffering(from: Row(version: 1, values: [.double(-0.0), .double(.nan), .string("e\u{301}")])) == [1, 2])
  }

  @Test(arguments: [1, 63, 64, 65, 128, 129, 1_997])
  func `a partial row has the slots that were read and no others`(slotCount: Int) {
    let read = (0..<slotCount).filter { $0 % 3 == 1 || $0 == slotCount - 1 }
    let values = (0..<slotCount).map { read.contains($0) ? Value.string("value \($0)") : .null }
    let row = Row(version: 1, values: values, slots: SlotSet(read))
    #expect(!row.isWhole && row.slots == SlotSet(read) && row.values == values)
    #expect((0..<slotCount).filter(row.wasRead) == read)
    #expect(row.copy().slots == row.slots && row.copy().values == values)
    let whole = Row(version: 1, values: values)
    #expect(whole.isWhole && whole.slots.isAll && (0..<slotCount).allSatisfy(whole.wasRead))
  }

  @Test func `changing a version copies shared rows only`() {
    let own = Row(version: 1, slotCount: 1, byteCapacity: 0)
    #expect(own.with(version: 2) === own && own.version == 2)
    let shared = own.shared()
    #expect(shared === own && shared.isShared)
    let next = shared.with(version: 3)
    #expect(!(next === shared) && shared.version == 2 && next.version == 3 && !next.isShared)
  }

  @Test func `a held row lives until it is released`() {
    weak var storage: RowStorage?
    let held: HeldRow
    do {
      let row = Row(version: 1, values: [.string("kept")])
      storage = row.storage
      held = HeldRow(row)
    }
    #expect(held.withRow { $0.string(at: 0) } == "kept" && held.row.version == 1 && storage != nil)
    held.release()
    #expect(storage == nil)
  }

  @Test(arguments: 0..<4)
  func `replacing a value in place equals setting it, and an equal value returns same`(seed: UInt64) {
    var random = SeededRandom(seed: seed, stream: "replacing")
    var row = Row(version: 1, slotCount: 3, byteCapacity: 60)
    var values = [Value](repeating: .null, count: 3)
    for _ in 0..<500 {
      let slot = random.below(3)
      let value = random.below(3) == 0 ? values[slot] : Self.value(&random)
      let before = row.longByteCount(at: slot)
      switch row.storage.replace(slot, by: value) {
      case .same: #expect(values[slot] == value)
      case .done(let longByteCount, let replaced):
        #expect(values[slot] != value)
        values[slot] = value
        #expect(longByteCount == row.longByteCount(at: slot) && replaced == before)
      case .impossible:
        values[slot] = value
        row.set(value, at: slot)
        row = row.copy(spareByteCount: random.below(60))
      }
      #expect(row.values == values)
    }
    let shared = row.shared()
    if case .impossible = shared.storage.replace(0, by: .integer(1)) {
    } else {
      Issue.record("a shared row was changed")
    }
  }

  @Test func `rows are ordered by their values`() {
    let values: [Value] = [.null, .integer(-1), .integer(2)]
    let texts: [Value] = [.null, .string(""), .string("a"), .string("a\0"), .string("b"), .string("é")]
    let numbers: [Value] = [.null, .double(-0.5), .double(3)]
    for list in [values, texts, numbers] {
      for (left, first) in list.enumerated() {
        for (right, second) in list.enumerated() {
          let order = Row(version: 1, values: [first]).compare(to: Row(version: 1, values: [second]), at: 0)
          #expect(order.signum() == (left - right).signum())
        }
      }
    }
  }

  @Test func `changing a shared row stops the process`() async throws {
    await #expect(processExitsWith: .failure) {
      var row = Row(version: 1, values: [.integer(1)])
      row.set(.integer(2), at: 0)
    }
  }

  @Test func `reading a slot outside a row stops the process`() async throws {
    await #expect(processExitsWith: .failure) { _ = Row(version: 1, values: [.integer(1)]).value(at: 1) }
  }
}
