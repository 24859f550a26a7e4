import Foundation
import Testing

/// Expects that the process said so on standard error before it ended.
func expectSentence(
  _ sentence: String, from result: ExitTest.Result?, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let output = try #require(result, sourceLocation: sourceLocation).standardErrorContent
  #expect(String(decoding: output, as: UTF8.self).contains(sentence), sourceLocation: sourceLocation)
}
