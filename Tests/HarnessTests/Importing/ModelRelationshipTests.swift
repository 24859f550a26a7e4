import Testing
import Workloads

/// Relationships of generated rows, imported into stores. The engine refuses a save that violates the model.
@Suite struct ModelRelationshipTests {
  /// Models with a minimum at either end of a relationship.
  private static let minimums = [
    // The minimum is at the end that is not carried, so the rows at the other end must follow.
    """
    <entity name="Team"><attribute name="code" attributeType="String"/>
      <relationship name="players" toMany="YES" minCount="2" destinationEntity="Player" inverseName="team"/>
      <relationship name="coaches" optional="YES" toMany="YES" minCount="2" destinationEntity="Coach" inverseName="team"/>
    </entity>
    <entity name="Player"><attribute name="code" attributeType="String"/>
      <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="players"/></entity>
    <entity name="Coach"><attribute name="code" attributeType="String"/>
      <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="coaches"/></entity>
    """,
    // The minimum is at both ends of a relationship to the entity itself.
    """
    <entity name="Client"><attribute name="code" attributeType="String"/>
      <relationship name="trusted" toMany="YES" minCount="2" destinationEntity="Client" inverseName="trustedBy"/>
      <relationship name="trustedBy" toMany="YES" minCount="2" destinationEntity="Client" inverseName="trusted"/></entity>
    """,
    // The minimum is at the end of a tree's leaves, which therefore link to each other.
    """
    <entity name="Node"><attribute name="code" attributeType="String"/>
      <relationship name="parent" maxCount="1" destinationEntity="Node" inverseName="children"/>
      <relationship name="children" toMany="YES" minCount="1" destinationEntity="Node" inverseName="parent"/></entity>
    """,
    // The minimum is at the only end of relationships that are their own inverses.
    """
    <entity name="Person"><attribute name="code" attributeType="String"/>
      <relationship name="spouse" maxCount="1" destinationEntity="Person" inverseName="spouse"/>
      <relationship name="friends" toMany="YES" minCount="2" maxCount="4" destinationEntity="Person" \
    inverseName="friends"/>
      <relationship name="rivals" optional="YES" toMany="YES" minCount="2" destinationEntity="Person" \
    inverseName="rivals"/></entity>
    """,
    // The minimum is at both ends of a relationship that rows of the first entity carry.
    """
    <entity name="Club"><attribute name="code" attributeType="String"/>
      <relationship name="tags" toMany="YES" minCount="3" destinationEntity="Tag" inverseName="clubs"/></entity>
    <entity name="Tag"><attribute name="code" attributeType="String"/>
      <relationship name="clubs" toMany="YES" minCount="3" maxCount="9" destinationEntity="Club" inverseName="tags"/>
    </entity>
    """,
  ]

  @Test(arguments: minimums, [1, 2, 3, 4])
  func `rows have the least number of targets after deletions, or none if that is allowed`(
    _ entities: String, seed: UInt64
  ) throws {
    #expect(try GeneratedRows.complaints(entities, mix: "50:20:30", rows: 100, seed: seed) == [])
  }

  @Test func `a to-many relationship that is not optional needs no row without a minimum`() throws {
    let text = """
      <entity name="Shelf"><attribute name="code" attributeType="String"/>
        <relationship name="books" toMany="YES" destinationEntity="Book" inverseName="shelf"/>
        <relationship name="next" toMany="YES" destinationEntity="Shelf" inverseName="previous"/>
        <relationship name="previous" toMany="YES" destinationEntity="Shelf" inverseName="next"/></entity>
      <entity name="Book"><attribute name="code" attributeType="String"/>
        <relationship name="shelf" optional="YES" maxCount="1" destinationEntity="Shelf" inverseName="books"/></entity>
      """
    #expect(try GeneratedRows.complaints(text) == [])
    try GeneratedRows.withArchive(text) { archive in
      let shelf = try #require(archive.schema.entities[0].lists.map(\.name) == ["next"] ? 0 : nil)
      #expect(try archive.answer().tables[shelf].rows.contains { $0.lists[0].isEmpty })
    }
  }

  @Test(arguments: [1, 2, 3])
  func `relationships of one name in several entities are told apart`(seed: UInt64) throws {
    let text = """
      <entity name="Form"><attribute name="code" attributeType="String"/>
        <relationship name="plan" optional="YES" maxCount="1" destinationEntity="Plan" inverseName="form"/></entity>
      <entity name="Item"><attribute name="code" attributeType="String"/>
        <relationship name="plan" maxCount="1" destinationEntity="Plan" inverseName="items"/></entity>
      <entity name="Plan"><attribute name="code" attributeType="String"/>
        <relationship name="form" maxCount="1" deletionRule="Cascade" destinationEntity="Form" inverseName="plan"/>
        <relationship name="items" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Item" \
      inverseName="plan"/></entity>
      """
    #expect(try GeneratedRows.complaints(text, mix: "60:20:20", seed: seed) == [])
  }

  @Test func `entities that inherit a relationship share its targets`() throws {
    let text = """
      <entity name="Pet" isAbstract="YES"><attribute name="code" attributeType="String"/>
        <relationship name="toys" optional="YES" toMany="YES" ordered="YES" destinationEntity="Toy" inverseName="pet"/>
        <relationship name="friends" optional="YES" toMany="YES" destinationEntity="Pet" inverseName="friends"/></entity>
      <entity name="Dog" parentEntity="Pet">
        <relationship name="kennel" optional="YES" maxCount="1" destinationEntity="Toy"/></entity>
      <entity name="Cat" parentEntity="Pet"/>
      <entity name="Toy"><attribute name="code" attributeType="String"/>
        <relationship name="pet" optional="YES" maxCount="1" destinationEntity="Pet" inverseName="toys"/></entity>
      """
    #expect(try GeneratedRows.complaints(text) == [])
  }

  @Test func `an ordered relationship that is its own inverse keeps its order in updates with the same members`() throws
  {
    let text = """
      <entity name="Remark"><attribute name="code" attributeType="String"/>
        <relationship name="peers" optional="YES" toMany="YES" ordered="YES" destinationEntity="Remark" \
      inverseName="peers"/></entity>
      """
    #expect(try GeneratedRows.complaints(text, mix: "20:80:0") == [])
  }
}
