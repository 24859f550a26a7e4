/// An object of a JSON document, which lists its members with the names that they have there.
///
/// The value of a member is anything that can be encoded, or nil for `null`.
package struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
  private let members: [(name: String, value: (any Encodable)?)]

  package init(dictionaryLiteral elements: (String, (any Encodable)?)...) {
    self.init(elements)
  }

  init(_ members: [(String, (any Encodable)?)]) { self.members = members }

  /// Returns the object without the members that have no value.
  package static func leavingOutNulls(_ object: JSONObject) -> JSONObject {
    JSONObject(object.members.filter { $0.value != nil })
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for (name, value) in members {
      if let value {
        try container.encode(value, forKey: Name(stringValue: name))
      } else {
        try container.encodeNil(forKey: Name(stringValue: name))
      }
    }
  }

  /// The name of a member.
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
