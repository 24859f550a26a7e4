import Foundation
import FoundationXML
import MachineCore

/// A parser that turns an XML text into a tree of elements with their lines.
final class MarkupParser: NSObject, XMLParserDelegate {
  private let place: String
  private let lines: [Int]
  private var root: MarkupElement?
  private var open: [MarkupElement] = []
  private var elementCount = 0
  private var failure: ModelError?

  /// The greatest number of levels of elements. The models that Xcode writes have five.
  private static let depthLimit = 64
  /// The greatest number of elements. A model file of the largest size has fewer, unless they are empty.
  private static let elementLimit = 500_000

  private init(place: String, lines: [Int]) {
    self.place = place
    self.lines = lines
  }

  /// Parses an XML text.
  ///
  /// - Parameters:
  ///   - text: The bytes of the file.
  ///   - place: The file, as errors name it.
  /// - Returns: The root element.
  /// - Throws: `ModelError` with the line if the text is not well-formed, declares a document type, has an instruction
  ///   without text, or has too many levels or elements.
  static func root(of text: Data, place: String) throws(ModelError) -> MarkupElement {
    try MarkupProlog.check(text, place: place)
    let tags = TagLines(text)
    if let line = tags.declaration { throw MarkupProlog.declaration(place: place, line: line) }
    // `XMLParser` reads the missing text of such an instruction at address 0.
    if let line = tags.bareInstruction {
      throw ModelError(
        .refusedFile, "a processing instruction has only a name; remove it, since no data model has one", place: place,
        line: line)
    }
    let delegate = MarkupParser(place: place, lines: tags.lines)
    let parser = XMLParser(data: text)
    parser.delegate = delegate
    _ = parser.parse()
    if let failure = delegate.failure { throw failure }
    guard delegate.open.isEmpty, let root = delegate.root else {
      throw ModelError(.malformedText, "not XML: the text ends inside an element", place: place)
    }
    return root
  }

  private func fail(_ parser: XMLParser, _ code: ModelError.Code, _ message: String, line: Int? = nil) {
    guard failure == nil else { return }
    failure = ModelError(code, message, place: place, line: line ?? max(parser.lineNumber, 1))
    parser.abortParsing()
  }
}

// MARK: - XMLParserDelegate

extension MarkupParser {
  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    guard failure == nil else { return }
    let line = elementCount < lines.count ? lines[elementCount] : parser.lineNumber
    elementCount += 1
    guard open.count < Self.depthLimit else {
      fail(
        parser, .refusedFile,
        "element \(QuotedText.of(name)) lies more than \(Self.depthLimit) levels deep; a model has fewer levels",
        line: line)
      return
    }
    guard elementCount <= Self.elementLimit else {
      fail(parser, .refusedFile, "the file has more than \(Self.elementLimit) elements; a model has fewer", line: line)
      return
    }
    let element = MarkupElement(name, attributes: attributes, line: line)
    if let parent = open.last { parent.append(element) } else { root = element }
    open.append(element)
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    if failure == nil { _ = open.popLast() }
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    guard failure == nil, text.contains(where: { !$0.isWhitespace }) else { return }
    open.last?.append(text.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    if failure == nil { open.last?.append(String(decoding: block, as: UTF8.self)) }
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    let code = (error as NSError).code
    // Names with a colon are allowed: a model has no namespaces.
    guard !(200...205).contains(code) else { return }
    fail(parser, .malformedText, "not XML: \(reason(code))")
  }

  /// Returns what is wrong for one of the error codes of libxml2.
  private func reason(_ code: Int) -> String {
    let inside = open.last.map { " of element \($0.name), which begins in line \($0.line)" } ?? ""
    // The parser reads no text, comment or value of more than 10,000,000 bytes, and no name of more than 50,000.
    return switch code {
    case 1: "a text has more than 10000000 bytes; a model has short texts"
    case 110: "a name has more than 50000 bytes; a model has short names"
    case 45: "a comment has no end, or more than 10000000 bytes"
    case 40: "an attribute's value has no quote at its end, or more than 10000000 bytes"
    case 5, 77:
      open.isEmpty
        ? "there is text after the end of the first element"
        : "the text ends before the end tag\(inside)"
    case 76: "the end tag is not the one\(inside)"
    case 9: "a character is not allowed"
    case 26, 27: "an entity is not declared"
    case 38: "a value contains <; write &lt;"
    case 39, 41: "an attribute has no value in quotes"
    case 42: "an attribute is given twice in one element"
    case 23, 68: "an & or a < is not the beginning of an entity or an element"
    case 65, 73: "a tag is not closed, or its attributes are not separated by spaces"
    case 80: "two hyphens are inside a comment"
    default: "the parser of XML reports error \(code)"
    }
  }
}
