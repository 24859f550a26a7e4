#if !UNDER_SANITIZER
  import CJemalloc
  import MachineCore

  /// The statistics of this process's heap that jemalloc keeps, for all arenas together.
  ///
  /// Reading refreshes jemalloc's epoch, which holds jemalloc's locks for about 10 µs. Do not read on the main thread
  /// while it is measured.
  final class HeapStatistics: Sendable {
    private let epoch = ManagementName("epoch")
    private let live = ManagementName("stats.allocated")
    private let cached = ManagementName("stats.arenas.\(MALLCTL_ARENAS_ALL).tcache_bytes")
    private let classes: [SizeClass]

    /// A size class, and the name of jemalloc's counter for its allocations.
    private struct SizeClass: Sendable {
      let size: Int
      let served: ManagementName
    }

    init() {
      classes =
        HeapStatistics.classes(count: "arenas.nbins", sizes: "arenas.bin", counters: "bins")
        + HeapStatistics.classes(count: "arenas.nlextents", sizes: "arenas.lextent", counters: "lextents")
    }

    /// Returns the bytes that are allocated now, and the total of bytes that were ever allocated: Σ over size classes
    /// of count × size.
    ///
    /// The total does not count memory again that a thread's cache reuses without a call to its arena.
    func read() -> (live: Int, allocated: Int) {
      refresh()
      let allocated = classes.reduce(0) { $0 + Int($1.served.value(as: UInt64.self)) * $1.size }
      return (live.value(as: Int.self), allocated)
    }

    /// Returns the number of bytes that are allocated now.
    func readLive() -> Int {
      refresh()
      return live.value(as: Int.self)
    }

    /// Returns the number of bytes that are in use now: those that are allocated, without the freed ones that the caches
    /// of threads keep.
    func readInUse() -> Int {
      refresh()
      return live.value(as: Int.self) - cached.value(as: Int.self)
    }

    private func refresh() {
      epoch.set(UInt64(1))
    }

    private static func classes(count: String, sizes: String, counters: String) -> [SizeClass] {
      let count = Int(ManagementName(count).value(as: UInt32.self))
      return (0..<count).map { index in
        // `MALLCTL_ARENAS_ALL` is 4096 and gives the sum over all arenas.
        SizeClass(
          size: ManagementName("\(sizes).\(index).size").value(as: Int.self),
          served: ManagementName("stats.arenas.\(MALLCTL_ARENAS_ALL).\(counters).\(index).nmalloc"))
      }
    }
  }

  /// A name of jemalloc's `mallctl`, translated once into the form that is faster to look up.
  private struct ManagementName: Sendable {
    private let name: String
    private let path: [Int]

    /// Translates a name. Traps if this build of jemalloc does not have the name.
    init(_ name: String) {
      self.name = name
      var path = [Int](repeating: 0, count: 8)
      var length = path.count
      guard mallctlnametomib(name, &path, &length) == 0 else {
        trapMisuse("jemalloc has no \(name); it was built without statistics")
      }
      self.path = Array(path.prefix(length))
    }

    func value<Value: FixedWidthInteger>(as type: Value.Type) -> Value {
      var value: Value = 0
      var size = MemoryLayout<Value>.size
      let status = path.withUnsafeBufferPointer { mallctlbymib($0.baseAddress, $0.count, &value, &size, nil, 0) }
      guard status == 0 else { trapMisuse("jemalloc does not report \(name): \(status)") }
      return value
    }

    func set<Value: FixedWidthInteger>(_ value: Value) {
      var value = value
      let size = MemoryLayout<Value>.size
      let status = path.withUnsafeBufferPointer { mallctlbymib($0.baseAddress, $0.count, nil, nil, &value, size) }
      guard status == 0 else { trapMisuse("jemalloc does not accept \(name): \(status)") }
    }
  }
#endif
