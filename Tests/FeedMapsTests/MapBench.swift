import Foundation
import TestSupport
import Workloads

@testable import InputFiles

/// A folder with a feed, and a model if there is one, from which workloads are made with and without maps.
struct MapBench {
  private let folder: TemporaryFolder
  let options: WorkloadOptions

  init(feed text: String, model: String? = nil) throws {
    folder = try TemporaryFolder()
    // The name decides for the entity Person if several entities of the model fit equally well.
    let path = "\(folder.path)/person.json"
    try Data(text.utf8).write(to: URL(filePath: path))
    var options = WorkloadOptions(
      workload: .feed(path: path), rows: nil, existingRows: 0, batchSize: 2, mix: .insertsOnly)
    if let model {
      let contents = "\(folder.path)/contents"
      try Data(model.utf8).write(to: URL(filePath: contents))
      options.model = contents
    }
    self.options = options
  }

  var path: String { if case .feed(let path) = options.workload { path } else { "" } }

  /// Returns the options with the map in a text.
  func options(_ map: String?) throws -> WorkloadOptions {
    var options = options
    options.map = try map.map { try FeedMapFile.map(from: $0, place: "map.yaml") }
    return options
  }

  /// Returns the mapped feed.
  func mapped(_ map: String? = nil) throws -> MappedFeed { try MappedFeed(options: options(map), path: path) }

  /// Returns the text of the file with the whole map.
  func text(_ map: String? = nil) throws -> String {
    FeedMapText(try mapped(map).mapping, feed: "person.json", model: options.model.map { _ in "contents" }).text
  }

  /// Makes the workload and passes it to the body.
  func withArchive<Result>(_ map: String? = nil, _ body: (WorkloadArchive) throws -> Result) throws -> Result {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    return try body(try WorkloadArchive.write(options(map), to: folder.url))
  }

  /// Returns the error of a map in one line.
  func error(_ map: String) -> String {
    do {
      try withArchive(map) { _ in }
      return "no error"
    } catch {
      return "\(error)"
    }
  }
}

extension WorkloadArchive {
  /// The texts of all payloads.
  var texts: [String] { payloads.indices.map { String(decoding: payload($0), as: UTF8.self) } }
}

/// Feeds and models that several tests use.
enum MapSamples {
  static let model = """
    <?xml version="1.0" encoding="UTF-8"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="City"><attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="zip" optional="YES" attributeType="String"/>
        <relationship name="people" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Person" \
    inverseName="city" inverseEntity="Person"/></entity>
      <entity name="Person">
        <attribute name="remoteID" attributeType="Integer 64"/>
        <attribute name="title" attributeType="String"/>
        <attribute name="bornAt" optional="YES" attributeType="Date"/>
        <attribute name="origin" optional="YES" attributeType="String"/>
        <attribute name="size" optional="YES" attributeType="Integer 16"/>
        <attribute name="photo" optional="YES" attributeType="Binary"/>
        <attribute name="remark" optional="YES" attributeType="String"/>
        <relationship name="city" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="City" \
    inverseName="people" inverseEntity="City"/>
        <relationship name="friends" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Person"/>
      </entity>
    </model>
    """

  static let people = #"""
    [{"id":1,"title":"A","birth":86400,"shoe_size":44,"place":{"name":"Rome","zip":"00100"},"friend_ids":[2]},
     {"id":2,"title":"B","birth":172800,"shoe_size":39,"place":{"name":"Rome","zip":"00100"},"friend_ids":[1]},
     {"id":3,"title":"C","birth":0,"shoe_size":40,"place":{"name":"Oslo","zip":"0150"},"friend_ids":[]}]
    """#
}
