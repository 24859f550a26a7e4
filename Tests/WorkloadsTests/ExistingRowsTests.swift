import Foundation
import Testing
import Workloads

/// Existing rows can be given for each entity.
@Suite struct ExistingRowsTests {
  static let albums = """
    <entity name="Track">
      <attribute name="id" attributeType="UUID"/>
      <attribute name="title" optional="YES" attributeType="String"/>
      <relationship name="album" maxCount="1" destinationEntity="Album" inverseName="tracks" inverseEntity="Album"/>
    </entity>
    <entity name="Album">
      <attribute name="code" attributeType="String"/>
      <relationship name="tracks" optional="YES" toMany="YES" destinationEntity="Track" inverseName="album"
        inverseEntity="Track"/>
    </entity>
    <entity name="Thing" isAbstract="YES"/>
    <entity name="Genre" parentEntity="Thing"><attribute name="name" attributeType="String"/></entity>
    """

  /// Returns the options of rows of the model with these entities, which `folder` holds.
  static func options(_ rows: ExistingRows, in folder: URL, entities: String = albums) throws -> WorkloadOptions {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">\(entities)</model>
      """
    let contents = folder.appending(path: "contents")
    try Data(text.utf8).write(to: contents)
    let path = contents.path(percentEncoded: false)
    var options = WorkloadOptions(
      workload: .model(path: path), rows: 3, existingRows: 0, batchSize: 3, mix: .insertsOnly)
    options.model = path
    options.existingRows = rows
    return options
  }

  /// Returns the number of existing rows of each entity.
  private func counts(_ options: WorkloadOptions) throws -> [String: Int] {
    try withArchive(options) { archive in
      let decoder = PayloadDecoder(schema: archive.schema)
      let records = try archive.existing.indices.flatMap { try decoder.decode(archive.existingText($0)) }
      return Dictionary(grouping: records) { archive.schema.entities[$0.entity].name }.mapValues(\.count)
    }
  }

  @Test(arguments: [1, 3]) func `each entity has its number of rows, and rows of others only if required`(
    lanes: Int
  ) throws {
    try withFolder { folder in
      var options = try Self.options(ExistingRows(argument: "Track=40,Album=3"), in: folder)
      options.lanes = lanes
      #expect(try counts(options) == ["Track": 40, "Album": 3])
      options.existingRows = try ExistingRows(argument: "Track=4")
      #expect(try counts(options) == ["Track": 4, "Album": lanes])
    }
    var catalog = catalog(rows: 10, lanes: lanes)
    catalog.existingRows = try ExistingRows(argument: "Price=30,Supplier=4,Product=5")
    #expect(try counts(catalog) == ["Price": 30, "Supplier": 4, "Product": 5])
  }

  @Test(arguments: [
    ("Trak=1", "Trak is no entity; did you mean Track?"),
    ("Thing=1", "Thing is abstract and has no rows; use one of Genre"),
    ("Track=-1", "-1 is not a number of rows; use 0 to 10000000"),
    ("Track=1,Track=2", "Track has two numbers; use one"),
    ("Track=1,5", "not rows of entities; use a number, full, or Entity=number,… as in Track=1000,Album=50"),
    ("Track=9999999,Album=2", "10000001 rows together; use at most 10000000"),
  ])
  func `wrong rows are refused in one line`(text: String, message: String) throws {
    try withFolder { folder in
      let error = #expect(throws: WorkloadError.self) {
        try counts(try Self.options(ExistingRows(argument: text), in: folder))
      }
      #expect(error?.description == "existing rows \(text): \(message)")
    }
  }
}
