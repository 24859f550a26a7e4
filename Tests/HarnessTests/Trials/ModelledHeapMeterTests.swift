import ContextEngine
import Harness
import Testing

@Suite struct ModelledHeapMeterTests {
  private func change(_ footprint: MemoryFootprint, _ changes: Int...) {
    var tally = FootprintTally()
    for bytes in changes { if bytes > 0 { tally.add(bytes) } else { tally.remove(-bytes) } }
    footprint.take(&tally)
  }

  @Test func `a peak counts bytes above the footprint at the window's start`() {
    let (footprint, meter) = (MemoryFootprint(), ModelledHeapMeter())
    meter.watch(footprint)
    change(footprint, 5_000, -4_000)
    meter.openWindow()
    change(footprint, 300, -200)
    change(footprint, -600, 900, -500)
    #expect(meter.closeWindow() == HeapFigures(peakBytes: 400, allocatedBytes: 1_200))
    #expect(meter.closeWindow() == nil)
  }

  @Test func `a window in which the heap only shrinks has a peak of 0`() {
    let (footprint, meter) = (MemoryFootprint(), ModelledHeapMeter())
    meter.watch(footprint)
    change(footprint, 5_000)
    meter.openWindow()
    change(footprint, -5_000)
    #expect(meter.closeWindow() == HeapFigures(peakBytes: 0, allocatedBytes: 0))
  }

  @Test func `the meter measures the last watched footprint`() {
    let (warmUp, footprint, meter) = (MemoryFootprint(), MemoryFootprint(), ModelledHeapMeter())
    meter.watch(warmUp)
    meter.watch(footprint)
    meter.openWindow()
    change(warmUp, 100)
    change(footprint, 20)
    #expect(meter.closeWindow() == HeapFigures(peakBytes: 20, allocatedBytes: 20))
  }

  @Test func `the figures are nil without a watched footprint`() {
    let meter = ModelledHeapMeter()
    meter.openWindow()
    #expect(meter.closeWindow() == nil)
  }
}
