import Glibc
import Harness
import MachineCore
import Testing
import Topologies

/// The use that a trial makes of the yardstick of its instruments.
@Suite(.serialized) struct YardstickTests {
  @Test func `the yardstick is read on the main thread before and after the measured window`() throws {
    let readings = Guarded<[pthread_t]>([])
    let mainThread = Guarded<pthread_t?>(nil)
    let options = RunOptions.quick { $0.frameWork = .microseconds(1) }
    let outcome = try TrialBench().run(
      .workerMerge(.notification), options,
      change: { instruments in
        instruments.yardstick = {
          readings.withLock { readings in
            readings.append(pthread_self())
            return .microseconds(Int64(100 + readings.count * 10))
          }
        }
        instruments.spendCPU = { _ in mainThread.withLock { $0 = pthread_self() } }
        instruments.stolenTime = { .milliseconds(Int64(readings.withLock { $0.count }) * 5) }
      })
    #expect(outcome.isVerified, "\(outcome.complaints)")
    let threads = readings.withLock { $0 }
    #expect(threads.count == 2)
    let main = try #require(mainThread.withLock { $0 })
    #expect(threads.allSatisfy { pthread_equal($0, main) != 0 })
    #expect(outcome.noise.yardstick?.beforeNanoseconds == 110_000)
    #expect(outcome.noise.yardstick?.afterNanoseconds == 120_000)
    #expect(outcome.measures.yardstickNanoseconds == 115_000)
    #expect(outcome.measures.stealNanoseconds == 10_000_000)
  }

  @Test func `a machine without a yardstick leaves its columns empty`() throws {
    let outcome = try TrialBench().run(.allMain)
    #expect(outcome.noise.yardstick == nil)
    #expect(outcome.measures.yardstickNanoseconds == nil && outcome.measures.stealNanoseconds == nil)
  }
}
