import Testing
import Workloads

/// The relationships of entities: number, order, rules and inverses.
@Suite struct RelationshipTests {
  private func relationships(_ elements: String) throws -> [ModelDocument.Relationship] {
    try ModelText.model("<entity name=\"A\">\n\(elements)\n</entity>\n<entity name=\"B\"/>").entities[0].relationships
  }

  @Test func `a relationship is to-one unless it is marked as to-many`() throws {
    let all = try relationships(
      """
      <relationship name="a" destinationEntity="B" optional="YES" minCount="1" maxCount="1"/>
      <relationship name="b" destinationEntity="B" toMany="YES" ordered="YES" minCount="2" maxCount="12"/>
      <relationship name="c" destinationEntity="B" toMany="YES"/>
      <relationship name="d" destinationEntity="B"/>
      """)
    #expect(all.map(\.isToMany) == [false, true, true, false])
    #expect(all.map(\.isOrdered) == [false, true, false, false])
    #expect(all.map(\.minCount) == [1, 2, 0, 0])
    #expect(all.map(\.maxCount) == [1, 12, 0, 1])
    #expect(all.map(\.isOptional) == [true, false, false, false])
  }

  @Test(arguments: ModelDocument.DeletionRule.allCases)
  func `each deletion rule is read by its name`(rule: ModelDocument.DeletionRule) throws {
    let text = "<relationship name=\"a\" destinationEntity=\"B\" deletionRule=\"\(rule.rawValue)\"/>"
    #expect(try relationships(text).map(\.deletionRule) == [rule])
    #expect(try relationships("<relationship name=\"a\" destinationEntity=\"B\"/>")[0].deletionRule == .nullify)
  }

  @Test func `all flags and names of a relationship are read`() throws {
    let relationship = try relationships(
      """
      <relationship name="a" destinationEntity="B" transient="YES" indexed="YES" spotlightIndexingEnabled="YES"
        storedInTruthFile="YES" syncable="YES" elementID="old" versionHashModifier="1">
        <userInfo><entry key="k" value="v"/></userInfo>
      </relationship>
      """)[0]
    #expect(relationship.isTransient && relationship.isIndexed && relationship.isIndexedBySpotlight)
    #expect(relationship.isStoredInTruthFile && relationship.isSyncable == true)
    #expect(relationship.renamingIdentifier == "old" && relationship.versionHashModifier == "1")
    #expect(relationship.userInfo.count == 1 && relationship.inverse == nil)
  }

  @Test func `inverses may lead to the same relationship, the same entity or another level of inheritance`() throws {
    let document = try ModelText.model(
      """
      <entity name="Person">
        <relationship name="friends" toMany="YES" destinationEntity="Person" inverseName="friends" inverseEntity="Person"/>
        <relationship name="boss" destinationEntity="Person" inverseName="staff"/>
        <relationship name="staff" toMany="YES" destinationEntity="Person" inverseName="boss"/>
        <relationship name="pets" toMany="YES" destinationEntity="Dog" inverseName="owner" inverseEntity="Animal"/>
      </entity>
      <entity name="Animal">
        <relationship name="owner" destinationEntity="Person" inverseName="pets" inverseEntity="Person"/>
      </entity>
      <entity name="Dog" parentEntity="Animal"/>
      """)
    #expect(document.entities[0].relationships.map(\.inverse) == ["friends", "staff", "boss", "owner"])
    #expect(document.remarks.isEmpty)
  }

  @Test func `counts and orders without a meaning are remarked on`() throws {
    let document = try ModelText.model(
      "<entity name=\"A\"><relationship name=\"r\" destinationEntity=\"A\" maxCount=\"3\" inverseEntity=\"A\"/></entity>"
    )
    #expect(document.entities[0].relationships[0].maxCount == 1)
    #expect(
      document.remarks.map(\.description) == [
        "2: A.r.maxCount: a to-one relationship leads to one object at most; 3 has no effect",
        "2: A.r.inverseEntity: the entity of the inverse has no effect without inverseName",
      ])
  }

  @Test(arguments: [
    ("name=\"r\"", "", "3: A.r.destinationEntity: the value is missing; give element relationship a destinationEntity"),
    ("name=\"r\" destinationEntity=\"C\"", "", "3: A.r.destinationEntity: there is no entity C"),
    (
      "name=\"r\" destinationEntity=\"B\" inverseName=\"s\"", "", "3: A.r.inverseName: there is no relationship B.s"
    ),
    (
      "name=\"r\" destinationEntity=\"B\" inverseName=\"s\" inverseEntity=\"C\"", "",
      "3: A.r.inverseEntity: there is no entity C"
    ),
    (
      "name=\"r\" destinationEntity=\"B\" inverseName=\"s\" inverseEntity=\"A\"", "",
      "3: A.r.inverseEntity: the inverse belongs to A, but the destination is B"
    ),
    (
      "name=\"r\" destinationEntity=\"B\" inverseName=\"s\"", "destinationEntity=\"A\"",
      "3: A.r.inverseName: B.s names no relationship as its inverse, not this relationship"
    ),
    (
      "name=\"r\" destinationEntity=\"B\" inverseName=\"s\"", "destinationEntity=\"A\" inverseName=\"x\"",
      "3: A.r.inverseName: B.s names x as its inverse, not this relationship"
    ),
    (
      "name=\"r\" destinationEntity=\"B\" inverseName=\"s\"", "destinationEntity=\"B\" inverseName=\"r\"",
      "3: A.r.inverseName: B.s leads to B, not to this entity"
    ),
    (
      "name=\"r\" destinationEntity=\"B\" deletionRule=\"Drop\"", "",
      "3: A.r.deletionRule: Drop is no deletion rule; use one of Nullify, Cascade, Deny, No Action"
    ),
    (
      "name=\"r\" destinationEntity=\"B\" toMany=\"YES\" minCount=\"3\" maxCount=\"2\"", "",
      "3: A.r.minCount: 3 is above the maxCount 2"
    ),
    ("destinationEntity=\"B\"", "", "3: A.name: the value is missing; give element relationship a name"),
  ])
  func `an error of a relationship is one line with line and field`(near: String, far: String, message: String) {
    let back = far.isEmpty ? "" : "<relationship name=\"s\" \(far)/>"
    let text = "<entity name=\"A\">\n<relationship \(near)/>\n</entity>\n<entity name=\"B\">\(back)</entity>"
    #expect(ModelText.error { _ = try ModelText.model(text) } == message)
  }
}
