/// What a row cache knows of an ID, in one word: its row, if that is there, and how many contexts have the ID registered.
///
/// A third less memory for the table of a row cache than two words and a half take. Trivial, so that a table moves it about
/// for nothing: who puts a row in keeps it, and who takes one out releases it.
// `@unchecked Sendable`: an address; rows go from thread to thread by themselves.
struct RowCacheEntry: @unchecked Sendable {
  /// The address of the row, with the lowest bit, which no address has, always set, and the number of registrations in the
  /// sixteen bits above what a process can address.
  private var word: UnsafeRawPointer

  private static let mark: UInt = 1
  private static let addressMask: UInt = (1 << 48 - 1) & ~mark
  private static let countShift: UInt = 48
  /// How many contexts can have an ID registered.
  private static let registrationLimit = 0xffff

  init(held: HeldRow?, registrations: Int) {
    word = Self.word(held, registrations)
  }

  var held: HeldRow? {
    get { UnsafeRawPointer(bitPattern: UInt(bitPattern: word) & Self.addressMask).map(HeldRow.init(address:)) }
    set { word = Self.word(newValue, registrations) }
  }

  var row: Row? { held?.row }

  var registrations: Int {
    get { Int(UInt(bitPattern: word) >> Self.countShift) }
    set { word = Self.word(held, newValue) }
  }

  @inline(__always)
  private static func word(_ held: HeldRow?, _ registrations: Int) -> UnsafeRawPointer {
    let address = held.map { UInt(bitPattern: $0.address) } ?? 0
    precondition(address & ~addressMask == 0, "a row lies where no address was expected")
    precondition(registrations >= 0 && registrations <= registrationLimit, "an ID is registered by too many contexts")
    // Never nil, because of the mark.
    return UnsafeRawPointer(bitPattern: address | mark | UInt(registrations) << countShift).unsafelyUnwrapped
  }
}
