/// The entry of an ID in a row cache, stored in one word: the row, if it is cached, and the number of registrations.
///
/// One word makes the table of a row cache a third smaller than two and a half words. An entry is a trivial type, so
/// that a table can move it at no cost. Code that stores a row in an entry retains it, and code that removes the row
/// releases it.
// `@unchecked Sendable`: it holds the address of a row, and rows are Sendable themselves.
package struct RowCacheEntry: @unchecked Sendable {
  /// The address of the row, with the number of registrations in the upper sixteen bits, which addresses of a process
  /// do not use. The lowest bit, which is 0 in every address, is always set.
  private var word: UnsafeRawPointer

  private static let mark: UInt = 1
  private static let addressMask: UInt = (1 << 48 - 1) & ~mark
  private static let countShift: UInt = 48
  /// The maximum number of registrations of an ID.
  private static let registrationLimit = 0xffff

  package init(held: HeldRow?, registrations: Int) {
    word = Self.word(held, registrations: registrations)
  }

  package var held: HeldRow? {
    get { UnsafeRawPointer(bitPattern: UInt(bitPattern: word) & Self.addressMask).map(HeldRow.init(address:)) }
    set { word = Self.word(newValue, registrations: registrations) }
  }

  package var row: Row? { held?.row }

  package var registrations: Int {
    get { Int(UInt(bitPattern: word) >> Self.countShift) }
    set { word = Self.word(held, registrations: newValue) }
  }

  @inline(__always)
  private static func word(_ held: HeldRow?, registrations: Int) -> UnsafeRawPointer {
    let address = held.map { UInt(bitPattern: $0.address) } ?? 0
    precondition(address & ~addressMask == 0, "a row lies where no address was expected")
    precondition(registrations >= 0 && registrations <= registrationLimit, "an ID is registered by too many contexts")
    // The pointer is never nil, because the mark is set.
    return UnsafeRawPointer(bitPattern: address | mark | UInt(registrations) << countShift).unsafelyUnwrapped
  }
}
