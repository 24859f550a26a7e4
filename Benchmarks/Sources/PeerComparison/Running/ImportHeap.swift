import ContextEngine
import Foundation

/// The heap of an import that saves and resets its context with every 1,000 rows.
enum ImportHeap {
  /// Returns the most bytes that were allocated beyond those at the start, measured before and after each reset.
  static func peakBytes(rowCount: Int) throws -> Int {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stackbench-heap-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let stack = try EngineStack(path: folder.appendingPathComponent("import.sqlite").path)
    let context = stack.context("import")
    let start = HeapFigures.bytes
    var peak = 0
    for first in stride(from: 0, to: rowCount, by: Assignment.unitSize) {
      try context.performAndWait {
        for index in first..<min(first + Assignment.unitSize, rowCount) {
          ItemModel.plain.set(Item(index: index), on: context.insert(ItemModel.plain.entity))
        }
        try context.save()
        peak = max(peak, HeapFigures.bytes - start)
        context.reset()
      }
      peak = max(peak, HeapFigures.bytes - start)
    }
    try stack.close()
    return peak
  }
}
