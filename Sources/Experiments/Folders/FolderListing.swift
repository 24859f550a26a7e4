import Foundation
import Glibc
import OutputFiles

/// The files of a folder that may be models, feeds, stores or YAML, as paths relative to it.
///
/// The folder is searched to a limited depth, in the order of the names. Hidden entries, links, folders with what tools
/// build or download, packages such as asset catalogues, and results of this program are left out.
struct FolderListing {
  /// The number of folders that a path may have below the searched one.
  static let deepestLevel = 5
  /// The largest number of entries that are looked at.
  static let largestCount = 20_000

  private static let builtFolders: Set = [
    "build", "Build", "Carthage", "DerivedData", "node_modules", "Pods", "SourcePackages", "vendor",
  ]
  private static let packageEndings: Set = [
    "app", "appex", "docc", "dSYM", "framework", "lproj", "momd", "playground", "xcarchive", "xcassets",
    "xcframework", "xcodeproj", "xcresult", "xcworkspace",
  ]
  private static let modelEndings: Set = ["xcdatamodeld", "xcdatamodel"]

  /// The paths of the model folders.
  private(set) var models: [String] = []
  /// The paths of the regular files.
  private(set) var files: [String] = []
  /// True if the folder has more entries than are looked at.
  private(set) var isCut = false
  private let root: String
  private var count = 0

  /// Lists a folder.
  ///
  /// - Parameter root: The path of the folder.
  init(_ root: String) {
    self.root = root
    list("", level: 0)
  }

  private mutating func list(_ folder: String, level: Int) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []
    guard level == 0 || !Self.isResult(names) else { return }
    var folders: [String] = []
    for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) where !name.hasPrefix(".") {
      count += 1
      guard count <= Self.largestCount else {
        isCut = true
        return
      }
      let entry = folder.isEmpty ? name : "\(folder)/\(name)"
      switch FolderEntries.kind(at: path(entry)) {
      case S_IFREG: files.append(entry)
      case S_IFDIR where Self.modelEndings.contains(ending(of: name)): models.append(entry)
      case S_IFDIR where !Self.builtFolders.contains(name) && !Self.packageEndings.contains(ending(of: name)):
        folders.append(entry)
      default: break
      }
    }
    guard level < Self.deepestLevel else { return }
    for entry in folders { list(entry, level: level + 1) }
  }

  /// Returns true if the names are those of a folder with a result of this program.
  private static func isResult(_ names: [String]) -> Bool {
    let names = Set(names)
    return names.contains("plan.jsonl")
      || names.contains("manifest.json") && !names.isDisjoint(with: ["summary.csv", "trials.csv", "killed.csv"])
  }

  private func path(_ entry: String) -> String { entry.isEmpty ? root : "\(root)/\(entry)" }

  private func ending(of name: String) -> String { Self.ending(of: name) }

  /// Returns the ending of a name, without its point. It is empty if the name has none.
  static func ending(of name: String) -> String {
    name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
  }
}
