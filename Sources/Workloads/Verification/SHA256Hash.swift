import CCrypto
import Foundation
import MachineCore

/// Computes the SHA-256 of bytes that arrive in pieces, with the system's libcrypto.
///
/// ```swift
/// let hash = SHA256Hash()
/// hash.update([1, 2, 3])
/// let digest = hash.hexadecimal()
/// ```
///
/// This class is not thread-safe: only one thread at a time may use a hash.
package final class SHA256Hash {
  private let context: OpaquePointer
  private static let digestSize = 32

  package init() {
    guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      trapMisuse("libcrypto offers no SHA-256; install a libcrypto that does.")
    }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Returns the digest of `bytes` as 64 lower-case hexadecimal digits.
  package static func hexadecimal(of bytes: some ContiguousBytes) -> String {
    let hash = SHA256Hash()
    hash.update(bytes)
    return hash.hexadecimal()
  }

  /// Appends bytes to the hashed content.
  ///
  /// Complexity: O(n) in the bytes.
  package func update(_ bytes: some ContiguousBytes) {
    let status = bytes.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    guard status == 1 else { trapMisuse("libcrypto refused bytes for a SHA-256 that was already read.") }
  }

  /// Ends the hash and returns its 64 lower-case hexadecimal digits. No bytes may be appended afterwards.
  package func hexadecimal() -> String {
    var digest = [UInt8](repeating: 0, count: Self.digestSize)
    guard EVP_DigestFinal_ex(context, &digest, nil) == 1 else { trapMisuse("A SHA-256 was read twice; read it once.") }
    return digest.hexadecimal
  }
}

extension Sequence<UInt8> {
  /// The bytes as lower-case hexadecimal digits, two for each byte.
  package var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
