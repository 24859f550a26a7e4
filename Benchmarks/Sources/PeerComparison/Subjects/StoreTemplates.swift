import ContextEngine
import Foundation

/// The stores that cases start from: each is made once, by the engine, and copied for every run.
package final class StoreTemplates {
  /// The number of rows of a list on screen.
  package static let listRowCount = 10_000

  private let folder: String
  private let rowCount: Int
  private var itemFiles: [Int: ItemFile] = [:]
  private var paths: [BenchmarkCase.StartingStore: String] = [:]
  private var copyCount = 0

  /// Creates templates.
  ///
  /// - Parameters:
  ///   - rowCount: The number of rows of a template.
  ///   - folder: The folder of the templates and their copies, which the caller removes.
  package init(rowCount: Int, in folder: String) {
    self.rowCount = rowCount
    self.folder = folder
  }

  /// Returns the items of a case.
  package func items(for benchmark: BenchmarkCase) throws -> ItemFile {
    let count = benchmark.startingStore == .list ? min(Self.listRowCount, rowCount) : rowCount
    if let known = itemFiles[count] { return known }
    let file = try ItemFile(count: count, in: folder)
    itemFiles[count] = file
    return file
  }

  /// Returns the path of a store for one run of the case. Call `remove` afterwards.
  package func copy(for benchmark: BenchmarkCase) throws -> String {
    let template = try template(for: benchmark)
    copyCount += 1
    let path = "\(folder)/run-\(copyCount).sqlite"
    try FileManager.default.copyItem(atPath: template, toPath: path)
    return path
  }

  package func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }

  private func template(for benchmark: BenchmarkCase) throws -> String {
    let start = benchmark.startingStore
    if let known = paths[start] { return known }
    let path = "\(folder)/template-\(start.rawValue).sqlite"
    let items = try items(for: benchmark).items
    switch start {
    case .empty: try Self.make(path, of: [], ItemModel.plain)
    case .full, .list: try Self.make(path, of: items, ItemModel.plain)
    case .half:
      let everySecond = stride(from: 0, to: items.count, by: 2).map { items[$0] }
      try Self.make(path, of: everySecond, ItemModel.keyed)
    case .family: try FamilyModel.makeStore(path, of: items)
    }
    paths[start] = path
    return path
  }

  private static func make(_ path: String, of items: [Item], _ paths: ItemPaths) throws {
    let stack = try EngineStack(path: path)
    let context = stack.context("template")
    for unit in items.units(of: Assignment.unitSize) {
      try context.performAndWait {
        for item in unit { paths.set(item, on: context.insert(paths.entity)) }
        try context.save()
      }
    }
    try stack.close()
  }
}
