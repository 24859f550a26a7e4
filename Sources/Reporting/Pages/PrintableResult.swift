import MachineCore

/// A result that can be printed. It says once what it shows, and the text of each format is made from that:
///
/// ```swift
/// struct Answer: PrintableResult {
///   static let formats: [OutputFormat] = [.text, .markdown, .json]
///   let stack: String
///
///   var json: any Encodable { ["stack": stack] }
///
///   func pages(for format: OutputFormat) -> [Page] {
///     [Page(sections: [.init([.paragraphs(["The best stack is \(stack)."])])])]
///   }
/// }
///
/// let markdown = try Answer(stack: "three-tier").text(.markdown)
/// ```
package protocol PrintableResult {
  /// The formats of such a result, in the order in which messages list them.
  static var formats: [OutputFormat] { get }
  /// The level of titles in Markdown.
  static var titleLevel: Int { get }
  /// The lines below the pages, which are neither wrapped nor escaped.
  var notes: [String] { get }
  /// The value that JSON shows.
  var json: any Encodable { get }

  /// Returns the pages that text or Markdown shows.
  func pages(for format: OutputFormat) -> [Page]

  /// Returns the text of a format other than text, Markdown and JSON.
  func otherText(_ format: OutputFormat) throws -> String
}

extension PrintableResult {
  package static var titleLevel: Int { 3 }
  package var notes: [String] { [] }

  package func otherText(_ format: OutputFormat) throws -> String {
    trapMisuse("\(Self.self) cannot be printed as \(format.rawValue); it has \(Self.formats.map(\.rawValue)).")
  }

  /// Returns the result in one of its formats.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - style: The form of plain text. The other formats have no colours, and lines of any length.
  /// - Returns: A text that ends with a line break.
  /// - Throws: `EncodingError` if a value cannot be encoded as JSON.
  package func text(_ format: OutputFormat, style: TextStyle = TextStyle()) throws -> String {
    switch format {
    case .text: joined(format) { TerminalPage($0, usesColour: style.usesColour, width: style.width).text }
    case .markdown: joined(format) { MarkdownPage($0, level: Self.titleLevel).text }
    case .json: try JSONText.text(of: json)
    default: try otherText(format)
    }
  }

  private func joined(_ format: OutputFormat, text: (Page) -> String) -> String {
    let notes = notes.map { $0 + "\n" }.joined()
    return (pages(for: format).map(text) + (notes.isEmpty ? [] : [notes])).joined(separator: "\n")
  }
}
