import MachineCore
import Testing

@Suite struct SpanTextTests {
  @Test(
    arguments: [
      (0, "0"), (1_500_000, "1.5"), (2_000_000, "2"), (1, "0.000001"), (-1_500_000, "-1.5"), (-500_000, "-0.5"),
      (-3_000_000, "-3"), (Int64.min, "-9223372036854.775808"),
    ] as [(Int64, String)])
  func `a span is a decimal number of milliseconds`(nanoseconds: Int64, text: String) {
    #expect(SpanText.milliseconds(TimeSpan(nanoseconds: nanoseconds)) == text)
  }
}
