import CJemalloc
import CSQLite

/// The bytes that this process has allocated, as counted by jemalloc, which is linked to the program.
enum HeapFigures {
  /// The bytes allocated now, without SQLite's pages and statements.
  static var bytesBesideSQLite: Int { bytes - Int(sqlite3_memory_used()) }

  /// Bytes allocated now.
  static var bytes: Int {
    // Memory that this thread freed and keeps for itself would count as allocated.
    _ = mallctl("thread.tcache.flush", nil, nil, nil, 0)
    var epoch: UInt64 = 1
    _ = mallctl("epoch", nil, nil, &epoch, MemoryLayout<UInt64>.size)
    var allocated = 0
    var size = MemoryLayout<Int>.size
    let status = mallctl("stats.allocated", &allocated, &size, nil, 0)
    precondition(status == 0, "jemalloc was built without statistics")
    return allocated
  }
}
