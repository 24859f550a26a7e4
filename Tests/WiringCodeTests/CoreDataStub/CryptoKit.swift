// Declarations of Apple's CryptoKit that printed wirings use, as its documentation has them since iOS 13.

import Foundation

/// The bytes of a digest.
public struct SHA256Digest: Sequence, Sendable {
  let bytes: [UInt8]
  /// Returns an iterator over the bytes.
  public func makeIterator() -> Array<UInt8>.Iterator { bytes.makeIterator() }
}

/// The hash function SHA-256.
public enum SHA256 {
  /// Returns 32 bytes that depend on the data. They are not those of SHA-256.
  public static func hash<D: DataProtocol>(data: D) -> SHA256Digest {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in data { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return SHA256Digest(bytes: (0..<32).map { UInt8(truncatingIfNeeded: hash >> (8 * ($0 % 8))) })
  }
}
