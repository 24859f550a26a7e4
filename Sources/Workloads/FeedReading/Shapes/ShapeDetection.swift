/// The detection of a feed's shape from its contents.
///
/// A list is recognised by its first byte. If the outermost value is an object, the whole file is read. More text after
/// that object means JSON Lines. Otherwise the longest list of objects, or the largest object whose members are records
/// alike, holds the records. Without such a list or object, the outermost object is the only record.
enum ShapeDetection {
  /// The number of records from which envelopes are detected.
  private static let sampleCount = 100
  private static let names =
    "a list of objects, JSON Lines, a GeoJSON FeatureCollection, or an object that holds a list of objects"

  /// Returns the shape of the cursor's file, and the survey of its outermost object if it is one. The cursor is left at
  /// any place.
  ///
  /// - Throws: `FeedError` if the file cannot be read, or if no records are found.
  static func detect(_ cursor: FeedCursor) throws(FeedError) -> (shape: FeedShape, survey: ObjectSurvey) {
    var survey = ObjectSurvey()
    var shape = try detectContainer(cursor, survey: &survey)
    if shape == .featureCollection { return (shape, ObjectSurvey()) }
    let reader = FeedReader(cursor, shape: shape)
    var envelopes = EnvelopeDetection()
    for _ in 0..<sampleCount {
      guard let record = try reader.next() else { break }
      envelopes.add(record, nameOf: reader.name)
    }
    if let found = envelopes.result {
      shape.envelope = [found.member]
      shape.omitted = found.omitted
    }
    return (shape, shape.container == .lines ? ObjectSurvey() : survey)
  }

  private static func detectContainer(
    _ cursor: FeedCursor, survey: inout ObjectSurvey
  ) throws(FeedError) -> FeedShape {
    try cursor.rewind()
    let byte = try cursor.peek()
    if isLines(cursor.window.path) { return FeedShape(.lines) }
    guard byte == UInt8(ascii: "{") else {
      if byte == UInt8(ascii: "[") { return FeedShape(.list) }
      let offset = cursor.window.offset
      try cursor.scan()
      throw cursor.error(
        .shape, "the feed is \(cursor.tokens[0].kind.nameWithArticle); use \(names)", at: offset)
    }
    try survey.read(cursor)
    if let next = try cursor.peek() {
      if next == UInt8(ascii: "{") { return FeedShape(.lines) }
      throw cursor.error(.syntax, "there is text after the end of the value", at: cursor.window.offset)
    }
    if survey.isFeatureCollection {
      guard survey.hasFeatures else {
        throw FeedError(.shape, "the FeatureCollection has no list called features", path: cursor.window.path)
      }
      return .featureCollection
    }
    if let found = survey.best { return found }
    guard let flaw = survey.flaw else { return FeedShape(.object) }
    throw FeedError(.shape, "the feed is one object \(flaw); use \(names)", path: cursor.window.path)
  }

  private static func isLines(_ path: String) -> Bool {
    ["jsonl", "ndjson", "geojsonl", "ldjson"].contains(path.split(separator: ".").last?.lowercased())
  }
}
