import Foundation
import Harness
import TestSupport
import Testing
import Workloads

/// Generated rows of models, imported into stores.
@Suite struct ModelRowsTests {
  @Test func `members of an ordered relationship to an abstract entity are found by their key`() throws {
    let text = """
      <entity name="Item" isAbstract="YES"><attribute name="identifier" attributeType="UUID"/>
        <relationship name="parent" optional="YES" maxCount="1" destinationEntity="Folder" inverseName="children"/></entity>
      <entity name="Folder" parentEntity="Item">
        <relationship name="children" optional="YES" toMany="YES" ordered="YES" destinationEntity="Item" inverseName="parent"/>
      </entity>
      <entity name="Note" parentEntity="Item"><attribute name="body" optional="YES" attributeType="String"/></entity>
      """
    #expect(try GeneratedRows.complaints(text) == [])
  }

  @Test func `a relationship that is its own inverse leads back from each target`() throws {
    let text = """
      <entity name="Person"><attribute name="name" attributeType="String"/>
        <relationship name="spouse" optional="YES" maxCount="1" destinationEntity="Person" inverseName="spouse"/>
        <relationship name="friends" optional="YES" toMany="YES" destinationEntity="Person" inverseName="friends"/>
      </entity>
      """
    #expect(try GeneratedRows.complaints(text) == [])
  }

  @Test func `a relationship has no more targets than its largest number, also if its rows are required`() throws {
    let text = """
      <entity name="Team"><attribute name="name" attributeType="String"/>
        <relationship name="players" toMany="YES" minCount="2" maxCount="5" destinationEntity="Player" inverseName="team"/>
      </entity>
      <entity name="Player"><attribute name="name" attributeType="String"/>
        <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="players"/></entity>
      <entity name="Pair"><attribute name="name" attributeType="String"/>
        <relationship name="halves" toMany="YES" ordered="YES" minCount="2" maxCount="2" destinationEntity="Half" \
      inverseName="pair"/></entity>
      <entity name="Half"><attribute name="side" attributeType="String"/>
        <relationship name="pair" maxCount="1" destinationEntity="Pair" inverseName="halves"/></entity>
      """
    #expect(try GeneratedRows.complaints(text) == [])
  }

  @Test func `rows that require each other are made in pairs`() throws {
    let text = """
      <entity name="User"><attribute name="name" attributeType="String"/>
        <relationship name="profile" maxCount="1" destinationEntity="Profile" inverseName="user" deletionRule="Cascade"/>
      </entity>
      <entity name="Profile"><attribute name="bio" optional="YES" attributeType="String"/>
        <relationship name="user" maxCount="1" destinationEntity="User" inverseName="profile"/></entity>
      """
    #expect(try GeneratedRows.complaints(text) == [])
  }

  @Test func `a transient relationship is left out`() throws {
    let text = """
      <entity name="Thing"><attribute name="name" attributeType="String"/>
        <relationship name="other" optional="YES" transient="YES" maxCount="1" destinationEntity="Thing"/></entity>
      """
    #expect(try GeneratedRows.complaints(text) == [])
  }

  @Test func `a required transient attribute needs no value, because the app's classes do not run`() throws {
    let text = """
      <entity name="Thing"><attribute name="name" attributeType="String"/>
        <attribute name="initial" transient="YES" attributeType="String"/></entity>
      """
    #expect(try GeneratedRows.complaints(text) == [])
  }

  @Test func `the user edits no attribute that has a default value`() throws {
    let text = """
      <entity name="Thing"><attribute name="name" attributeType="String"/>
        <attribute name="note" optional="YES" attributeType="String" defaultValueString="none"/>
        <attribute name="remark" optional="YES" attributeType="String"/></entity>
      """
    try GeneratedRows.withArchive(text) { archive in
      #expect(archive.schema.entities[0].editedAttribute?.name == "remark")
    }
    #expect(try GeneratedRows.complaints(text) == [])
  }

  @Test(arguments: [
    "[a-z]+", "^[-_A-Za-z0-9]{1,64}$", #"[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,4}"#, #"(https?|ftp)://\S+"#,
    #"\+?[0-9]{3,4}-\d{4}(-\d+)?"#, #"(?i)#[0-9a-f]{6}"#, #"[^ ]{10,}"#, #"(?=.*\d)(?=.*[a-z]).{8,20}\d"#,
    #"\p{Lu}\p{L}*"#,
  ])
  func `texts with a pattern are generated, also if they are the only key`(_ pattern: String) throws {
    let text = """
      <entity name="Thing">
        <attribute name="code" attributeType="String" regularExpressionString="\(pattern)" maxValueString="40"/></entity>
      """
    #expect(try GeneratedRows.complaints(text) == [])
  }

  @Test(arguments: [#"(a)\1"#, #"[\u0100]"#])
  func `a required attribute with a pattern that has no generated texts is refused`(_ pattern: String) {
    let text = """
      <entity name="Thing"><attribute name="number" attributeType="Integer 64"/>
        <attribute name="code" attributeType="String" regularExpressionString="\(pattern)"/></entity>
      """
    let error = #expect(throws: WorkloadError.self) { try GeneratedRows.complaints(text) }
    #expect(error?.message.contains("\n") == false)
  }

  @Test func `an entity that requires rows without a key has no rows, which a remark says`() throws {
    let text = """
      <entity name="Account"><attribute name="name" attributeType="String" regularExpressionString="[ab]"/></entity>
      <entity name="Payment"><attribute name="number" attributeType="Integer 64"/>
        <relationship name="account" maxCount="1" destinationEntity="Account"/></entity>
      <entity name="Label"><attribute name="text" attributeType="String"/></entity>
      """
    try GeneratedRows.withArchive(text) { archive in
      #expect(
        archive.remarks.contains(
          "no rows are generated for Payment, because Payment.account requires rows that are not generated"))
    }
    #expect(try GeneratedRows.complaints(text) == [])
  }

  @Test func `unique values stay within the limits of the model, and are refused if there are too few`() throws {
    func text(_ largest: Int) -> String {
      """
      <entity name="Day"><attribute name="day" attributeType="Integer 16" minValueString="1" maxValueString="\(largest)"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="day"/></uniquenessConstraint></uniquenessConstraints>
      </entity>
      """
    }
    #expect(try GeneratedRows.complaints(text(1_000)) == [])
    let error = #expect(throws: WorkloadError.self) { try GeneratedRows.complaints(text(7)) }
    #expect(
      error?.message.hasPrefix("the model allows too few different values of Day.day, which must be unique") == true)
  }

  @Test(arguments: [
    #""Integer 16""#, #""Integer 16" maxValueString="-1""#, #""Integer 32" minValueString="-2" maxValueString="600""#,
    #""Date""#, #""Date" minDateTimeInterval="100.5" maxDateTimeInterval="200""#, #""Date" maxDateTimeInterval="0""#,
    #""Decimal" minValueString="0" maxValueString="1""#, #""Double" minValueString="0.5" maxValueString="0.75""#,
    #""Float""#, #""String" maxValueString="2""#,
  ])
  func `an entity whose attributes have few values has rows as far as they reach`(_ type: String) throws {
    let text = #"<entity name="Slot"><attribute name="id" attributeType=\#(type)/></entity>"#
    try GeneratedRows.withArchive(text, mix: "100:0:0") { archive in
      let answer = try archive.answer()
      #expect(answer.tables[0].rows.count == 400)
    }
    #expect(try GeneratedRows.complaints(text) == [])
  }

  @Test(arguments: ["Transformable", "Binary"])
  func `values of any type may have to be unique, and those that no fetch can find are no key`(_ type: String) throws {
    let text = """
      <entity name="Layout"><attribute name="code" attributeType="String"/>
        <attribute name="kind" attributeType="\(type)"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="kind"/></uniquenessConstraint></uniquenessConstraints>
      </entity>
      """
    #expect(try GeneratedRows.complaints(text) == [])
  }
}
