import Metrics
import Testing

@testable import Reporting

@Suite struct ChangeTextTests {
  private func change(_ measure: String, from before: Int64, to after: Int64) throws -> ChangeText {
    ChangeText(
      Shift(exactly: Double(after - before)), from: before, of: try #require(Measure.named(measure)))
  }

  @Test(
    arguments: [
      (1_000, 1_171, "+17.1 %"), (1_000, 1_999, "+99.9 %"), (1_000, 2_000, "2.00 times"), (1_000, 9_994, "9.99 times"),
      (1_000, 9_996, "10.0 times"), (1_000, 99_960, "100 times"), (1_000, 131_000, "131 times"),
      (1_000, 501, "-49.9 %"), (1_000, 500, "1/2.00"), (12_000, 1_000, "1/12.0"), (1_000, 0, "to 0"),
      (0, 25_440, "+25.44 µs"), (0, 0, "0"), (1_000, 1_000, "0 %"),
    ] as [(Int64, Int64, String)])
  func `a change by a factor of two or more is a ratio, a smaller one is in per cent`(
    before: Int64, after: Int64, text: String
  ) throws {
    #expect(try change("import_ns", from: before, to: after).cell == text)
  }

  @Test(
    arguments: [
      ("import_ns", 1, 12, "12.0 times as long"), ("import_ns", 12, 1, "12.0 times as fast"),
      ("edit_response_ns_p99", 12, 1, "12.0 times as fast"), ("time_to_visible_ns_p99", 12, 1, "12.0 times as fast"),
      ("stall_ns_p99", 12, 1, "1/12.0 as long"), ("hitch_total_ns", 1, 12, "12.0 times as long"),
      ("main_busy_ns", 12, 1, "1/12.0 as long"), ("heap_peak_bytes", 1, 12, "12.0 times as much"),
      ("allocated_bytes", 12, 1, "1/12.0 as much"), ("hitch_total_ns", 12_000_000, 0, "from 12.00 ms to 0"),
      ("hitch_total_ns", 0, 12_000_000, "from 0 to 12.00 ms"), ("import_ns", 100, 120, "+20.0 %"),
    ] as [(String, Int64, Int64, String)])
  func `a sentence says faster of times until something is done, longer of other times, and much of memory`(
    measure: String, before: Int64, after: Int64, text: String
  ) throws {
    #expect(try change(measure, from: before, to: after).phrase == text)
  }

  /// Returns the change of twelve pairs, each of which has a different ratio.
  private func estimated(_ measure: String, _ ratios: ClosedRange<Double>) throws -> ChangeText {
    let differences = (0..<12).map { pair in
      let ratio = ratios.lowerBound + (ratios.upperBound - ratios.lowerBound) * Double(pair) / 11
      return 1_000_000 * (ratio - 1)
    }
    return ChangeText(
      try #require(SignedRank.shift(of: differences)), from: 1_000_000, of: try #require(Measure.named(measure)))
  }

  @Test func `an interval has the form of its change`() throws {
    let slower = try estimated("import_ns", 11...13)
    #expect(slower.cell == "12.0 times")
    #expect(slower.interval == "11.5 to 12.5 times")
    #expect(slower.phrase == "12.0 times as long (11.5 to 12.5)")
    let faster = try estimated("import_ns", (1.0 / 13)...(1.0 / 11))
    #expect(faster.interval == "1/12.4 to 1/11.5")
    #expect(faster.phrase == "11.9 times as fast (11.5 to 12.4)")
    #expect(try estimated("stall_ns_p99", (1.0 / 13)...(1.0 / 11)).phrase == "1/11.9 as long (1/12.4 to 1/11.5)")
    let smaller = try estimated("import_ns", 1.1...1.3)
    #expect(smaller.interval == "+15.5 to +24.5 %")
    #expect(smaller.phrase == "+20.0 % (+15.5 to +24.5 %)")
  }

  @Test func `an interval that reaches to where a ratio means nothing is in per cent`() throws {
    #expect(try estimated("import_ns", -2...2.8).cell == "-60.0 %")
    #expect(try estimated("import_ns", 0.1...0.7).cell == "1/2.50")
  }
}
