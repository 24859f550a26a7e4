import Foundation
import MachineCore
import MachineSimulated

/// A profile in a plan. A process encodes and decodes it once for all plans that have it.
///
/// All plans of a run have the same profile, and it is longer than the rest of a plan.
@propertyWrapper
package struct CodedOnce: Codable, Hashable, Sendable {
  package var wrappedValue: Profile

  /// The number of profiles that a process keeps.
  private static let limit = 100
  private static let texts = Guarded<[Profile: String]>([:])
  private static let profiles = Guarded<[String: Profile]>([:])

  package init(wrappedValue: Profile) {
    self.wrappedValue = wrappedValue
  }

  package init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    wrappedValue = try Self.known(text, in: Self.profiles) {
      try JSONDecoder().decode(Profile.self, from: Data(text.utf8))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    let text = try Self.known(wrappedValue, in: Self.texts) {
      String(decoding: try JSONEncoder().encode(wrappedValue), as: UTF8.self)
    }
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  private static func known<Key: Hashable & Sendable, Value: Sendable>(
    _ key: Key, in values: borrowing Guarded<[Key: Value]>, make: () throws -> Value
  ) rethrows -> Value {
    if let known = values.withLock({ $0[key] }) { return known }
    let made = try make()
    values.withLock { values in
      if values.count == limit { values = [:] }
      values[key] = made
    }
    return made
  }
}
