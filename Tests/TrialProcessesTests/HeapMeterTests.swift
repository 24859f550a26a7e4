#if !UNDER_SANITIZER
  import Glibc
  import Testing

  @testable import TrialProcesses

  @Suite(.serialized) struct HeapMeterTests {
    private static let megabyte = 1_048_576

    @Test func `the allocated bytes include freed memory`() throws {
      let meter = JemallocHeapMeter()
      meter.openWindow()
      for _ in 0..<4 { allocate(megabytes: 64) }
      let figures = try #require(meter.closeWindow())
      // Other tests allocate as well, so it is a lower bound.
      #expect(figures.allocatedBytes >= 4 * 64 * HeapMeterTests.megabyte)
    }

    @Test func `the sampling thread records a peak within the window`() throws {
      let size = 256 * HeapMeterTests.megabyte
      let meter = JemallocHeapMeter()
      meter.openWindow()
      let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      meter.sample()
      while (meter.peakSoFar ?? 0) < size / 2 { sched_yield() }
      block.deallocate()
      let figures = try #require(meter.closeWindow())
      #expect(figures.peakBytes >= size / 2)
    }

    @Test func `the figures are nil without a window`() {
      let meter = JemallocHeapMeter()
      meter.sample()
      #expect(meter.closeWindow() == nil)
    }

    private func allocate(megabytes: Int) {
      UnsafeMutableRawPointer.allocate(byteCount: megabytes * HeapMeterTests.megabyte, alignment: 16).deallocate()
    }
  }
#endif
