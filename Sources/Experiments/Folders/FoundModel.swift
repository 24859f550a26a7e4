import ContextEngine
import Harness
import Workloads

/// A model in a folder.
struct FoundModel {
  /// A version of the model for the comparison with stores.
  struct Version {
    let name: String
    let model: ManagedObjectModel
  }

  /// The path relative to the folder.
  let path: String
  /// The path by which the model is read.
  let place: String
  /// The number of entities of the current version.
  let entityCount: Int
  /// The versions that can be read, the current one first.
  let versions: [Version]

  /// Reads a model.
  ///
  /// - Parameters:
  ///   - path: The path of the model relative to the folder.
  ///   - place: The path by which the model is read.
  /// - Throws: `ModelError` if the current version cannot be read or used.
  init(_ path: String, at place: String) throws(ModelError) {
    let document = try ModelDocument(path: place)
    let current = Version(name: document.version, model: try EngineModel(document).model)
    var versions = [current]
    for name in document.versions.sorted() where name != document.version {
      guard let other = try? ModelDocument(path: place, version: name), let model = try? EngineModel(other).model else {
        continue
      }
      versions.append(Version(name: name, model: model))
    }
    (self.path, self.place, self.versions) = (path, place, versions)
    entityCount = document.entities.count
  }

  /// The model with a remark about its size.
  var file: FoundFile { FoundFile(path: path, remark: counted(entityCount, "entity", "entities")) }
}
