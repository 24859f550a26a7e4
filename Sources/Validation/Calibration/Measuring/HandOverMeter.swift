import ContextEngine
import MachineCore

/// A meter for the cost of handing work to a sleeping thread.
///
/// Each call of `measure(mainBusy:)` makes some round trips to the main queue, whose thread is asleep before each of
/// them. The result covers all calls. Call it repeatedly during a calibration, because computers change their speed.
package final class HandOverMeter {
  /// The cost of a hand-over.
  package struct HandOver: Hashable, Sendable {
    /// The time without a core that passes before the woken thread runs.
    package var latency: TimeSpan
    /// The CPU time of both threads for each wake-up, without the woken thread's block.
    package var cpu: TimeSpan
    /// The additional time of a block on a thread that has slept, compared with a thread that has worked.
    package var coldStart: TimeSpan
  }

  private static let tripCount = 100
  /// The time for which the calling thread works between two trips, so that the main thread falls asleep.
  private static let pause = TimeSpan.microseconds(30)

  private let bench: CalibrationBench
  /// The context of the faults, whose parent is a context of the main queue that holds their rows.
  private let child: ManagedObjectContext
  private let faults: [ManagedObject]
  private let held: [ManagedObject]
  private let key: PropertyPath
  private var walls: [Int64] = []
  private var cpus: [Int64] = []
  private var starts: [Int64] = []

  /// Creates a meter and its contexts.
  ///
  /// - Throws: `PersistenceError` if the store cannot be opened or read.
  package init(_ bench: CalibrationBench) throws {
    self.bench = bench
    let entity = bench.catalogSchema.entities[1]
    let parent = ManagedObjectContext(.mainQueue, coordinator: try bench.populated(), name: "calibration")
    held = try bench.rows(Self.tripCount, of: entity, in: parent)
    child = bench.child(of: parent)
    faults = try bench.rows(Self.tripCount, of: entity, in: child, asFaults: true)
    key = entity.keys[0]
  }

  /// Makes a hundred trips with empty blocks, and a hundred with a fault that fires through the main queue. Blocks for
  /// some 20 ms.
  ///
  /// - Parameter mainBusy: The time that the main thread has spent in blocks so far.
  package func measure(mainBusy: () -> TimeSpan) {
    let main = bench.machine.mainQueue
    let threadCPU = bench.instruments.threadCPU
    var wall = TimeSpan.zero
    var cpu = TimeSpan.zero
    let mainBefore = main.sync { threadCPU() }
    let busyBefore = main.sync { mainBusy() }
    for _ in 0..<Self.tripCount {
      work()
      let cpuBefore = threadCPU()
      let start = bench.machine.now
      main.sync {}
      wall = wall + (bench.machine.now - start)
      cpu = cpu + (threadCPU() - cpuBefore)
    }
    let busy = main.sync { mainBusy() } - busyBefore
    let mainAfter = main.sync { threadCPU() }
    let wakings = Int64(2 * Self.tripCount)
    let start = busy.nanoseconds / Int64(Self.tripCount)
    // Both threads start cold, though only one of them has a block to start.
    walls.append(wall.nanoseconds / wakings - start)
    cpus.append((cpu + (mainAfter - mainBefore)).nanoseconds / wakings - start)
    starts.append(faultStart(mainBusy))
  }

  /// Returns the additional nanoseconds that a fault takes on the main queue if the main thread has slept.
  private func faultStart(_ mainBusy: () -> TimeSpan) -> Int64 {
    let main = bench.machine.mainQueue
    func fire(_ fault: ManagedObject) { child.performAndWait { _ = fault[key] } }
    func turnIntoFaults() {
      child.performAndWait { for fault in faults { try? child.refresh(fault, mergeChanges: false) } }
    }
    turnIntoFaults()
    let before = main.sync { mainBusy() }
    for fault in faults {
      work()
      fire(fault)
    }
    let asleep = main.sync { mainBusy() } - before
    turnIntoFaults()
    let awake = main.sync { () -> TimeSpan in
      let start = bench.machine.now
      for fault in faults { fire(fault) }
      return bench.machine.now - start
    }
    return (asleep - awake).nanoseconds / Int64(Self.tripCount)
  }

  /// Works until the main thread has gone to sleep.
  private func work() {
    let end = bench.instruments.threadCPU() + Self.pause
    while bench.instruments.threadCPU() < end {}
  }

  /// The mean time of a waking in each call.
  package var wakings: [TimeSpan] { walls.map { TimeSpan(nanoseconds: $0) } }

  /// The lower quartile of each cost over all calls, or zero before the first call.
  package var handOver: HandOver {
    func quartile(_ values: [Int64]) -> Int64 { values.isEmpty ? 0 : max(0, values.sorted()[values.count / 4]) }
    let (wall, cpu) = (quartile(walls), quartile(cpus))
    return HandOver(
      latency: TimeSpan(nanoseconds: max(0, wall - cpu)), cpu: TimeSpan(nanoseconds: cpu),
      coldStart: TimeSpan(nanoseconds: quartile(starts)))
  }
}
