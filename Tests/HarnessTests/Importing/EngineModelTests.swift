import CSQLite
import ContextEngine
import Foundation
import Harness
import MachineLive
import SQLitePersistence
import TestSupport
import Testing
import Workloads

/// The engine's models of data model files.
@Suite struct EngineModelTests {
  private static func document(_ elements: String) throws -> ModelDocument {
    try ModelDocument(text: Data("<model>\n\(elements)\n</model>".utf8), place: "M")
  }

  private func engine(_ elements: String) throws -> EngineModel { try EngineModel(Self.document(elements)) }

  private func error(_ elements: String) throws -> ModelError? {
    let document = try Self.document(elements)
    return #expect(throws: ModelError.self) { try EngineModel(document) }
  }

  // MARK: Honoured

  @Test func `attributes keep their types, defaults, rules and flags`() throws {
    let entity = try engine(
      """
      <entity name="A" elementID="Old">
        <attribute name="i" attributeType="Integer 16" defaultValueString="3" minValueString="-1" maxValueString="9"/>
        <attribute name="s" optional="YES" attributeType="String" defaultValueString="" minValueString="1"
          maxValueString="5" regularExpressionString="[a-z]+" indexed="YES" elementID="t"/>
        <attribute name="d" attributeType="Date" defaultDateTimeInterval="1.5" minDateTimeInterval="0" transient="YES"/>
        <attribute name="b" attributeType="Binary" allowsExternalBinaryDataStorage="YES" preserveAfterDeletion="YES"/>
        <attribute name="n" attributeType="Decimal" defaultValueString="0.1"/>
        <attribute name="f" attributeType="Float" defaultValueString="0.5"/>
        <attribute name="y" attributeType="Boolean" defaultValueString="YES"/>
        <attribute name="u" attributeType="URI" defaultValueString="a:b"/>
        <attribute name="now" attributeType="Date" derived="YES" derivationExpression="now()"/>
      </entity>
      """
    ).model.entity("A")
    let attributes = entity.attributesByName
    #expect(entity.renamingIdentifier == "Old")
    let integer = try #require(attributes["i"])
    #expect(integer.type == .integer16 && integer.defaultValue == .integer(3) && !integer.isOptional)
    #expect(integer.validation == ValidationRules(minimum: .integer(-1), maximum: .integer(9)))
    let string = try #require(attributes["s"])
    #expect(string.isOptional && string.isIndexed && string.defaultValue == .string(""))
    #expect(string.renamingIdentifier == "t")
    #expect(string.validation == ValidationRules(minimumLength: 1, maximumLength: 5, pattern: "[a-z]+"))
    let date = try #require(attributes["d"])
    #expect(date.isTransient && date.defaultValue == .date(1.5) && date.validation.minimum == .date(0))
    let binary = try #require(attributes["b"])
    #expect(binary.allowsExternalBinaryDataStorage && binary.preservesValueInHistoryOnDeletion)
    #expect(attributes["n"]?.defaultValue == .decimal(try #require(Decimal(string: "0.1"))))
    #expect(attributes["f"]?.defaultValue == .double(0.5) && attributes["y"]?.defaultValue == .boolean(true))
    #expect(attributes["u"]?.defaultValue == .uri(try #require(URL(string: "a:b"))))
    #expect(attributes["now"]?.derivationExpression == "now()")
  }

  @Test func `relationships keep their number, order, rule and inverse`() throws {
    let model = try engine(
      """
      <entity name="A">
        <relationship name="bs" optional="YES" toMany="YES" ordered="YES" minCount="1" maxCount="4"
          deletionRule="Cascade" destinationEntity="B" inverseName="a"/>
        <relationship name="peers" toMany="YES" deletionRule="Deny" destinationEntity="A" inverseName="peers"/>
        <relationship name="alone" optional="YES" destinationEntity="B"/>
      </entity>
      <entity name="B">
        <relationship name="a" ordered="YES" minCount="1" maxCount="1" deletionRule="No Action" destinationEntity="A"
          inverseName="bs"/>
      </entity>
      """)
    let relationships = model.model.entity("A").relationshipsByName
    #expect(
      relationships["bs"]
        == RelationshipDescription(
          "bs", to: "B", inverse: "a", isToMany: true, isOrdered: true, deleteRule: .cascade, isOptional: true,
          minCount: 1, maxCount: 4))
    #expect(
      relationships["peers"]
        == RelationshipDescription(
          "peers", to: "A", inverse: "peers", isToMany: true, deleteRule: .deny, isOptional: false))
    #expect(relationships["alone"] == RelationshipDescription("alone", to: "B", inverse: nil))
    #expect(
      model.model.entity("B").relationships
        == [RelationshipDescription("a", to: "A", inverse: "bs", deleteRule: .noAction, isOptional: false)])
    #expect(model.remarks.map(\.description) == ["9: B.a: a to-one relationship has no order"])
  }

  @Test func `inheritance, constraints, configurations and identifiers are those of the document`() throws {
    let document = try ModelDocument(
      text: Data(
        """
        <model userDefinedModelVersionIdentifier="1.4">
        <entity name="Child" parentEntity="Parent"><attribute name="c" attributeType="String"/></entity>
        <entity name="Parent" isAbstract="YES"><attribute name="p" attributeType="UUID"/>
          <uniquenessConstraints><uniquenessConstraint><constraint value="p"/></uniquenessConstraint></uniquenessConstraints>
        </entity>
        <configuration name="Default" usedWithCloudKit="YES"/>
        <configuration name="Local"><memberEntity name="Child"/><memberEntity name="Gone"/></configuration>
        </model>
        """.utf8), place: "M")
    let model = try EngineModel(document).model
    let child = model.entity("Child")
    #expect(child.superentity === model.entity("Parent") && model.entity("Parent").isAbstract)
    #expect(child.uniquenessConstraints == [["p"]] && child.attributes.map(\.name) == ["p", "c"])
    #expect(model.versionIdentifiers == ["1.4"] && model.configurations == ["Local"])
    #expect(model.entities(forConfiguration: "Local").map(\.name) == ["Child"])
  }

  @Test func `indexes keep their order, and those without columns are left out with a remark`() throws {
    let engine = try engine(
      """
      <entity name="A">
        <attribute name="a" attributeType="String"/>
        <attribute name="t" transient="YES" attributeType="String"/>
        <relationship name="r" toMany="YES" destinationEntity="A" inverseName="o"/>
        <relationship name="o" destinationEntity="A" inverseName="r"/>
        <fetchIndex name="down"><fetchIndexElement property="a" order="descending"/><fetchIndexElement property="o"/></fetchIndex>
        <fetchIndex name="many"><fetchIndexElement property="r"/></fetchIndex>
        <fetchIndex name="kept"><fetchIndexElement property="t"/></fetchIndex>
        <fetchIndex name="some" partialIndexPredicate="a != nil"><fetchIndexElement property="a"/></fetchIndex>
        <fetchIndex name="place"><fetchIndexElement property="a" type="RTree"/></fetchIndex>
        <fetchIndex name="lower"><fetchIndexElement expression="lowercase:(a)"/></fetchIndex>
        <fetchIndex name="gone"><fetchIndexElement property="z"/></fetchIndex>
        <fetchIndex name="none"/>
        <fetchIndex name="Down"><fetchIndexElement property="a"/></fetchIndex>
        <fetchIndex name="a b"><fetchIndexElement property="a"/></fetchIndex>
        <compoundIndexes><compoundIndex><index value="o"/><index value="a"/></compoundIndex></compoundIndexes>
      </entity>
      """)
    #expect(
      engine.model.entity("A").fetchIndexes == [
        FetchIndexDescription("down", elements: [.init("a", isAscending: false), .init("o")]),
        FetchIndexDescription("o_a", of: "o", "a"),
      ])
    #expect(
      engine.remarks.map { $0.description.replacingOccurrences(of: "the engine leaves the index out: ", with: "") } == [
        "8: A.many: r has no column", "9: A.kept: t has no column", "10: A.some: it has a predicate",
        "11: A.place: it is of the type RTree", "12: A.lower: it has an expression", "13: A.gone: z has no column",
        "14: A.none: it names no property", "15: A.Down: another index has the same name",
        "16: A.a b: its name is no name of an index in a file",
      ])
  }

  @Test func `transformable values are their bytes, and undefined transient attributes have no column`() throws {
    let entity = try engine(
      """
      <entity name="A">
        <attribute name="t" attributeType="Transformable" valueTransformerName="ColorTransformer"/>
        <attribute name="v" optional="YES" attributeType="Transformable"/>
        <attribute name="x" optional="YES" transient="YES"/>
        <attribute name="y" optional="YES" transient="YES" attributeType="Object ID"/>
      </entity>
      """
    ).model.entity("A")
    let attributes = entity.attributesByName
    let transformer = try #require(attributes["t"]?.valueTransformer)
    #expect(transformer.name == "ColorTransformer")
    #expect(transformer.transformedValue(Data([1, 2])) == Data([1, 2]) && transformer.transformedValue("a") == nil)
    #expect(transformer.reverseTransformedValue(Data([3])) as? Data == Data([3]))
    #expect(attributes["v"]?.valueTransformer?.name == "NSSecureUnarchiveFromData")
    #expect(attributes["x"]?.isTransient == true && attributes["y"]?.isTransient == true)
  }

  @Test func `bounds beyond the range of the type have no effect`() throws {
    let rules = try engine(
      """
      <entity name="A"><attribute name="a" attributeType="Integer 16" minValueString="-99999" maxValueString="99999"/>
      </entity>
      """
    ).model.entity("A").attributes[0].validation
    #expect(rules == .none)
  }

  @Test func `transient relationships are left out if both ends are transient`() throws {
    let engine = try engine(
      """
      <entity name="A">
        <relationship name="x" toMany="YES" transient="YES" destinationEntity="A" inverseName="y"/>
        <relationship name="y" toMany="YES" transient="YES" destinationEntity="A" inverseName="x"/>
      </entity>
      """)
    #expect(engine.model.entity("A").relationships.isEmpty && engine.remarks.count == 2)
    #expect(
      engine.remarks.first?.description
        == "3: A.x: the relationship is transient and has no column; the engine leaves it out")
  }

  // MARK: Refused

  @Test(arguments: [
    (
      "<attribute name=\"a\"/>",
      "M:3: A.a: a stored attribute cannot be of the type Undefined; give it another type or make it transient"
    ),
    (
      "<attribute name=\"a\" attributeType=\"Composite\"/>",
      "M:3: A.a: the engine has no composite attributes; use an attribute for each part"
    ),
    (
      "<attribute name=\"a\" attributeType=\"String\" derived=\"YES\"/>",
      "M:3: A.a: the attribute is derived, but has no expression; give it a derivationExpression"
    ),
    (
      "<attribute name=\"a\" attributeType=\"String\" derived=\"YES\" derivationExpression=\"b ++ c\"/>",
      "M: derived attribute A.a cannot be computed from “b ++ c”: entity A has no property b ++ c"
    ),
    (
      "<attribute name=\"a\" attributeType=\"Integer 16\" minValueString=\"99999\"/>",
      "M:3: A.a: no value of the type Integer 16 satisfies the minimum 99999; use another bound"
    ),
    (
      "<attribute name=\"a\" attributeType=\"Integer 16\" maxValueString=\"-99999\"/>",
      "M:3: A.a: no value of the type Integer 16 satisfies the maximum -99999; use another bound"
    ),
    (
      "<attribute name=\"a) --\" attributeType=\"String\"/>",
      "M:3: A.a) --: the name has a character that a column's name cannot have; use letters, digits and _"
    ),
    (
      "<relationship name=\"r\" transient=\"YES\" destinationEntity=\"A\" inverseName=\"s\"/>"
        + "<relationship name=\"s\" destinationEntity=\"A\" inverseName=\"r\"/>",
      "M:3: A.r: the relationship is transient and its inverse is not; make both transient or neither"
    ),
  ])
  func `a part that the engine does not have throws one line with entity and property`(
    property: String, message: String
  ) throws {
    let error = try error("<entity name=\"A\">\n\(property)\n</entity>")
    #expect(error?.description == message)
    #expect(error?.code == .unsupported)
  }

  @Test func `an inverse on another level of inheritance is refused`() throws {
    let error = try error(
      """
      <entity name="Owner"><relationship name="pets" toMany="YES" destinationEntity="Dog" inverseName="owner"/></entity>
      <entity name="Animal"><relationship name="owner" destinationEntity="Owner" inverseName="pets"/></entity>
      <entity name="Dog" parentEntity="Animal"/>
      """)
    #expect(error?.description.hasPrefix("M:2: Owner.pets: the inverse Animal.owner belongs to another level") == true)
  }

  @Test func `entities whose names would give one table are refused`() throws {
    let error = try error("<entity name=\"Url\"/>\n<entity name=\"URL\"/>")
    #expect(error?.description == "M:3: URL: the entity would have the same table as Url; rename one of them")
    #expect(try self.error("<entity name=\"A;B\"/>")?.field == "A;B")
  }
}
