import Harness
import Testing

@testable import ContextEngine

@Suite struct ModelledHeapMeterTests {
  private func change(_ footprint: MemoryFootprint, _ changes: Int...) {
    var tally = FootprintTally()
    for bytes in changes { if bytes > 0 { tally.add(bytes) } else { tally.remove(-bytes) } }
    footprint.take(&tally)
  }

  @Test func `the peak between two reports counts, above what the window opened with`() {
    let (footprint, meter) = (MemoryFootprint(), ModelledHeapMeter())
    meter.watch(footprint)
    change(footprint, 5_000, -4_000)
    meter.openWindow()
    change(footprint, 300, -200)
    change(footprint, -600, 900, -500)
    #expect(meter.closeWindow() == HeapFigures(peakBytes: 400, allocatedBytes: 1_200))
    #expect(meter.closeWindow() == nil)
  }

  @Test func `a window that only shrinks has a peak of nothing`() {
    let (footprint, meter) = (MemoryFootprint(), ModelledHeapMeter())
    meter.watch(footprint)
    change(footprint, 5_000)
    meter.openWindow()
    change(footprint, -5_000)
    #expect(meter.closeWindow() == HeapFigures(peakBytes: 0, allocatedBytes: 0))
  }

  @Test func `the stack that was opened last is measured`() {
    let (warmUp, footprint, meter) = (MemoryFootprint(), MemoryFootprint(), ModelledHeapMeter())
    meter.watch(warmUp)
    meter.watch(footprint)
    meter.openWindow()
    change(warmUp, 100)
    change(footprint, 20)
    #expect(meter.closeWindow() == HeapFigures(peakBytes: 20, allocatedBytes: 20))
  }

  @Test func `without a stack there are no figures`() {
    let meter = ModelledHeapMeter()
    meter.openWindow()
    #expect(meter.closeWindow() == nil)
  }
}
