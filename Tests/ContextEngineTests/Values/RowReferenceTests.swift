import ContextEngine
import Foundation
import MachineCore
import Testing

/// Rows whose slots refer to objects instead of bytes.
@Suite struct RowReferenceTests {
  /// A file that counts how often it is read.
  private final class CountingFile: ExternalFile {
    let path: String
    private let bytes: Data
    private let count = Guarded(0)

    init(_ path: String, _ bytes: Data) {
      self.path = path
      self.bytes = bytes
    }

    var readCount: Int { count.withLock { $0 } }

    func read() throws(PersistenceError) -> Data {
      count.withLock { $0 += 1 }
      return bytes
    }
  }

  private func row(_ data: ExternalData) -> Row {
    var row = Row(version: 1, slotCount: 2, byteCapacity: 0)
    row.set(data, at: 0)
    return row
  }

  @Test func `two external files compare as different without being read`() {
    let files = [CountingFile("a", Data([1])), CountingFile("b", Data([1]))]
    let rows = files.map { row(ExternalData($0)) }
    #expect(!rows[0].isEqual(to: rows[1], at: 0) && rows[0].slotsDiffering(from: rows[1]) == [0])
    #expect(rows[0].isEqual(to: row(ExternalData(files[0])), at: 0))
    #expect(files.allSatisfy { $0.readCount == 0 })
    // A comparison with bytes reads the file.
    #expect(rows[0].holds(.binary(Data([1])), at: 0) && !rows[0].holds(.binary(Data([2])), at: 0))
    #expect(rows[0].isEqual(to: Row(version: 1, values: [.binary(Data([1])), .null]), at: 0))
    #expect(files.map(\.readCount) == [1, 0])
  }

  @Test func `an external file is read once, and its value outlives the file`() throws {
    let file = CountingFile("a", Data([1, 2]))
    let data = ExternalData(file)
    let rows = [row(data), row(data).copy()]
    #expect(rows.allSatisfy { !$0.isNull(at: 0) } && file.readCount == 0)
    for row in rows {
      #expect(try row.readValue(at: 0) == .binary(Data([1, 2])) && row.value(at: 0) == .binary(Data([1, 2])))
    }
    #expect(file.readCount == 1)
    data.detach()
    #expect(data.file == nil && rows[1].value(at: 0) == .binary(Data([1, 2])))
  }

  /// A reference that is released too often would end an object that rows still have, and one that is not released
  /// would keep it forever.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `rows count their references correctly under random operations`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var rows: [Row] = (0..<4).map { _ in Row(version: 1, slotCount: 3, byteCapacity: 8) }
    var wanted: [[Value]] = Array(repeating: [.null, .null, .null], count: 4)
    var references: [WeakReference] = []
    for step in 0..<300 {
      let (index, slot) = (random.below(rows.count), random.below(3))
      switch random.below(7) {
      case 0:
        let data = ExternalData(Data([UInt8(truncatingIfNeeded: step)]))
        references.append(WeakReference(object: data))
        rows[index].set(data, at: slot)
        wanted[index][slot] = .binary(Data([UInt8(truncatingIfNeeded: step)]))
      case 1:
        let value = TransformableValue(step)
        references.append(WeakReference(object: value))
        rows[index].set(.transformable(value), at: slot)
        wanted[index][slot] = .transformable(TransformableValue(step))
      case 2:
        let text = String(repeating: "x", count: random.below(20))
        rows[index].set(.string(text), at: slot)
        wanted[index][slot] = .string(text)
      case 3:
        rows[index].set(.null, at: slot)
        wanted[index][slot] = .null
      case 4:
        let other = random.below(rows.count)
        rows[index].set(slot, from: rows[other])
        wanted[index][slot] = wanted[other][slot]
      case 5:
        let other = random.below(rows.count)
        rows[index] = rows[other].copy()
        wanted[index] = wanted[other]
      default: rows[index] = rows[index].compacted()
      }
      #expect(rows.map(\.values) == wanted)
    }
    #expect(references.contains { $0.object != nil })
    rows = []
    #expect(references.allSatisfy { $0.object == nil })
  }

  private struct WeakReference {
    weak var object: AnyObject?
  }
}
