/// An error that says why a text cannot be read as a JSON value, and at which place.
struct JSONReadingError: Error {
  /// A step on the way from the outermost value to the wrong one.
  enum Step {
    case element(Int)
    case member(String)
  }

  var sentence: String
  /// True if the text is not JSON. False if it is JSON that cannot be kept, such as an integer of more than 64 bits.
  var isSyntax: Bool
  /// The offset of the error in the text, in bytes from 0.
  var offset: Int
  /// The steps to the wrong value, the innermost first.
  private var steps: [Step] = []

  init(_ sentence: String, isSyntax: Bool, offset: Int) {
    self.sentence = sentence
    self.isSyntax = isSyntax
    self.offset = offset
  }

  /// The steps to the wrong value, the outermost first.
  var path: [Step] { steps.reversed() }

  /// Returns the same error as seen from the list or object that contains the wrong value at the given step.
  func inside(_ step: Step) -> JSONReadingError {
    var error = self
    error.steps.append(step)
    return error
  }
}
