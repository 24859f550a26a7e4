/// What of the engine's own book-keeping does not agree, a sentence for each: context, object, what is wrong.
///
/// An error of the engine and not of whoever uses it; for tests, which check after every step.
package struct BrokenInvariants: Error, CustomStringConvertible {
  package let sentences: [String]

  package var description: String { sentences.joined(separator: "\n") }

  /// Throws what was found, if anything was.
  static func throwing(_ sentences: [String]) throws(BrokenInvariants) {
    if !sentences.isEmpty { throw BrokenInvariants(sentences: sentences) }
  }
}
