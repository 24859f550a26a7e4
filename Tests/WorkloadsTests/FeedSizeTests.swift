import Foundation
import Testing

@testable import Workloads

/// Feeds that are large, or have many parts.
@Suite struct FeedSizeTests {
  @Test func `nested values are stored as text with sorted members`() throws {
    try withFeed(#"[{"id":1,"v":[0,{"b":[ {"d":1,"c":[2 ,{}]} ],"a":{"é":"\u0001\"","aa":null}}]}]"#) { archive in
      let value = try archive.answer().tables[0].rows[0].values[1]
      #expect(value == .string(#"[0,{"a":{"aa":null,"é":"\u0001\""},"b":[{"c":[2,{}],"d":1}]}]"#))
    }
  }

  @Test func `an object with more than a hundred thousand members is refused`() throws {
    func nested(_ count: Int) -> String {
      #"[{"id":1,"v":{"# + (0..<count).map { "\"\($0)\":0" }.joined(separator: ",") + "}}]"
    }
    try withFeed(nested(100_000)) { #expect($0.options.rows == 1) }
    #expect(
      try feedError(nested(100_001)).hasPrefix("feed.json:1: an object has more than 100000 members, column "))
  }
}
