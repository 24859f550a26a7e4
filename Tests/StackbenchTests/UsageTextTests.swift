import CommandShell
import Testing

@testable import Experiments
@testable import Validation
@testable import stackbench

@Suite struct UsageTextTests {
  @Test(arguments: [
    ("The value '0' is invalid for '--rows <n>': out of range", "--rows 0: out of range"),
    ("The value 'it's' is invalid for '--seed <n>': not a seed", "--seed it's: not a seed"),
    ("The value 'x' is invalid for '--plan <file>'", "--plan x: not a valid value"),
    ("Missing expected argument '--plan <file>'", "missing expected argument '--plan <file>'; see --help"),
    ("Unknown option '--rwos'. Did you mean '--rows'?", "--rwos: unknown flag; did you mean --rows? see --help"),
    ("Unknown option '--x'", "--x: unknown flag; see --help"),
    ("Two\nlines.", "two lines; see --help"),
  ])
  func `a message of the argument parser is rewritten to one line`(message: String, line: String) {
    #expect(UsageText.line(from: message) == line)
  }

  @Test(arguments: [
    (["advise", "--profle", "iphone-6s"], "--profle", "--profile", "advise"),
    (["advise", "--priorty=memory"], "--priorty", "--priority", "advise"),
    (["sweep", "--profle=iphone-6s"], "--profle", "--profile", "sweep"),
    (["sweep", "--outptu", "x"], "--outptu", "--output", "sweep"),
    (["compare", "a", "b", "--quite"], "--quite", "--quiet", "compare"),
    (["compare", "--live", "a", "b", "--rws", "5"], "--rws", "--rows", "compare"),
  ])
  func `commands with flags of run suggest the nearest flag`(
    arguments: [String], given: String, meant: String, command: String
  ) async throws {
    let outcome = try await Program.run(arguments)
    #expect(outcome.status == 64)
    #expect(
      outcome.errors == [
        "error: \(given): unknown flag; did you mean \(meant)? see 'stackbench \(command) --help' and "
          + "'stackbench run --help'"
      ])
  }

  @Test func `an unknown flag without a similar name is refused without a suggestion`() async throws {
    let outcome = try await Program.run(["advise", "--zzzzzz", "1"])
    #expect(
      outcome.errors == [
        "error: --zzzzzz: unknown flag; see 'stackbench advise --help' and 'stackbench run --help'"
      ])
  }
}
