import Foundation

/// A converter between the values of a transformable attribute and the bytes that a row holds.
///
/// Core Data calls this `NSValueTransformer`. A transformer is called on the queue of the context that reads or sets
/// the attribute, so it must not keep state. The same value should always become the same bytes, because values are
/// compared by their bytes.
public protocol ValueTransformer: Sendable {
  /// The name of the transformer, by which the file of a model refers to it.
  var name: String { get }

  /// Returns the bytes of a value, or nil if the transformer cannot convert the value. The object then fails
  /// validation.
  func transformedValue(_ value: any Hashable & Sendable) -> Data?

  /// Returns the value that some bytes represent, or nil if they represent none. The attribute then reads as `.null`.
  func reverseTransformedValue(_ data: Data) -> (any Hashable & Sendable)?
}
