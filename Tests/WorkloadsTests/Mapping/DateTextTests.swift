import Testing
import Workloads

@Suite struct DateTextTests {
  @Test(arguments: [
    ("2001-01-01", 0), ("2001-01-01T00:00:01Z", 1), ("2001-01-01 00:01:00", 60), ("2001-01-01T02:00+02:00", 0),
    ("2000-12-31T23:59:59.25-0000", -0.75), ("2024-02-29T12:00:00Z", 730_900_800),
    ("1970-01-01T00:00:00Z", -978_307_200),
  ])
  func `a date in the ISO 8601 format is read`(_ text: String, _ seconds: Double) {
    #expect(DateText.iso8601(text) == seconds)
  }

  @Test(arguments: [
    ("Mon, 01 Jan 2001 00:00:00 GMT", 0), ("1 January 2001 01:00:00 +0100", 0), ("Mon, 01 Jan 01 00:00 EST", 18_000),
  ])
  func `a date in the format of RFC 822 is read`(_ text: String, _ seconds: Double) {
    #expect(DateText.rfc822(text) == seconds)
  }

  @Test(arguments: [
    "", "2001-13-01", "2001-02-29", "2001-1-1", "yesterday", "32 Jan 2001 00:00:00", "2001-01-01T25:00:00Z",
  ])
  func `other texts are no dates`(_ text: String) {
    #expect(DateText.iso8601(text) == nil)
    #expect(DateText.rfc822(text) == nil)
  }
}
