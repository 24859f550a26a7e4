import Foundation
import Testing
import Workloads

/// The figures and the diagram of a model.
@Suite struct ModelSummaryTests {
  private static let text = """
    <entity name="Author" isAbstract="YES">
      <attribute name="name" attributeType="String" defaultValueString=""/>
      <attribute name="born" optional="YES" attributeType="Date" indexed="YES"/>
      <relationship name="books" toMany="YES" ordered="YES" deletionRule="Cascade" destinationEntity="Book" inverseName="author"/>
      <relationship name="friends" toMany="YES" optional="YES" destinationEntity="Author" inverseName="friends"/>
      <uniquenessConstraints>
        <uniquenessConstraint><constraint value="name"/><constraint value="born"/></uniquenessConstraint>
        <uniquenessConstraint><constraint value="name"/></uniquenessConstraint>
      </uniquenessConstraints>
    </entity>
    <entity name="Poet" parentEntity="Author">
      <attribute name="mood" transient="YES" attributeType="String"/>
      <fetchedProperty name="found"/>
    </entity>
    <entity name="Book">
      <attribute name="words" derived="YES" derivationExpression="now()" attributeType="Date"/>
      <relationship name="author" optional="YES" destinationEntity="Author" inverseName="books"/>
      <relationship name="tags" toMany="YES" minCount="2" maxCount="9" destinationEntity="Tag" inverseName="books"/>
      <fetchIndex name="i"><fetchIndexElement property="words"/></fetchIndex>
      <compoundIndexes><compoundIndex><index value="words"/><index value="author"/></compoundIndex></compoundIndexes>
    </entity>
    <entity name="Tag">
      <relationship name="books" toMany="YES" optional="YES" destinationEntity="Book" inverseName="tags"/>
      <relationship name="parent" optional="YES" destinationEntity="Tag" deletionRule="No Action"/>
    </entity>
    <configuration name="C"/><fetchRequest name="R"/><composite name="P"/><future/>
    """

  @Test func `figures count properties once, in the entity that declares them`() throws {
    let summary = ModelSummary(try ModelText.model(Self.text))
    #expect(summary.kind == "model" && summary.versions == 1 && summary.currentVersion == ModelText.place)
    #expect(summary.entities == 4 && summary.rootEntities == 3 && summary.abstractEntities == 1)
    #expect(summary.attributes == 4 && summary.attributeTypes == ["String": 2, "Date": 2])
    #expect(
      summary.transient == 1 && summary.derived == 1 && summary.withDefault == 1 && summary.indexedAttributes == 1)
    #expect(summary.relationships == 6 && summary.toMany == 4 && summary.ordered == 1 && summary.withoutInverse == 1)
    #expect(summary.manyToManyPairs == 2)
    #expect(summary.deletionRules == ["Cascade": 1, "Nullify": 4, "No Action": 1])
    #expect(summary.uniquenessConstraints == 2 && summary.compoundUniqueness == 1)
    #expect(summary.fetchIndexes == 1 && summary.compoundIndexes == 1 && summary.fetchedProperties == 1)
    #expect(summary.fetchRequests == 1 && summary.configurations == 1 && summary.composites == 1)
    #expect(summary.unknownItems == 1 && summary.remarks.count == 1)
  }

  @Test func `a document is the same after it was written as JSON and read again`() throws {
    let document = try ModelText.model(Self.text)
    let copy = try JSONDecoder().decode(ModelDocument.self, from: try JSONEncoder().encode(document))
    #expect(copy == document)
  }

  // MARK: Diagram

  @Test func `a diagram has a record for each entity and an edge for each pair of relationships`() throws {
    let lines = ModelDiagram(try ModelText.model(Self.text)).text.split(separator: "\n").dropFirst(4).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    #expect(
      lines == [
        #"e0 [label="Author (abstract)|name: String\lborn: Date?\l", style=dashed];"#,
        #"e1 [label="Poet|mood: String, transient\l"];"#,
        #"e2 [label="Book|words: Date, derived\l"];"#,
        #"e3 [label="Tag"];"#,
        #"e1 -> e0 [arrowhead=empty];"#,
        #"e0 -> e2 [arrowhead=crow, headlabel="1..* ordered", dir=both, arrowtail=none, taillabel="0..1", label="books / author"];"#,
        #"e0 -> e0 [arrowhead=crow, dir=both, arrowtail=crow, label="friends 0..*"];"#,
        #"e2 -> e3 [arrowhead=crow, headlabel="2..9", dir=both, arrowtail=crow, taillabel="0..*", label="tags / books"];"#,
        #"e3 -> e3 [arrowhead=none, style=dotted, label="parent 0..1"];"#,
        "}",
      ])
  }

  @Test func `names with characters of DOT are quoted`() throws {
    let document = try ModelText.model(
      "<entity name=\"a|{b}&lt;&gt; &quot;\\n&amp;&#10;\"><attribute name=\"x y\" attributeType=\"Double\"/></entity>")
    let text = ModelDiagram(document).text
    #expect(text.contains(#"e0 [label="a\|\{b\}\<\>\ \"\\n&amp;\ |x\ y: Double\l"];"#))
    #expect(text.split(separator: "\n").count == 6)
  }
}
