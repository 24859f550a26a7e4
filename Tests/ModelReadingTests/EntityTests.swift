import Testing
import Workloads

/// The model itself and its entities: inheritance, indexes, constraints, fetched properties and configurations.
@Suite struct EntityTests {
  @Test func `all attributes of the model are read`() throws {
    let header = try ModelText.document(
      """
      <model name="n" userDefinedModelVersionIdentifier="1.2" type="com.apple.IDECoreDataModeler.DataModel"
        documentVersion="1.0" lastSavedToolsVersion="17510.1" systemVersion="20A" minimumToolsVersion="Xcode 4.3"
        sourceLanguage="Swift" macOSVersion="Automatic" iOSVersion="iOS 9" usedWithCloudKit="YES"
        usedWithSwiftData="false"><userInfo><entry key="a" value="b"/></userInfo></model>
      """
    ).header
    #expect(header.name == "n" && header.versionIdentifier == "1.2" && header.documentVersion == "1.0")
    #expect(header.type == "com.apple.IDECoreDataModeler.DataModel" && header.sourceLanguage == "Swift")
    #expect(header.lastSavedToolsVersion == "17510.1" && header.systemVersion == "20A")
    #expect(header.minimumToolsVersion == "Xcode 4.3" && header.macOSVersion == "Automatic")
    #expect(header.iOSVersion == "iOS 9" && header.isUsedWithCloudKit && !header.isUsedWithSwiftData)
    #expect(header.userInfo.map(\.key) == ["a"] && header.userInfo.map(\.value) == ["b"])
  }

  @Test func `all attributes of an entity are read`() throws {
    let entity = try ModelText.entity(
      "<userInfo/>",
      attributes: """
        representedClassName=".B" isAbstract="YES" codeGenerationType="class" syncable="YES" elementID="Old"
        versionHashModifier="3" coreSpotlightDisplayNameExpression="name"
        """)
    #expect(entity.representedClassName == ".B" && entity.isAbstract && entity.codeGeneration == "class")
    #expect(entity.isSyncable == true && entity.renamingIdentifier == "Old" && entity.versionHashModifier == "3")
    #expect(entity.coreSpotlightDisplayName == "name" && entity.parent == nil && entity.userInfo.isEmpty)
  }

  @Test func `indexes are read in both forms`() throws {
    let entity = try ModelText.entity(
      """
      <attribute name="a" attributeType="String"/>
      <attribute name="b" attributeType="Double"/>
      <fetchIndex name="byBoth" partialIndexPredicate="a != nil">
        <fetchIndexElement property="a" type="Binary" order="descending"/>
        <fetchIndexElement expression="lowercase:(a)" expressionType="String" type="RTree"/>
      </fetchIndex>
      <compoundIndexes>
        <compoundIndex><index value="b"/><index value="a"/></compoundIndex>
        <compoundIndex><index value="a"/></compoundIndex>
      </compoundIndexes>
      """)
    let index = try #require(entity.fetchIndexes.first)
    #expect(index.name == "byBoth" && index.partialPredicate == "a != nil" && index.elements.count == 2)
    #expect(index.elements[0].property == "a" && index.elements[0].type == "Binary" && !index.elements[0].isAscending)
    #expect(index.elements[1].property == nil && index.elements[1].expression == "lowercase:(a)")
    #expect(index.elements[1].expressionType == "String" && index.elements[1].type == "RTree")
    #expect(index.elements[1].isAscending)
    #expect(entity.compoundIndexes.map(\.properties) == [["b", "a"], ["a"]])
  }

  @Test func `constraints name one or several properties, also inherited ones`() throws {
    let document = try ModelText.model(
      """
      <entity name="Parent"><attribute name="a" attributeType="String"/></entity>
      <entity name="Child" parentEntity="Parent">
        <relationship name="r" maxCount="1" destinationEntity="Parent"/>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="a"/><constraint value="r"/></uniquenessConstraint>
          <uniquenessConstraint><constraint value="a"/></uniquenessConstraint>
          <uniquenessConstraint/>
        </uniquenessConstraints>
      </entity>
      """)
    #expect(document.entities[1].uniquenessConstraints.map(\.properties) == [["a", "r"], ["a"]])
    #expect(
      document.remarks.map(\.description) == [
        "8: Child.uniquenessConstraints: element uniquenessConstraint names no property and has no effect"
      ])
  }

  @Test func `fetched properties and fetch request templates are read`() throws {
    let document = try ModelText.model(
      """
      <entity name="A">
      <fetchedProperty name="f" optional="YES" syncable="NO" elementID="g" versionHashModifier="1">
        <fetchRequest name="fetchedPropertyFetchRequest" entity="A" predicateString="a &gt; 1"/>
        <userInfo><entry key="k" value="v"/></userInfo>
      </fetchedProperty>
      </entity>
      <fetchRequest name="All" entity="A" predicateString="TRUEPREDICATE" fetchLimit="5" fetchBatchSize="20"
        resultType="2" includeSubentities="YES" includePropertyValues="YES" returnObjectsAsFaults="YES"
        includesPendingChanges="YES" returnDistinctResults="YES"/>
      """)
    let property = try #require(document.entities[0].fetchedProperties.first)
    #expect(property.isOptional && property.isSyncable == false && property.renamingIdentifier == "g")
    #expect(property.fetchRequest?.predicate == "a > 1" && property.fetchRequest?.entity == "A")
    #expect(property.versionHashModifier == "1" && property.userInfo.count == 1)
    let request = try #require(document.fetchRequests.first)
    #expect(request.name == "All" && request.predicate == "TRUEPREDICATE")
    #expect(request.fetchLimit == 5 && request.fetchBatchSize == 20 && request.resultType == 2)
    #expect(request.includesSubentities && request.includesPropertyValues && request.returnsObjectsAsFaults)
    #expect(request.includesPendingChanges && request.returnsDistinctResults)
    #expect(document.remarks.isEmpty)
  }

  @Test(arguments: ["composite", "compositeAttribute"])
  func `composites keep their attributes`(name: String) throws {
    let document = try ModelText.model(
      """
      <entity name="A"><attribute name="home" optional="YES" attributeType="Composite"/></entity>
      <\(name) name="Address">
        <attribute name="city" attributeType="String"/><attribute name="zip" attributeType="Integer 32"/>
      </\(name)>
      """)
    #expect(document.composites.map(\.name) == ["Address"])
    #expect(document.composites[0].attributes.map(\.name) == ["city", "zip"])
  }

  @Test func `configurations list their entities`() throws {
    let document = try ModelText.model(
      """
      <entity name="A"/>
      <configuration name="Cloud" usedWithCloudKit="YES"><memberEntity name="A"/></configuration>
      <configuration name="Local"/>
      """)
    #expect(document.configurations.map(\.name) == ["Cloud", "Local"])
    #expect(document.configurations.map(\.entities) == [["A"], []])
    #expect(document.configurations.map(\.isUsedWithCloudKit) == [true, false])
  }

  @Test func `names that refer to nothing are remarked on if only an index, a configuration or a request has them`()
    throws
  {
    let document = try ModelText.model(
      """
      <entity name="A">
      <fetchIndex name="i"><fetchIndexElement property="gone"/></fetchIndex>
      <compoundIndexes><compoundIndex><index value="gone"/></compoundIndex></compoundIndexes>
      </entity>
      <configuration name="C"><memberEntity name="Gone"/></configuration>
      <fetchRequest name="R" entity="Gone"/>
      """)
    #expect(
      document.remarks.map(\.description) == [
        "3: A.i: the entity has no property gone, and the index has no effect",
        "4: A.compoundIndexes: the entity has no property gone, and the index has no effect",
        "6: C: there is no entity Gone", "7: R: there is no entity Gone",
      ])
  }

  @Test(arguments: [
    ("<entity/>", "2: entity.name: the value is missing; give element entity a name"),
    ("<entity name=\"\"/>", "2: entity.name: the value is missing; give element entity a name"),
    ("<entity name=\"A\"/>\n<entity name=\"A\"/>", "3: A: the entity in line 2 has the same name; rename one of them"),
    (
      "<entity name=\"A\">\n<attribute name=\"a\"/>\n<fetchedProperty name=\"a\"/></entity>",
      "4: A.a: the property in line 3 has the same name; rename one of them"
    ),
    ("<entity name=\"A\" parentEntity=\"B\"/>", "2: A.parentEntity: there is no entity B"),
    (
      "<entity name=\"A\" parentEntity=\"B\"/>\n<entity name=\"B\" parentEntity=\"A\"/>",
      "2: A.parentEntity: the entities inherit from each other in a circle: A, B, A"
    ),
    (
      "<entity name=\"A\">\n<uniquenessConstraints><uniquenessConstraint>\n<constraint value=\"a\"/>"
        + "</uniquenessConstraint></uniquenessConstraints></entity>",
      "3: A.uniquenessConstraints: the entity has no property a"
    ),
    (
      "<entity name=\"A\"><fetchIndex name=\"i\"><fetchIndexElement/></fetchIndex></entity>",
      "2: A.i.property: the value is missing; give element fetchIndexElement a property"
    ),
    (
      "<entity name=\"A\"><fetchIndex name=\"i\"><fetchIndexElement property=\"a\" order=\"up\"/></fetchIndex></entity>",
      "2: A.i.order: up is neither ascending nor descending"
    ),
    ("<configuration/>", "2: configuration.name: the value is missing; give element configuration a name"),
    ("<fetchRequest entity=\"A\"/>", "2: fetch request.name: the value is missing; give element fetchRequest a name"),
    (
      "<fetchRequest name=\"R\" fetchLimit=\"many\"/>",
      "2: fetch request.R.fetchLimit: many is no whole number from 0 upwards"
    ),
    (
      "<entity name=\"A\"><userInfo><entry value=\"a\"/></userInfo></entity>",
      "2: A.key: the value is missing; give element entry a key"
    ),
  ])
  func `an error of an entity is one line with line and field`(elements: String, message: String) {
    #expect(ModelText.error { _ = try ModelText.model(elements) } == message)
  }

  @Test func `unknown parts are kept and each kind is mentioned once`() throws {
    let document = try ModelText.model(
      """
      <entity name="A" later="1">
        <attribute name="a" attributeType="String" flag="x"/>
        <attribute name="b" attributeType="String" flag="y"/>
        <future z="2" b="1"><attribute name="c"/></future>
        words
      </entity>
      <elements><element name="A" positionX="1" positionY="2" width="3" height="4"/></elements>
      """)
    #expect(document.entities[0].attributes.map(\.name) == ["a", "b"])
    #expect(document.unknownItems.count == 5)
    #expect(document.unknownItems.map(\.value) == ["1", "words", "b=\"1\" z=\"2\"", "x", "y"])
    #expect(document.unknownItems.map(\.line) == [2, 2, 5, 3, 4])
    #expect(
      document.remarks.map(\.description) == [
        "2: entity: attribute later is not known and is kept without an effect",
        "2: entity: text is not known and is kept without an effect",
        "3: attribute: attribute flag is not known and is kept without an effect; it occurs 2 times",
        "5: entity: element future is not known and is kept without an effect",
      ])
  }

  @Test func `a chain of 300 entities is refused, and one of 200 is read`() throws {
    func chain(_ count: Int) -> String {
      (0..<count).map { "<entity name=\"E\($0)\"\($0 == 0 ? "" : " parentEntity=\"E\($0 - 1)\"")/>" }.joined()
    }
    #expect(try ModelText.model(chain(200)).entities.count == 200)
    #expect(
      ModelText.error { _ = try ModelText.model(chain(300)) }
        == "2: E257.parentEntity: the entity inherits from more than 256 entities, one after the other")
  }
}
