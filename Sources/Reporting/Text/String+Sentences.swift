extension String {
  /// The text with its first letter in upper case and the rest unchanged, as at the beginning of a sentence.
  package var sentenceCased: String { prefix(1).uppercased() + dropFirst() }
}
