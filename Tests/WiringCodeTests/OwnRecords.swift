import Foundation
import Workloads

/// Models and feeds of users, as files in the folder of a test.
struct OwnRecords {
  let compiler: PrintedCodeCompiler

  /// A workload with a name.
  struct Case {
    var name: String
    var options: WorkloadOptions
  }

  /// Returns the feeds and models that the tests write.
  func all() throws -> [Case] {
    let shop = try model(named: "Shop", Self.shop)
    var mapped = try feed("mapped.json", Self.offers, model: shop)
    var map = FeedMap(place: "map.yaml", records: "Product")
    map.entities = [
      FeedMap.Entity(
        name: "Product",
        attributes: [
          FeedMap.Attribute(name: "soldAt", source: .member(["sold"], .milliseconds)),
          FeedMap.Attribute(name: "city", source: .member(["address", "city"], nil)),
          FeedMap.Attribute(name: "origin", source: .constant("import")),
        ],
        relationships: [
          FeedMap.Relationship(name: "maker", member: ["maker"], referenceAttribute: "code")
        ])
    ]
    mapped.options.map = map
    var generated = WorkloadOptions(
      workload: .model(path: shop), rows: 60, existingRows: 0, batchSize: 20, mix: .insertsOnly)
    generated.model = shop
    return [
      try feed("names.json", Self.oddNames), try feed("nested.json", Self.nested), try feed("rates.json", Self.rates),
      try feed("threads.json", Self.threads), try feed("listing.json", Self.listing),
      try feed("places.geojson", Self.places), try feed("lines.jsonl", Self.lines),
      try feed("dictionary.json", Self.dictionary), try feed("single.json", #"{"title": "a", "size": 3}"#),
      try feed("numbered.json", #"[{"name": "a", "parts": [{"size": 1}, {"size": 2}]}, {"name": "b"}]"#),
      try feed("offers.json", Self.offers, model: shop), mapped, Case(name: "generated", options: generated),
    ]
  }

  /// Returns the models and feeds in the folder that `STACKBENCH_SAMPLES` names, and those in the folder `repro` next
  /// to it.
  static func samples(in folder: String) throws -> [Case] {
    let files = [folder, "\(folder)/../repro"].flatMap { root in
      (FileManager.default.enumerator(atPath: root)?.allObjects ?? []).compactMap { $0 as? String }.sorted()
        .map { "\(root)/\($0)" }
    }
    let models =
      files.filter { $0.hasSuffix(".xcdatamodeld") }
      + files.filter { $0.hasSuffix(".xcdatamodel") && !$0.contains(".xcdatamodeld/") }
    let feeds = files.filter { file in Workload.feedExtensions.contains { file.hasSuffix(".\($0)") } }
    return models.map { path in
      var options = WorkloadOptions(
        workload: .model(path: path), rows: 40, existingRows: 0, batchSize: 20, mix: .standard)
      options.model = path
      return Case(name: path, options: options)
    }
      + feeds.flatMap { path in
        ([nil] + models).map { model in
          var options = WorkloadOptions(
            workload: .feed(path: path), rows: nil, existingRows: 0, batchSize: 50, mix: .insertsOnly)
          options.model = model
          return Case(name: [path, model].compactMap(\.self).joined(separator: " into "), options: options)
        }
      }
  }

  private func feed(_ name: String, _ text: String, model: String? = nil) throws -> Case {
    var options = WorkloadOptions(
      workload: .feed(path: try compiler.write(text, to: name)), rows: nil, existingRows: 0, batchSize: 100,
      mix: .insertsOnly)
    options.model = model
    return Case(name: name, options: options)
  }

  private func model(named name: String, _ entities: String) throws -> String {
    let folder = compiler.folder.appendingPathComponent("\(name).xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">\(entities)</model>
      """
    try Data(text.utf8).write(to: folder.appendingPathComponent("contents"))
    return folder.path
  }
}

// MARK: - Feeds

extension OwnRecords {
  /// Members with names that Swift does not have, and values of several forms.
  private static let oddNames = #"""
    [{"id": 1, "key": "a", "class": "x", "my name": 2.5, "record": [0, {"a": 1}], "size": 12345678901234567890},
     {"id": 2, "1st": true, "_": 0, "class": 3, "record": null, "rows": "\"q\" \\ \n", "size": 1}]
    """#

  /// Objects with and without IDs, lists that rows own and lists that rows share, and references.
  private static let nested = #"""
    [{"id": 1, "name": "a", "brand": {"id": "x", "title": "X", "home": {"city": "Rome", "zip": 1}},
      "tags": [{"id": 1, "label": "new"}, null, {"id": 2, "label": "old"}], "parent_id": 2, "sizes": [1, 2],
      "lines": [{"count": 1, "price": 2.5}, {"count": 2, "price": 3}], "tag_ids": [1, 2]},
     {"id": 2, "name": "b", "brand": {"id": "y", "title": null}, "tags": [{"id": 1, "label": "new"}],
      "lines": [{"count": 4, "price": 7}], "tag_ids": [2, null]},
     {"id": 3, "name": "c", "brand": null, "tags": [], "parent_id": 1}]
    """#

  /// Objects under names that are data.
  private static let rates = #"""
    [{"code": "A", "rates": {"EUR": {"value": 1.5, "sign": "e"}}},
     {"code": "B", "rates": {"USD": {"value": 2, "sign": "d"}, "GBP": {"value": 3.25, "sign": "p"}}},
     {"code": "C", "rates": {"CHF": {"value": 4, "sign": "f"}}}]
    """#

  /// Objects within objects of their kind, in a list and as a single value.
  private static let threads = #"""
    [{"id": "p1", "comment": {"id": "c1", "body": "a", "replies": [{"id": "c2", "body": "b",
        "replies": [{"id": "c3", "body": "c", "replies": []}]}]}, "person": {"id": 1, "person": {"id": 2}}},
     {"id": "p2", "comment": {"id": "c4", "body": "d", "reply": {"id": "c5", "body": "e"}}, "person": null}]
    """#

  /// Records in envelopes, at a path of names.
  private static let listing = #"""
    {"kind": "Listing", "data": {"after": null, "children": [
      {"kind": "t3", "data": {"id": "a", "title": "A", "ups": 3, "created": 1517966773}},
      {"kind": "t3", "data": {"id": "b", "title": "B", "ups": 4, "kind": "own"}}]}}
    """#

  private static let places = #"""
    {"type": "FeatureCollection", "features": [
      {"type": "Feature", "id": "a", "properties": {"name": "A", "type": "city"},
       "geometry": {"type": "Point", "coordinates": [1.5, 2]}},
      {"type": "Feature", "id": "b", "properties": {"name": "B"}, "geometry": null}]}
    """#

  private static let lines = """
    {"uuid": "a", "n": 1, "ok": true}

    {"uuid": "b", "n": 2, "ok": null}\r

    """

  private static let dictionary = #"""
    {"Alpha": {"number": 1, "mass": 1.0}, "Beta": {"number": 2, "mass": 4}, "order": ["Alpha", "Beta"]}
    """#

  /// Records for `shop`, whose values often have other forms than its attributes.
  private static let offers = #"""
    [{"sku": "a", "name": "Tea", "price": "2.50", "weight": 3, "stock": "12", "isNew": 1, "site": "https://example.org/a",
      "token": "0f8fad5bd9cb469fa16570867728950e", "image": "AQID", "sold": 1517966773840, "rank": 2,
      "released": "2024-02-29", "checked": "2024-02-29T08:05:00.25+01:00", "posted": "Mon, 02 Jan 2006 15:04:05 GMT",
      "address": {"city": "Rome"}, "maker": "m1", "palette": ["red"],
      "prices": [{"currency": "EUR", "region": 1, "amount": 2.5}, {"currency": "USD", "region": 1, "amount": 3}],
      "steps": [{"code": "s2", "text": "b"}, {"code": "s1", "text": "a"}]},
     {"sku": "b", "name": null, "price": 7.125, "weight": 0.5, "stock": 4, "isNew": "no",
      "token": "0F8FAD5B-D9CB-469F-A165-70867728950E", "released": "2024-03-01 10:00", "sold": 1517966773000,
      "prices": [], "steps": [{"code": "s1", "text": "a"}]}]
    """#

  // MARK: A model

  /// Attributes of all types, defaults, a key of several attributes, inheritance, and relationships of all kinds.
  private static let shop = """
    <entity name="Item" isAbstract="YES"><attribute name="sku" attributeType="String"/>
      <attribute name="name" optional="YES" attributeType="String" defaultValueString="none"/></entity>
    <entity name="Product" parentEntity="Item">
      <attribute name="price" optional="YES" attributeType="Decimal"/>
      <attribute name="weight" optional="YES" attributeType="Float"/>
      <attribute name="stock" attributeType="Integer 16" defaultValueString="1"/>
      <attribute name="isNew" optional="YES" attributeType="Boolean"/>
      <attribute name="site" optional="YES" attributeType="URI"/>
      <attribute name="token" optional="YES" attributeType="UUID"/>
      <attribute name="image" optional="YES" attributeType="Binary"/>
      <attribute name="soldAt" optional="YES" attributeType="Date"/>
      <attribute name="released" optional="YES" attributeType="Date"/>
      <attribute name="checked" optional="YES" attributeType="Date"/>
      <attribute name="posted" optional="YES" attributeType="Date"/>
      <attribute name="rank" optional="YES" attributeType="Double" defaultValueString="0.5"/>
      <attribute name="city" optional="YES" attributeType="String"/>
      <attribute name="origin" optional="YES" attributeType="String"/>
      <attribute name="palette" optional="YES" attributeType="Transformable"/>
      <attribute name="remark" optional="YES" attributeType="String"/>
      <relationship name="maker" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Maker" \
    inverseName="products" inverseEntity="Maker"/>
      <relationship name="prices" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Price" \
    inverseName="product" inverseEntity="Price"/>
      <relationship name="steps" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" \
    destinationEntity="Step" inverseName="products" inverseEntity="Step"/></entity>
    <entity name="Service" parentEntity="Item"><attribute name="hours" optional="YES" attributeType="Integer 64"/></entity>
    <entity name="Maker"><attribute name="code" attributeType="String"/>
      <relationship name="products" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Product" \
    inverseName="maker" inverseEntity="Product"/></entity>
    <entity name="Price"><attribute name="currency" optional="YES" attributeType="String"/>
      <attribute name="region" optional="YES" attributeType="Integer 32"/>
      <attribute name="amount" optional="YES" attributeType="Double"/>
      <relationship name="product" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Product" \
    inverseName="prices" inverseEntity="Product"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="currency"/><constraint value="region"/>\
    </uniquenessConstraint></uniquenessConstraints></entity>
    <entity name="Step"><attribute name="code" attributeType="String"/>
      <attribute name="text" optional="YES" attributeType="String"/>
      <relationship name="products" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Product" \
    inverseName="steps" inverseEntity="Product"/></entity>
    """
}
