/// A text of a page, of which parts may be code.
package struct PageText: Hashable, Sendable {
  package enum Run: Hashable, Sendable {
    case plain(String)
    /// A name or an option as code. A terminal shows it unchanged.
    case code(String)
    /// A command inside of a sentence. A terminal shows it in single quotes.
    case command(String)
    /// A word that is a judgement. A terminal shows it in bold and in color, Markdown in bold.
    case judgement(String, Page.Tone)
    /// Words that lead to an address. A terminal shows the address in parentheses.
    case link(String, to: String)
    /// The mark of the best value of a column.
    case bestMark
  }

  package var runs: [Run]

  package init(_ text: String) {
    runs = [.plain(text)]
  }

  package static func code(_ text: String) -> PageText { "\(code: text)" }

  /// The text as a terminal shows it.
  package var plain: String {
    runs.map { run in
      switch run {
      case .plain(let text), .code(let text), .judgement(let text, _): text
      case .command(let text): "'\(text)'"
      case .link(let text, let address): "\(text) (\(address))"
      case .bestMark: "*"
      }
    }.joined()
  }
}

extension PageText: ExpressibleByStringInterpolation {
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var runs: [Run] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { runs.append(.plain(literal)) }
    }

    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      runs.append(.plain("\(value)"))
    }

    package mutating func appendInterpolation(_ text: PageText) { runs += text.runs }
    package mutating func appendInterpolation(_ word: String, _ tone: Page.Tone) { runs.append(.judgement(word, tone)) }
    package mutating func appendInterpolation(code: String) { runs.append(.code(code)) }
    package mutating func appendInterpolation(command: String) { runs.append(.command(command)) }
    package mutating func appendInterpolation(_ run: Run) { runs.append(run) }
  }

  package init(stringLiteral value: String) { self.init(value) }

  package init(stringInterpolation: StringInterpolation) { runs = stringInterpolation.runs }
}
