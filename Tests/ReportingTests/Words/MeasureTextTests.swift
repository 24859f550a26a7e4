import Metrics
import Testing

@testable import Reporting

@Suite struct MeasureTextTests {
  @Test(
    arguments: [
      ("import_ns", 0, "0"), ("import_ns", 812, "812 ns"), ("import_ns", 12_300, "12.30 µs"),
      ("import_ns", 8_333_333, "8.333 ms"), ("import_ns", 1_980_553_181, "1981 ms"),
      ("import_ns", 12_345_000_000, "12.35 s"), ("import_ns", 99_999_999, "100.0 ms"),
      ("import_ns", 9_999_960, "10.00 ms"), ("heap_peak_bytes", 9_874_000, "9.874 MB"),
      ("heap_peak_bytes", 12, "12 B"), ("rows_per_second", 7_573, "7573/s"), ("hitch_us_per_s", 4_200, "4.200 ms/s"),
      ("hitch_us_per_s", 999, "999 µs/s"), ("sql_statements_count", 48_211, "48211"),
    ] as [(String, Int64, String)])
  func `a value reads in its unit`(name: String, value: Int64, text: String) throws {
    #expect(MeasureText.of(Double(value), in: try #require(Measure.named(name)).unit) == text)
  }

  @Test(
    arguments: [
      (50, 1_000, "+5.00 %"), (-412, 1_000, "-41.2 %"), (3_662, 1_000, "+366 %"), (0, 1_000, "0 %"), (0, 0, "0"),
      (33_333_333, 0, "+33.33 ms"),
    ] as [(Double, Int64, String)])
  func `a change reads as a share, or in its unit where there was nothing`(change: Double, base: Int64, text: String) {
    #expect(MeasureText.change(change, from: base, in: .nanoseconds) == text)
  }
}
