/// Why a text cannot be read as a JSON value, and where.
struct JSONReadingError: Error {
  /// A step on the way from the outermost value to the one that is wrong.
  enum Step {
    case element(Int)
    case member(String)
  }

  var sentence: String
  /// False for JSON whose values cannot be kept.
  var isSyntax: Bool
  /// The place in the text, counted in bytes from 0.
  var offset: Int
  /// The innermost step first.
  private var steps: [Step] = []

  init(_ sentence: String, isSyntax: Bool, offset: Int) {
    self.sentence = sentence
    self.isSyntax = isSyntax
    self.offset = offset
  }

  /// The steps from the outermost value on.
  var path: [Step] { steps.reversed() }

  /// Returns the error of the value that the step leads into.
  func inside(_ step: Step) -> JSONReadingError {
    var error = self
    error.steps.append(step)
    return error
  }
}
