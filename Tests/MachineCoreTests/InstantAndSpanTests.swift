import Foundation
import MachineCore
import Testing

@Suite struct InstantAndSpanTests {
  private typealias TimeSpan = MachineCore.TimeSpan

  @Test func `an instant plus the span to another instant equals the other`() {
    let begin = Instant(nanoseconds: 1_000)
    let end = Instant(nanoseconds: 250)
    #expect(end - begin == TimeSpan(nanoseconds: -750))
    #expect(begin + (end - begin) == end)
    #expect(end - (end - begin) == begin)
  }

  @Test func `instants and spans are ordered by time`() {
    #expect(Instant(nanoseconds: -1) < Instant(nanoseconds: 0))
    #expect(!(Instant(nanoseconds: 5) < Instant(nanoseconds: 5)))
    #expect(TimeSpan(nanoseconds: -3) < .zero)
    #expect(TimeSpan.microseconds(999) < .milliseconds(1))
  }

  @Test func `a millisecond is a thousand microseconds, and a second a thousand milliseconds`() {
    #expect(TimeSpan.microseconds(1).nanoseconds == 1_000)
    #expect(TimeSpan.milliseconds(1) == .microseconds(1_000))
    #expect(TimeSpan.seconds(2) == .milliseconds(1_000) * 2)
  }

  @Test func `spans are added and subtracted`() {
    var sum = TimeSpan.zero
    sum += .milliseconds(2)
    sum += .microseconds(-500)
    #expect(sum == TimeSpan(nanoseconds: 1_500_000))
    #expect(sum + .microseconds(500) - .milliseconds(2) == .zero)
  }

  @Test(arguments: [Int64.min, -1, 0, 1, .max])
  func `instants and spans are encoded as bare integers`(nanoseconds: Int64) throws {
    let instants = try JSONEncoder().encode([Instant(nanoseconds: nanoseconds)])
    let spans = try JSONEncoder().encode([TimeSpan(nanoseconds: nanoseconds)])
    #expect(String(decoding: instants, as: UTF8.self) == "[\(nanoseconds)]")
    #expect(String(decoding: spans, as: UTF8.self) == "[\(nanoseconds)]")
    #expect(try JSONDecoder().decode([Instant].self, from: instants) == [Instant(nanoseconds: nanoseconds)])
    #expect(try JSONDecoder().decode([TimeSpan].self, from: spans) == [TimeSpan(nanoseconds: nanoseconds)])
  }
}
