import Testing

@testable import stackbench

@Suite struct UsageTextTests {
  @Test(arguments: [
    ("The value '0' is invalid for '--rows <n>': out of range", "--rows 0: out of range"),
    ("The value 'it's' is invalid for '--seed <n>': not a seed", "--seed it's: not a seed"),
    ("The value 'x' is invalid for '--plan <file>'", "--plan x: not a value that it takes"),
    ("Missing expected argument '--plan <file>'", "missing expected argument '--plan <file>'; see --help"),
    ("Two\nlines.", "two lines; see --help"),
  ])
  func `a message of the argument parser becomes one line of ours`(message: String, line: String) {
    #expect(UsageText.line(from: message) == line)
  }
}
