import Foundation
import TestSupport
import Testing

/// Expects that the process wrote a sentence to standard error before it ended, and makes sure that its files are
/// deleted.
func expectSentence(
  _ sentence: String, from result: ExitTest.Result?, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  _ = ScratchFolder.url
  let output = try #require(result, sourceLocation: sourceLocation).standardErrorContent
  #expect(String(decoding: output, as: UTF8.self).contains(sentence), sourceLocation: sourceLocation)
}
