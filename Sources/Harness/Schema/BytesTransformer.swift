import ContextEngine
import Foundation

/// A transformer that keeps bytes as they are, for transformable attributes whose class is not known.
package struct BytesTransformer: ValueTransformer {
  package let name: String

  package init(name: String = "Bytes") {
    self.name = name
  }

  /// Returns the value if it is data, or nil.
  package func transformedValue(_ value: any Hashable & Sendable) -> Data? { value as? Data }

  /// Returns the bytes.
  package func reverseTransformedValue(_ data: Data) -> (any Hashable & Sendable)? { data }
}
