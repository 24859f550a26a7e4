import Glibc

/// A frozen piece of work whose duration says how fast this computer is at the moment.
///
/// The work imitates an import, a fetch and a merge, in about equal parts of objects and hash tables, SQLite, and
/// memory traffic, so that it slows down as much as an import does when the clock drops or a neighbour fills the
/// caches. It shares no code with the engine, and its input is fixed. A change of the engine therefore never changes
/// its duration, and two durations differ only because the computer was faster or slower.
///
/// Any change of this target makes all durations recorded before it worthless. Tests pin its checksum, and
/// `.ci/yardstick` pins its instruction count.
package enum YardstickWork {
  /// The number of rows that the work imports.
  private static let rowCount = 3_600
  /// The number of merges, each of all rows, one after the other.
  private static let mergeCount = 3
  /// The interval of changed rows: a merge changes one row in this many.
  private static let changeInterval = 3
  /// The number of steps through a block of memory that no second-level cache can hold.
  private static let memoryStepCount = 80_000
  /// The number of runs whose durations are compared, after one run that only warms the caches up.
  private static let measuredRunCount = 3

  /// Measures the CPU time that one run of the work takes on the calling thread.
  ///
  /// The work runs a few times. The first run is not measured: it brings code and data into the caches and the memory
  /// into the process. Everything that disturbs a later run, such as an interrupt or another thread on the same core,
  /// makes it longer and never shorter. The least of three runs is therefore the one that best shows the computer's
  /// speed. All runs together take about 40 ms. The process ends if a run gives another checksum than the first.
  ///
  /// - Parameter clock: Reads the CPU time that the calling thread has used, in nanoseconds.
  /// - Returns: The least CPU time of one run, in nanoseconds.
  package static func measure(clock: () -> Int64 = threadClock) -> Int64 {
    let memory = FarMemory()
    let expected = run(in: memory)
    var least = Int64.max
    for _ in 0..<measuredRunCount {
      let start = clock()
      let checksum = run(in: memory)
      least = min(least, clock() - start)
      // The comparison also keeps the compiler from dropping the work.
      guard checksum == expected else { fatalError("Two runs of the yardstick's work gave different checksums.") }
    }
    return least
  }

  /// Does the work once and returns a checksum over all that it read and wrote.
  package static func run() -> UInt64 {
    run(in: FarMemory())
  }

  // The method is never inlined, so that `.ci/yardstick` finds it by its name.
  @inline(never)
  private static func run(in memory: FarMemory) -> UInt64 {
    var checksum = Checksum()
    let database = RowDatabase()
    let rows = importRows(into: database)
    let stored = database.readRows(count: rowCount)
    for number in 1...mergeCount { merge(stored, into: rows, number: number, checksum: &checksum) }
    sort(rows, checksum: &checksum)
    checksum.add(memory.walk(stepCount: memoryStepCount))
    return checksum.value
  }

  /// The CPU time of the calling thread so far, in nanoseconds.
  package static func threadClock() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

// MARK: - Steps

extension YardstickWork {
  /// Makes the rows and writes them to the database.
  private static func importRows(into database: RowDatabase) -> RowTable {
    let rows = RowTable(capacity: rowCount)
    var numbers = FixedNumbers(seed: 1)
    var made: [YardstickRow] = []
    made.reserveCapacity(rowCount)
    for index in 0..<rowCount {
      // An odd factor makes every key different from the others and leaves them in no order.
      let key = Int64(UInt32(truncatingIfNeeded: (index + 1) &* 2_654_435_761))
      let row = YardstickRow(key: key, name: numbers.nextText(), amount: Double(numbers.next() >> 40) / 16)
      rows.insert(row)
      made.append(row)
    }
    database.write(made)
    return rows
  }

  /// Compares a copy of each stored row with its object, and gives some of the objects new names.
  private static func merge(
    _ stored: [YardstickRow], into rows: RowTable, number: Int, checksum: inout Checksum
  ) {
    var numbers = FixedNumbers(seed: UInt64(1 + number))
    let changed = RowTable(capacity: stored.count)
    for (index, row) in stored.enumerated() {
      let isChanged = (index + number).isMultiple(of: changeInterval)
      changed.insert(YardstickRow(key: row.key, name: isChanged ? numbers.nextText() : row.name, amount: row.amount))
    }
    for change in changed.all {
      guard let row = rows.row(forKey: change.key) else { fatalError("The yardstick lost a row.") }
      if row.amount == change.amount { checksum.add(UInt64(bitPattern: row.key)) }
      if row.name != change.name {
        row.name = change.name
        row.version += 1
      }
    }
  }

  /// Sorts the rows by name, as a list on a screen would.
  private static func sort(_ rows: RowTable, checksum: inout Checksum) {
    let sorted = rows.all.sorted { left, right in
      left.name < right.name
    }
    for row in sorted {
      checksum.add(UInt64(bitPattern: row.key) ^ UInt64(bitPattern: row.version))
      checksum.add(row.amount.bitPattern)
    }
  }
}
