import Foundation

/// Turns the values of a transformable attribute into the bytes that a row holds, and back.
///
/// Core Data's `NSValueTransformer`. Called on the queue of whichever context reads or sets the attribute, so it keeps no
/// state. The same value should always become the same bytes: values are compared by them.
public protocol ValueTransformer: Sendable {
  /// What the transformer is known by, as a model that is kept in a file names it.
  var name: String { get }

  /// The bytes of a value; nil for one that the transformer can make none of, with which an object fails validation.
  func transformedValue(_ value: any Hashable & Sendable) -> Data?

  /// The value of some bytes; nil where they are not such a value's, which reads as nothing.
  func reverseTransformedValue(_ data: Data) -> (any Hashable & Sendable)?
}
