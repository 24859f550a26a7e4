/// The content of an answer in reading order, independent of the format in which it is printed.
///
/// A page is built once from the values it shows. `TerminalPage`, `MarkdownPage` and `HTMLPage` render it.
package struct Page: Hashable, Sendable {
  /// The title. A terminal does not show it, since the command above the answer names the subject.
  package var title: PageText?
  package var sections: [Section]

  /// Creates a page of the sections that are not nil.
  package init(title: PageText? = nil, sections: [Section?]) {
    self.title = title
    self.sections = sections.compactMap(\.self)
  }

  /// A part of a page, separated from the next by an empty line.
  package struct Section: Hashable, Sendable {
    package var heading: PageText?
    /// The identifier of the heading in HTML.
    package var name: String?
    /// True if HTML and Markdown fold the section away under its heading. A reader can open it, and paper shows all of
    /// it. A terminal shows the blocks without the heading.
    package var isFolded: Bool
    package var blocks: [Block]

    /// Creates a section without a heading.
    package init(_ blocks: [Block]) { self.init(nil, blocks) }

    package init(_ heading: PageText?, name: String? = nil, isFolded: Bool = false, _ blocks: [Block]) {
      self.heading = heading
      self.name = name
      self.isFolded = isFolded
      self.blocks = blocks
    }
  }

  /// A piece of a section. A terminal shows the blocks of a section without empty lines between them.
  package enum Block: Hashable, Sendable {
    case paragraphs([PageText], Wrapping = .words)
    /// A single line that a terminal does not wrap.
    case line(PageText)
    /// A sentence in the place of content that does not exist.
    case missing(PageText)
    /// A line that explains the marks of the tables below it.
    case legend(PageText)
    case statements([Statement])
    /// Short terms with their values, aligned on a terminal.
    case facts([Fact])
    /// Terms with the sentences that explain them.
    case terms([Fact])
    case list(List)
    case table(PageTable)
    /// One table where there is room for it, otherwise the sections that replace it.
    case fitting(PageTable, above: PageText? = nil, otherwise: [Section])
    case chart(ReportChart)
    /// Commands to run next, each with a few words on its purpose.
    case commands([Command])
    /// Sections inside of a section.
    case sections([Section])
  }

  /// The way in which a terminal breaks a paragraph into lines.
  package enum Wrapping: Hashable, Sendable {
    case words
    /// Lines after the first are indented.
    case hanging
    /// Lines break after commas only.
    case commas
  }

  /// A judgement, which a terminal shows as a color. Markdown shows what is bad in bold.
  package enum Tone: Hashable, Sendable {
    case good
    case warning
    case bad
  }

  /// A term and its value.
  package struct Fact: Hashable, Sendable {
    package var term: String
    package var value: PageText

    package init(_ term: String, _ value: PageText) {
      self.term = term
      self.value = value
    }
  }

  /// Sentences and a list under a title, such as a judgement with its reasons.
  package struct Statement: Hashable, Sendable {
    /// The judgement, or nil for a statement that is not one.
    package var tone: Tone?
    package var title: String
    package var sentences: [String]
    package var items: [String] = []

    /// The statement as a list, for formats that have no form of their own for it.
    var list: List {
      let title: PageText = tone.map { tone -> PageText in "\(self.title, tone)" } ?? PageText(self.title)
      let text = sentences.isEmpty ? "" : " " + sentences.joined(separator: " ")
      return List("\(title):\(text)", items.map { Item(PageText($0)) })
    }
  }

  /// A list with bullets or numbers, indented on a terminal.
  package struct List: Hashable, Sendable {
    package var title: PageText?
    package var items: [Item]
    /// True if lines break after commas only, which keeps a figure and its unit on one line.
    package var breaksAtCommas: Bool
    package var isNumbered: Bool

    package init(_ title: PageText?, _ items: [Item], breaksAtCommas: Bool = false, isNumbered: Bool = false) {
      self.title = title
      self.items = items
      self.breaksAtCommas = breaksAtCommas
      self.isNumbered = isNumbered
    }
  }

  /// An item of a list, and a command that shows more of it.
  package struct Item: Hashable, Sendable {
    package var text: PageText
    package var command: String?

    package init(_ text: PageText, command: String? = nil) {
      self.text = text
      self.command = command
    }
  }

  /// A command and its purpose.
  package struct Command: Hashable, Sendable {
    package var purpose: String
    /// The command in parts, such as an option with its value, that HTML keeps on one line where there is room.
    package var parts: [String]

    package init(_ purpose: String, parts: [String]) {
      self.purpose = purpose
      self.parts = parts
    }

    package init(_ purpose: String, command: String) { self.init(purpose, parts: [command]) }

    package var command: String { parts.joined(separator: " ") }
  }
}
