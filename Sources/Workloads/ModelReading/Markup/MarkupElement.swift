/// An element of an XML text, with the line in which it begins.
final class MarkupElement {
  let name: String
  let attributes: [String: String]
  /// The number of the line in which the element begins, counted from 1.
  let line: Int
  private(set) var children: [MarkupElement] = []
  /// The text between the element's children, without white space around it.
  private(set) var text = ""

  init(_ name: String, attributes: [String: String], line: Int) {
    self.name = name
    self.attributes = attributes
    self.line = line
  }

  /// Appends an element that lies directly in this one.
  func append(_ child: MarkupElement) { children.append(child) }

  /// Appends text that lies directly in this element.
  func append(_ text: some StringProtocol) { self.text += text }
}
