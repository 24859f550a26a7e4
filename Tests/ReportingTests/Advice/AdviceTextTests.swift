import Testing

@testable import Reporting

@Suite struct AdviceTextTests {
  @Test func `an answer has the stacks, how sure it is, its cost, its contexts, where it flips, and its commands`() {
    #expect(AdviceText(MadeUpAdvice.report, usesColour: false).text == "")
  }

  @Test func `where none qualifies every stack says what it misses, and what would help is found`() {
    #expect(AdviceText(MadeUpAdvice.none, usesColour: false).text == "")
  }

  @Test func `Markdown says the same`() {
    #expect(AdviceMarkdown(MadeUpAdvice.report).text == "")
  }
}
