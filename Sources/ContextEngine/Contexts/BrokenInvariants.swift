/// The inconsistencies found in the engine's book-keeping. Each is a sentence that names the context and the object and
/// says what is wrong.
///
/// They are errors of the engine and not of the code that uses it. Tests check for them after every step.
package struct BrokenInvariants: Error, CustomStringConvertible {
  package let sentences: [String]

  package var description: String { sentences.joined(separator: "\n") }

  /// Throws an error with the sentences, unless there are no sentences.
  static func throwing(_ sentences: [String]) throws(BrokenInvariants) {
    if !sentences.isEmpty { throw BrokenInvariants(sentences: sentences) }
  }
}
