/// The name of a member of a JSON object.
///
/// Two names are equal only if their UTF-8 bytes are equal. Two values of `String` are also equal if they are
/// canonically equivalent, such as é as one scalar and as two.
package struct MemberName: Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }
}

extension MemberName: Hashable {
  package static func == (left: MemberName, right: MemberName) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

extension MemberName: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) {
    self.init(text)
  }
}
