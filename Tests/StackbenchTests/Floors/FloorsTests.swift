import Foundation
import Testing

/// The direction of references between the folders of large targets.
@Suite struct FloorsTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the Swift files of a module, by path.
  private static func files(of module: String) throws -> [Floors.File] {
    let folder = root.appendingPathComponent("Sources/\(module)").resolvingSymlinksInPath()
    let enumerator = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var files: [Floors.File] = []
    for case let url as URL in enumerator where url.pathExtension == "swift" {
      let path = String(url.resolvingSymlinksInPath().path.dropFirst(folder.path.count + 1))
      files.append(Floors.File(path: path, source: try String(contentsOf: url, encoding: .utf8)))
    }
    return files.sorted { $0.path < $1.path }
  }

  private static let all = [
    Floors.contextEngine, .sqlitePersistence, .workloads, .metrics, .harness, .reporting, .experiments,
  ]

  @Test(arguments: all)
  func `no file refers to a floor above its own`(floors: Floors) throws {
    let files = try Self.files(of: floors.module)
    #expect(files.count > 30)
    let imported = try floors.imports.flatMap { try Self.files(of: $0) }
    let wrong = floors.wrongReferences(in: files, imported: imported)
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }

  @Test(arguments: all)
  func `every listed folder has files, and every wing's floor is listed`(floors: Floors) throws {
    let used = Set(try Self.files(of: floors.module).map(\.folder))
    for folder in floors.folders {
      #expect(used.contains(folder.name))
      if case .wing(let floor) = folder.place {
        #expect(floors.folders.contains { $0.name == floor && $0.place == .floor })
      }
    }
  }

  @Test(arguments: [Floors.contextEngine, .sqlitePersistence])
  func `the page of floors contains the table of the code`(floors: Floors) throws {
    let page = Self.root.appendingPathComponent("Sources/ContextEngine/ContextEngine.docc/Floors.md")
    let lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
    let heading = try #require(lines.firstIndex(of: "## \(floors.module)"))
    let table = lines[heading...].drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
    #expect(Array(table) == floors.markdown)
  }

  @Test(arguments: all)
  func `the page of the architecture lists the floors from the lowest to the highest`(floors: Floors) throws {
    let page = try String(contentsOf: Self.root.appendingPathComponent("ARCHITECTURE.md"), encoding: .utf8)
    let names = floors.folders.filter { $0.place == .floor }.map(\.name).joined(separator: ", ")
    #expect(page.replacing(/\s+/, with: " ").contains("- `\(floors.module)`: \(names)."))
  }
}
