/// A block of memory that is larger than the second-level cache, with a path through it that no prefetcher can guess.
final class FarMemory {
  /// Each cell holds the number of the next cell in its low half, and how often it was visited in its high half. All
  /// cells are 0 until the first walk.
  private let cells: UnsafeMutablePointer<UInt64>

  /// 8 MiB of cells. A power of two, so that the path below visits all cells before it comes back.
  private static let cellCount = 1 << 20
  private static let mask = UInt64(cellCount - 1)

  init() {
    cells = .allocate(capacity: Self.cellCount)
    cells.initialize(repeating: 0, count: Self.cellCount)
  }

  deinit {
    cells.deallocate()
  }

  /// Writes all cells in order, follows the path for `stepCount` steps, and returns a checksum of the visited cells.
  func walk(stepCount: Int) -> UInt64 {
    for cell in 0..<UInt64(Self.cellCount) {
      // A linear congruential generator with full period: an odd increment, and a factor that is 1 modulo 4.
      cells[Int(cell)] = (cell &* 1_664_525 &+ 1_013_904_223) & Self.mask
    }
    var checksum = Checksum()
    var cell = 0
    for _ in 0..<stepCount {
      let found = cells[cell]
      cells[cell] = found &+ (1 << 32)
      checksum.add(found)
      cell = Int(found & Self.mask)
    }
    return checksum.value
  }
}
