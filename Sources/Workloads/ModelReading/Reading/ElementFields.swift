import MachineCore

/// The fields of one element: its attributes, read by type.
///
/// Attributes and elements that the vocabulary does not have are noted when the fields are created.
struct ElementFields {
  let element: MarkupElement
  /// The entity or property that the element describes, such as `Car.color`.
  let subject: String
  let notes: ReadingNotes

  init(_ element: MarkupElement, of subject: String, notes: ReadingNotes) {
    self.element = element
    self.subject = subject
    self.notes = notes
    noteUnknownItems()
  }

  var line: Int { element.line }

  /// Returns the child elements with a name.
  func children(_ name: String) -> [MarkupElement] { element.children.filter { $0.name == name } }

  private func noteUnknownItems() {
    let known = ModelVocabulary.elementsByName[element.name]
    func note(_ kind: ModelDocument.UnknownItem.Kind, name: String, value: String, line: Int) {
      notes.add(.init(kind: kind, parent: element.name, name: name, value: value, line: line))
    }
    // The parser gives attributes without an order.
    for (name, value) in element.attributes.sorted(by: { $0.key < $1.key })
    where known?.attributes.contains(name) != true {
      note(.attribute, name: name, value: value, line: element.line)
    }
    if !element.text.isEmpty { note(.text, name: "", value: element.text, line: element.line) }
    for child in element.children where known?.children.contains(child.name) != true {
      let attributes = child.attributes.sorted { $0.key < $1.key }
      note(
        .element, name: child.name, value: attributes.map { "\($0.key)=\"\($0.value)\"" }.joined(separator: " "),
        line: child.line)
    }
  }
}

// MARK: - Errors and remarks

extension ElementFields {
  func error(_ code: ModelError.Code, _ message: String, name: String? = nil) -> ModelError {
    ModelError(code, message, place: notes.place, line: line, field: field(name))
  }

  func remark(_ message: String, name: String? = nil) {
    notes.remark(message, line: line, field: field(name))
  }

  private func field(_ name: String?) -> String {
    let subject = subject.split(separator: ".", omittingEmptySubsequences: false).map { QuotedText.of($0) }
    return (subject + [name].compactMap(\.self)).joined(separator: ".")
  }
}

// MARK: - Values

extension ElementFields {
  /// Returns the text of an attribute, which may be empty, or nil if the attribute is not given.
  func text(_ name: String) -> String? { element.attributes[name] }

  /// Returns the text of an attribute, or nil if the attribute is not given or empty.
  func filledText(_ name: String) -> String? { text(name).flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns the text of an attribute that must be given.
  func required(_ name: String) throws(ModelError) -> String {
    guard let text = filledText(name) else {
      throw error(.missingValue, "the value is missing; give element \(element.name) a \(name)", name: name)
    }
    return text
  }

  /// Returns the value of YES or NO, or nil if the attribute is not given.
  func optionalBoolean(_ name: String) throws(ModelError) -> Bool? {
    guard let text = text(name) else { return nil }
    guard let value = PlainNumber.boolean(text) else {
      throw error(.invalidValue, "\(QuotedText.of(text)) is neither YES nor NO", name: name)
    }
    return value
  }

  /// Returns the value of YES or NO. An attribute that is not given means NO.
  func boolean(_ name: String) throws(ModelError) -> Bool { try optionalBoolean(name) ?? false }

  /// Returns a count, or nil if the attribute is not given or empty.
  func count(_ name: String) throws(ModelError) -> Int? {
    guard let text = filledText(name) else { return nil }
    guard let value = PlainNumber.integer(text), let count = Int(exactly: value), count >= 0 else {
      throw error(.invalidValue, "\(QuotedText.of(text)) is no whole number from 0 upwards", name: name)
    }
    return count
  }

  /// Returns a finite number, or nil if the attribute is not given or empty.
  func number(_ name: String) throws(ModelError) -> Double? {
    guard let text = filledText(name) else { return nil }
    guard let value = PlainNumber.real(text) else {
      throw error(.invalidValue, "\(QuotedText.of(text)) is no number; use digits such as 0 or -1.5", name: name)
    }
    return value
  }

  /// Returns the entries of the element's user info dictionary.
  func userInfo() throws(ModelError) -> [ModelDocument.UserInfoEntry] {
    var entries: [ModelDocument.UserInfoEntry] = []
    for dictionary in children("userInfo") {
      let fields = ElementFields(dictionary, of: subject, notes: notes)
      for entry in fields.children("entry") {
        let fields = ElementFields(entry, of: subject, notes: notes)
        guard let key = fields.text("key") else {
          throw fields.error(.missingValue, "the value is missing; give element entry a key", name: "key")
        }
        entries.append(.init(key: key, value: fields.text("value") ?? ""))
      }
    }
    return entries
  }
}
