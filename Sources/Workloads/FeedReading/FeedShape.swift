/// The places in a feed's file at which its records are found, and the form that they have there.
///
/// A reader detects the shape of a feed unless it is given one. Four containers of records are known:
///
/// - A list of objects. It is the outermost value of the file, or it is found at a path of names, such as `data` and
///   `children` in `{"data":{"children":[{…},{…}]}}`.
/// - JSON Lines. Each line of the file is an object.
/// - A dictionary. It is an object whose members are the records, such as `{"k1":{…},"k2":{…}}`. The name under which
///   a record is found becomes a member of the record. Members that are not objects are left out.
/// - A single object, which is the only record.
///
/// In all of them a record may be an envelope, which is an object that holds the actual record in a member, such as
/// `{"model":"people","pk":1,"fields":{…}}`. The members of the inner object are then lifted into the record. The other
/// members of the envelope stay in the record unless an inner member has the same name.
public struct FeedShape: Hashable, Sendable, Codable {
  /// A container of records.
  public enum Container: String, Hashable, Sendable, Codable, CaseIterable {
    /// A list of objects.
    case list
    /// An object on each line.
    case lines
    /// An object whose members are the records.
    case dictionary
    /// A single object.
    case object
  }

  /// The container of the records.
  public var container: Container
  /// The names that lead from the outermost object to the container. It is empty if the container is the outermost
  /// value, and for lines.
  public var path: [String]
  /// The members of a record whose own members are lifted into the record. If two of them have a member of the same
  /// name, the later one's is used.
  public var envelope: [String]
  /// The members of a record that are left out, such as a GeoJSON feature's `type`, unless they are lifted.
  public var omitted: [String]
  /// The member that a dictionary's names become. It is not used for other containers.
  public var keyMember: String

  /// Creates a shape.
  ///
  /// - Parameters:
  ///   - container: The container of the records.
  ///   - path: The names that lead from the outermost object to the container.
  ///   - envelope: The members of a record whose own members are lifted into the record.
  ///   - omitted: The members of a record that are left out.
  ///   - keyMember: The member that a dictionary's names become.
  public init(
    _ container: Container, path: [String] = [], envelope: [String] = [], omitted: [String] = [],
    keyMember: String = "key"
  ) {
    self.container = container
    self.path = path
    self.envelope = envelope
    self.omitted = omitted
    self.keyMember = keyMember
  }

  /// The shape of a GeoJSON FeatureCollection. A feature's properties are lifted, and its type is left out.
  public static let featureCollection = FeedShape(
    .list, path: ["features"], envelope: ["properties"], omitted: ["type"])
}

// MARK: - Text

extension FeedShape: CustomStringConvertible {
  /// The name of the shape as `stackbench inspect` prints it: `array`, `lines`, `geojson`, `object` for a list under a
  /// name, `dictionary`, or `single`.
  public var name: String {
    switch container {
    case .lines: "lines"
    case .dictionary: "dictionary"
    case .object: "single"
    case .list where path.isEmpty: "array"
    case .list where self == .featureCollection: "geojson"
    case .list: "object"
    }
  }

  /// The names that lead to the container, with points between them, such as `data.children`.
  public var pathText: String { path.joined(separator: ".") }

  /// A description in a few words, such as `a list at data.children, with the members of data lifted`.
  public var description: String {
    var text =
      switch container {
      case .list: "a list"
      case .lines: "an object on each line"
      case .dictionary, .object: "an object"
      }
    if !path.isEmpty { text += " at \(pathText)" }
    if container == .dictionary { text += " whose names become the member \(keyMember)" }
    if !envelope.isEmpty { text += ", with the members of \(envelope.joined(separator: " and ")) lifted" }
    return text
  }
}
