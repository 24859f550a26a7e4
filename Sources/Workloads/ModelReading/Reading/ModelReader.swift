import Foundation
import MachineCore

extension ModelDocument {
  /// Reads a model.
  ///
  /// - Parameters:
  ///   - path: A `.xcdatamodeld` or `.xcdatamodel` folder, or a file with the XML text of a model, which Xcode calls
  ///     `contents`.
  ///   - version: The name of the version to read, or nil for the current one.
  /// - Throws: `ModelError` with the file, the line and the field.
  package init(path: String, version: String? = nil) throws(ModelError) {
    let bundle = try ModelBundle(path: path, version: version)
    let text = try BoundedFile.bytes(of: bundle.contents, limit: ModelBundle.largestByteCount)
    try self.init(text: text, place: bundle.contents)
    versions = bundle.versions
    currentVersion = bundle.currentVersion
    self.version = bundle.version
  }

  /// Reads the XML text of a model.
  ///
  /// - Parameters:
  ///   - text: The bytes of the file.
  ///   - place: The file, as errors name it. It is also the name of the only version.
  /// - Throws: `ModelError` with the line and the field.
  package init(text: Data, place: String) throws(ModelError) {
    let root = try MarkupParser.root(of: text, place: place)
    guard root.name == "model" else {
      throw ModelError(
        .notAModel, "the first element is \(QuotedText.of(root.name)); a data model begins with model", place: place,
        line: root.line)
    }
    let notes = ReadingNotes(place: place)
    let reader = ModelReader(notes: notes)
    try self.init(root, reader: reader)
    try ModelChecks(self, notes: notes).check()
    unknownItems = notes.unknownItems
    remarks = notes.allRemarks()
  }

  private init(_ root: MarkupElement, reader: ModelReader) throws(ModelError) {
    let fields = ElementFields(root, of: "model", notes: reader.notes)
    place = reader.notes.place
    versions = [reader.notes.place]
    currentVersion = reader.notes.place
    version = reader.notes.place
    header = try reader.header(fields)
    for element in fields.children("entity") { entities.append(try reader.entity(element)) }
    for element in fields.children("configuration") { configurations.append(try reader.configuration(element)) }
    for element in fields.children("fetchRequest") { fetchRequests.append(try reader.fetchRequest(element, of: nil)) }
    for element in root.children where element.name == "composite" || element.name == "compositeAttribute" {
      composites.append(try reader.composite(element))
    }
  }
}

/// A reader of the elements of a model.
struct ModelReader {
  let notes: ReadingNotes

  func header(_ fields: ElementFields) throws(ModelError) -> ModelDocument.Header {
    ModelDocument.Header(
      name: fields.text("name"), versionIdentifier: fields.text("userDefinedModelVersionIdentifier"),
      type: fields.text("type"), documentVersion: fields.text("documentVersion"),
      lastSavedToolsVersion: fields.text("lastSavedToolsVersion"), systemVersion: fields.text("systemVersion"),
      minimumToolsVersion: fields.text("minimumToolsVersion"), sourceLanguage: fields.text("sourceLanguage"),
      macOSVersion: fields.text("macOSVersion"), iOSVersion: fields.text("iOSVersion"),
      isUsedWithCloudKit: try fields.boolean("usedWithCloudKit"),
      isUsedWithSwiftData: try fields.boolean("usedWithSwiftData"), userInfo: try fields.userInfo())
  }

  func configuration(_ element: MarkupElement) throws(ModelError) -> ModelDocument.Configuration {
    let fields = fields(element, of: "configuration")
    var entities: [String] = []
    for member in fields.children("memberEntity") {
      entities.append(try ElementFields(member, of: fields.subject, notes: notes).required("name"))
    }
    return ModelDocument.Configuration(
      name: try fields.required("name"), entities: entities,
      isUsedWithCloudKit: try fields.boolean("usedWithCloudKit"), line: fields.line)
  }

  func composite(_ element: MarkupElement) throws(ModelError) -> ModelDocument.Composite {
    let fields = fields(element, of: "composite")
    let name = try fields.required("name")
    var attributes: [ModelDocument.Attribute] = []
    for attribute in fields.children("attribute") { attributes.append(try self.attribute(attribute, of: name)) }
    return ModelDocument.Composite(
      name: name, attributes: attributes, userInfo: try fields.userInfo(), line: fields.line)
  }

  /// Reads a fetch request template, or the request of the fetched property called `owner`.
  func fetchRequest(_ element: MarkupElement, of owner: String?) throws(ModelError) -> ModelDocument.FetchRequest {
    let fields = fields(element, of: owner ?? "fetch request")
    return ModelDocument.FetchRequest(
      name: owner == nil ? try fields.required("name") : fields.text("name") ?? "", entity: fields.filledText("entity"),
      predicate: fields.filledText("predicateString"), fetchLimit: try fields.count("fetchLimit"),
      fetchBatchSize: try fields.count("fetchBatchSize"), resultType: try fields.count("resultType"),
      includesSubentities: try fields.boolean("includeSubentities"),
      includesPropertyValues: try fields.boolean("includePropertyValues"),
      returnsObjectsAsFaults: try fields.boolean("returnObjectsAsFaults"),
      includesPendingChanges: try fields.boolean("includesPendingChanges"),
      returnsDistinctResults: try fields.boolean("returnDistinctResults"), userInfo: try fields.userInfo(),
      line: fields.line)
  }

  /// Returns the fields of an element that is named after its owner and itself.
  func fields(_ element: MarkupElement, of owner: String) -> ElementFields {
    let name = element.attributes["name"] ?? ""
    return ElementFields(element, of: name.isEmpty ? owner : "\(owner).\(name)", notes: notes)
  }
}
