import Foundation
import Testing
import Workloads

/// The attributes of entities: types, values and flags.
@Suite struct AttributeTests {
  private typealias Value = ModelDocument.Value

  @Test(arguments: ModelDocument.AttributeType.allCases)
  func `each type is read by its name`(type: ModelDocument.AttributeType) throws {
    #expect(try ModelText.attribute("attributeType=\"\(type.rawValue)\"").type == type)
  }

  @Test func `an attribute without a type is undefined, and other names of types are known`() throws {
    #expect(try ModelText.attribute("transient=\"YES\"").type == .undefined)
    #expect(try ModelText.attribute("attributeType=\"ObjectID\"").type == .objectID)
    #expect(try ModelText.attribute("attributeType=\"Binary Data\"").type == .value(.binary))
  }

  @Test(arguments: [
    ("Integer 16", "-32768", Value.integer(-32_768)), ("Integer 32", "7", .integer(7)),
    ("Integer 64", "9223372036854775807", .integer(.max)), ("Integer 32", "0.0", .integer(0)),
    ("Double", "1e3", .real(1_000)), ("Float", "-0.5", .real(-0.5)), ("Boolean", "YES", .boolean(true)),
    ("Boolean", "false", .boolean(false)), ("Boolean", "1", .boolean(true)), ("String", "", .string("")),
    ("String", "a &lt; b", .string("a < b")),
  ])
  func `a default value is read by its type`(type: String, text: String, value: ModelDocument.Value) throws {
    let attribute = try ModelText.attribute("attributeType=\"\(type)\" defaultValueString=\"\(text)\"")
    #expect(attribute.defaultValue == value)
  }

  @Test func `defaults of decimals, dates, UUIDs and URIs are exact`() throws {
    let decimal = try ModelText.attribute("attributeType=\"Decimal\" defaultValueString=\"123456789012345678.25\"")
    #expect(decimal.defaultValue == .decimal(try #require(Decimal(string: "123456789012345678.25"))))
    let date = try ModelText.attribute("attributeType=\"Date\" defaultDateTimeInterval=\"-978307200.5\"")
    #expect(date.defaultValue == .date(-978_307_200.5))
    let id = try #require(UUID(uuidString: "3F2504E0-4F89-11D3-9A0C-0305E82C3301"))
    #expect(
      try ModelText.attribute("attributeType=\"UUID\" defaultValueString=\"\(id)\"").defaultValue == .uuid(id))
    let uri = try ModelText.attribute("attributeType=\"URI\" defaultValueString=\"https://example.com/a?b\"")
    #expect(uri.defaultValue == .uri(try #require(URL(string: "https://example.com/a?b"))))
  }

  @Test func `bounds are numbers, dates or lengths, by the type`() throws {
    let number = try ModelText.attribute("attributeType=\"Integer 16\" minValueString=\"-1\" maxValueString=\"99999\"")
    #expect(number.minimum == .integer(-1) && number.maximum == .integer(99_999))
    let date = try ModelText.attribute(
      "attributeType=\"Date\" minDateTimeInterval=\"0\" maxDateTimeInterval=\"120.5\"")
    #expect(date.minimum == .date(0) && date.maximum == .date(120.5))
    let text = try ModelText.attribute(
      "attributeType=\"String\" minValueString=\"1\" maxValueString=\"8\" regularExpressionString=\"[a-z]+\"")
    #expect(text.minimumLength == 1 && text.maximumLength == 8 && text.regularExpression == "[a-z]+")
    #expect(text.minimum == nil && text.maximum == nil)
  }

  @Test func `all flags and names of an attribute are read`() throws {
    let flags = [
      "optional", "transient", "derived", "allowsExternalBinaryDataStorage", "preserveAfterDeletion", "indexed",
      "spotlightIndexingEnabled", "storedInTruthFile", "allowsCloudEncryption", "ephemeral", "syncable",
      "usesScalarValueType",
    ]
    let attribute = try #require(
      try ModelText.entity(
        """
        <attribute name="a" attributeType="Transformable" valueTransformerName="T" customClassName="[String]"
          derivationExpression="now()" versionHashModifier="2" elementID="old"
          \(flags.map { "\($0)=\"YES\"" }.joined(separator: " "))>
          <userInfo><entry key="k" value="v"/><entry key="l"/></userInfo>
        </attribute>
        """
      ).attributes.first)
    #expect(attribute.isOptional && attribute.isTransient && attribute.isDerived && attribute.allowsExternalStorage)
    #expect(attribute.preservesValueAfterDeletion && attribute.isIndexed && attribute.isIndexedBySpotlight)
    #expect(attribute.isStoredInTruthFile && attribute.allowsCloudEncryption && attribute.isEphemeral)
    #expect(attribute.isSyncable == true && attribute.usesScalarType == true)
    #expect(attribute.valueTransformerName == "T" && attribute.customClassName == "[String]")
    #expect(attribute.derivationExpression == "now()" && attribute.versionHashModifier == "2")
    #expect(attribute.renamingIdentifier == "old" && attribute.line == 3)
    #expect(attribute.userInfo.map(\.key) == ["k", "l"] && attribute.userInfo.map(\.value) == ["v", ""])
    let plain = try ModelText.attribute("attributeType=\"String\" renamingIdentifier=\"older\"")
    #expect(!plain.isOptional && plain.isSyncable == nil && plain.renamingIdentifier == "older")
  }

  @Test func `values that are left over from another type are remarked on and have no effect`() throws {
    let document = try ModelText.model(
      """
      <entity name="A">
      <attribute name="a" attributeType="Date" defaultValueString="0"/>
      <attribute name="b" attributeType="Boolean" minValueString="1" defaultValueString="0.0"/>
      <attribute name="c" attributeType="Integer 32" defaultValueString="NO"/>
      <attribute name="d" attributeType="Double" defaultValueString="" regularExpressionString="a"/>
      <attribute name="e" attributeType="Binary" defaultValueString="x"/>
      </entity>
      """)
    let attributes = document.entities[0].attributes
    #expect(attributes.map(\.defaultValue) == [nil, .boolean(false), .integer(0), nil, nil])
    #expect(attributes.allSatisfy { $0.minimum == nil && $0.regularExpression == nil })
    #expect(
      document.remarks.map(\.description) == [
        "3: A.a.defaultValueString: the value has no effect on an attribute of the type Date",
        "4: A.b.minValueString: the value has no effect on an attribute of the type Boolean",
        "4: A.b.defaultValueString: 0.0 is neither YES nor NO and means NO",
        "5: A.c.defaultValueString: NO is no number and means 0",
        "6: A.d.defaultValueString: an empty text is no value of the type Double and has no effect",
        "6: A.d.regularExpressionString: the value has no effect on an attribute of the type Double",
        "7: A.e.defaultValueString: the value has no effect on an attribute of the type Binary",
      ])
  }

  @Test(arguments: [
    ("Integer 16", "40000"), ("Integer 32", "1.5"), ("Integer 64", "now()"), ("Double", "nan"), ("Float", "1e300"),
    ("Decimal", "1.2.3"), ("Boolean", "maybe"), ("UUID", "none"), ("UUID", "1"), ("Date", "today"),
  ])
  func `a default value that is no value of the type is remarked on and has no effect`(
    type: String, text: String
  ) throws {
    let name = type == "Date" ? "defaultDateTimeInterval" : "defaultValueString"
    let document = try ModelText.model(
      "<entity name=\"A\"><attribute name=\"a\" attributeType=\"\(type)\" \(name)=\"\(text)\"/></entity>")
    #expect(document.entities[0].attributes[0].defaultValue == nil)
    #expect(
      document.remarks.map(\.description)
        == ["2: A.a.\(name): \(text) is no value of the type \(type) and has no effect"])
  }

  @Test(arguments: [
    ("attributeType=\"Integer\"", "3: A.a.attributeType: Integer is no attribute type; use one of Undefined, "),
    ("attributeType=\"Integer 64\" minValueString=\"NO\"", "3: A.a.minValueString: NO is no whole number"),
    ("attributeType=\"Float\" maxValueString=\"1e300\"", "3: A.a.maxValueString: 1e300 is no number of the type Float"),
    (
      "attributeType=\"Date\" minDateTimeInterval=\"2\" maxDateTimeInterval=\"1\"",
      "3: A.a.minDateTimeInterval: the minimum is above"
    ),
    (
      "attributeType=\"Integer 16\" minValueString=\"2\" maxValueString=\"1\"",
      "3: A.a.minValueString: the minimum is above"
    ),
    ("attributeType=\"String\" minValueString=\"-1\"", "3: A.a.minValueString: -1 is no whole number from 0 upwards"),
    (
      "attributeType=\"String\" minValueString=\"3\" maxValueString=\"2\"",
      "3: A.a.minValueString: the minimum length 3 is above"
    ),
    (
      "attributeType=\"String\" regularExpressionString=\"[a\"",
      "3: A.a.regularExpressionString: [a is no regular expression"
    ),
    ("attributeType=\"String\" optional=\"perhaps\"", "3: A.a.optional: perhaps is neither YES nor NO"),
  ])
  func `an invalid value throws one line with line and field`(attributes: String, message: String) {
    let error = ModelText.error { _ = try ModelText.attribute(attributes) }
    #expect(error.hasPrefix(message), "\(error)")
  }
}
