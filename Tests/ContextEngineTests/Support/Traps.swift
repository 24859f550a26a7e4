import Foundation
import TestSupport
import Testing

/// Expects that the process said so on standard error before it ended, and sees to what it has left behind.
func expectSentence(
  _ sentence: String, from result: ExitTest.Result?, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  _ = ScratchFolder.url
  let output = try #require(result, sourceLocation: sourceLocation).standardErrorContent
  #expect(String(decoding: output, as: UTF8.self).contains(sentence), sourceLocation: sourceLocation)
}
