import MachineCore
import Testing

@Suite struct StableHashTests {
  /// The values are those of the authors' reference (Fowler, Noll, Vo: "FNV hash test vectors").
  @Test(arguments: [("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8)])
  func `the hash of a text is that of FNV-1a`(text: String, hash: UInt64) {
    #expect(StableHash.hash(of: text) == hash)
    #expect(Array(text.utf8).withUnsafeBytes { StableHash.hash(of: $0) } == hash)
  }
}
