import ContextEngine
import Testing

/// A row and a count in one word. Changing one leaves the other unchanged.
@Suite struct RowCacheEntryTests {
  @Test func `the row and the count of an entry are independent`() {
    let row = Row(version: 3, values: [.string("a text of more than fifteen bytes"), .integer(1)])
    let held = HeldRow(row)
    defer { held.release() }
    var entry = RowCacheEntry(held: nil, registrations: 0)
    #expect(entry.held == nil && entry.registrations == 0)
    entry.registrations = 65_535
    #expect(entry.row == nil && entry.registrations == 65_535)
    entry.held = held
    #expect(entry.row === row && entry.registrations == 65_535)
    entry.registrations -= 65_535
    #expect(entry.row === row && entry.registrations == 0)
    entry.held = nil
    #expect(entry.held == nil && entry.registrations == 0)
  }
}
