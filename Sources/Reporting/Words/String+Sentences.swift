extension String {
  /// As it begins a sentence: with its first letter in upper case, the rest as it is.
  package var sentenceCased: String { prefix(1).uppercased() + dropFirst() }
}
