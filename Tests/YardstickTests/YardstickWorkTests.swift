import Testing
import Yardstick

@Suite struct YardstickWorkTests {
  /// A change of this number makes all yardsticks worthless that were recorded before it.
  @Test func `the result of the work is constant`() {
    #expect(YardstickWork.run() == 10_735_939_720_571_884_393)
    #expect(YardstickWork.run() == 10_735_939_720_571_884_393)
  }

  @Test func `the measured time is the shortest run after the first`() {
    // A clock that is read before and after each measured run, and shows 7, 3 and 5 between.
    var times: [Int64] = [100, 107, 200, 203, 300, 305]
    #expect(YardstickWork.measure { times.removeFirst() } == 3)
    #expect(times.isEmpty)
  }

  @Test func `the thread's clock measures a positive time`() {
    #expect(YardstickWork.measure() > 0)
  }
}
