import Foundation
import Testing
import Workloads

/// The XML text of models: damaged, hostile and unusual files.
@Suite struct MarkupTests {
  @Test(arguments: [
    ("", "the file is empty; use the XML text of a data model"),
    (" \n ", "the file is empty; use the XML text of a data model"),
    ("entity,name\nCar,1", "1: the text is not XML, which begins with <; use the XML text of a data model"),
    ("<?xml version=\"1.0\"?>\n", "the text has no element; use the XML text of a data model"),
    ("<plist/>", "1: the first element is plist; a data model begins with model"),
    ("<model>\n<entity>\n</model>", "3: not XML: the end tag is not the one of element entity, which begins in line 2"),
    (
      "<model>\n<entity name=\"A\">\n",
      "2: not XML: the text ends before the end tag of element entity, which begins in line 2"
    ),
    ("<model>\n<entity name=\"A\" name=\"B\"/></model>", "2: not XML: an attribute is given twice in one element"),
    ("<model>\n<entity name=A/></model>", "2: not XML: an attribute has no value in quotes"),
    ("<model>\n&nbsp;</model>", "2: not XML: an entity is not declared"),
    ("<model/>\n<model/>", "2: not XML: there is text after the end of the first element"),
    ("<!-- a\n b", "1: the text ends before -->, which closes what begins here"),
    (
      "<?xml version=\"1.0\" encoding=\"UTF-7\"?><model/>",
      "1: the encoding UTF-7 is not supported; save the text as UTF-8"
    ),
  ])
  func `a text that is no model throws one line`(text: String, message: String) {
    #expect(ModelText.error { _ = try ModelText.document(text) } == message)
  }

  @Test(arguments: [
    ("<@/>", 50_001, "a name has more than 50000 bytes; a model has short names"),
    ("<entity name=\"@\"/>", 10_000_001, "an attribute's value has no quote at its end, or more than 10000000 bytes"),
    ("<!--@-->", 10_000_001, "a comment has no end, or more than 10000000 bytes"),
    ("<entity>@</entity>", 10_000_001, "a text has more than 10000000 bytes; a model has short texts"),
  ])
  func `a part that is too long for the parser is named`(text: String, count: Int, message: String) {
    let long = text.replacing("@", with: String(repeating: "n", count: count))
    let error = ModelText.error { _ = try ModelText.document("<model>\(long)</model>") }
    #expect(error == "1: not XML: \(message)")
  }

  @Test(arguments: [
    ("<!DOCTYPE model>\n<model/>", 1),
    ("<?xml version=\"1.0\"?>\n<!-- x\n-->\n<!DOCTYPE m [<!ENTITY a \"b\">]><model/>", 4),
    ("<model>\n<!ENTITY a \"b\">\n</model>", 2), ("<!doctype model><model/>", 1),
  ])
  func `a document type or an entity is refused with its line`(text: String, line: Int) {
    let error = #expect(throws: ModelError.self) { try ModelText.document(text) }
    #expect(error?.code == .refusedFile && error?.line == line)
    #expect(
      error?.message == "a document type or an entity is declared; remove the declaration, which no data model has")
  }

  /// Foundation's parser crashes on such an instruction.
  @Test(arguments: [
    ("<?name?>\n<model/>", 1), ("<model>\n<entity name=\"A\"/><?n?></model>", 2), ("<model/>\n\n<?n", 3),
  ])
  func `an instruction without text is refused with its line`(text: String, line: Int) {
    let error = ModelText.error { _ = try ModelText.document(text) }
    #expect(error == "\(line): a processing instruction has only a name; remove it, since no data model has one")
  }

  @Test func `comments, instructions and CDATA may contain a document type`() throws {
    let text =
      "<!-- <!DOCTYPE a> --><?p <!ENTITY a?><model><!-- <!ENTITY a> --><entity name=\"A\"><![CDATA[<!DOCTYPE]]></entity></model>"
    let document = try ModelText.document(text)
    #expect(document.entities.count == 1)
    #expect(document.unknownItems.map(\.value) == ["<!DOCTYPE"])
  }

  @Test func `10,000 levels of elements are refused with their line`() {
    let text = "<model>\n" + String(repeating: "<a>", count: 10_000)
    let error = ModelText.error { _ = try ModelText.document(text) }
    #expect(error == "2: element a lies more than 64 levels deep; a model has fewer levels")
  }

  @Test func `other encodings than UTF-8 are refused`() {
    for bytes: [UInt8] in [[0xff, 0xfe, 0x3c, 0x00], [0xfe, 0xff, 0x00, 0x3c]] {
      let error = #expect(throws: ModelError.self) { try ModelDocument(text: Data(bytes), place: "a") }
      #expect(error?.description == "a: the text is UTF-16 or UTF-32; save it as UTF-8")
    }
    let latin = Data("<model>\n".utf8) + [0xe9] + Data("</model>".utf8)
    let error = #expect(throws: ModelError.self) { try ModelDocument(text: latin, place: "a") }
    #expect(error?.description == "a:2: the text is not UTF-8; save it as UTF-8")
  }

  @Test func `a binary property list is an old model`() {
    let error = #expect(throws: ModelError.self) { try ModelDocument(text: Data("bplist00abc".utf8), place: "a") }
    #expect(error?.code == .binaryModel)
    #expect(error?.description.hasSuffix("from before Xcode 4; open it in Xcode 4 or newer and save it") == true)
  }

  @Test func `lines are those in which elements begin, behind a byte order mark and in tags of several lines`() throws {
    let document = try ModelText.document(
      "\u{FEFF}<?xml version=\"1.0\" encoding=\"utf-8\" standalone='yes'?>\n<!-- > -->\n<model\n name='a>b'>\n<entity\n\n name='A'/><entity name='B'/>\n</model>\n"
    )
    #expect(document.entities.map(\.line) == [5, 7])
    #expect(document.header.name == "a>b")
  }

  @Test func `any prefix of a model throws or is the model itself`() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?><model><entity name="A"><attribute name="a" attributeType="String"/>
      <!-- c --><userInfo><entry key="k" value="&amp;"/></userInfo></entity></model>
      """
    for count in 0..<text.utf8.count {
      #expect(throws: ModelError.self) {
        try ModelText.document(String(decoding: text.utf8.prefix(count), as: UTF8.self))
      }
    }
    #expect(try ModelText.document(text).entities.count == 1)
  }

  @Test func `an error is one line, whatever the file contains`() {
    let error = ModelText.error {
      _ = try ModelText.model("<entity name=\"A&#10;B\" parentEntity=\"\(String(repeating: "x", count: 500))&#13;\"/>")
    }
    #expect(!error.contains { $0.isNewline } && error.count < 200)
  }
}
