import Foundation
import MachineCore

/// The file that has the wanted version of a model, found for a path of any of the forms that Xcode writes.
struct ModelBundle {
  /// The names of all versions, in the order of their names, without `.xcdatamodel`.
  let versions: [String]
  /// The version that the bundle names as its current one, or nil if it does not name one.
  let currentVersion: String?
  /// The version that `contents` belongs to.
  let version: String
  /// The path of the file with the XML text.
  let contents: String

  /// The size of the largest file of a model, in bytes.
  static let largestByteCount = 16_000_000
  /// The size of the largest file that names the current version. A reader of property lists calls itself for each
  /// level, and so little text has few levels.
  private static let largestPropertyListByteCount = 4_096
  private static let versionSuffix = ".xcdatamodel"

  /// Finds the contents of a model.
  ///
  /// - Parameters:
  ///   - path: A `.xcdatamodeld` or `.xcdatamodel` folder, or a file with the XML text of a model.
  ///   - version: The name of the wanted version, or nil for the current one.
  /// - Throws: `ModelError` if the path leads to no model, the model is binary, or the version is not known.
  init(path: String, version: String?) throws(ModelError) {
    let path = Self.withoutTrailingSlashes(path)
    guard try BoundedFile.kind(of: path) == S_IFDIR else {
      try self.init(file: path, version)
      return
    }
    let names = try Self.names(in: path)
    let versions = Self.versions(in: names)
    if path.hasSuffix(".momd") {
      throw Self.compiled(path)
    } else if path.hasSuffix(".xcdatamodeld") || !versions.isEmpty {
      try self.init(bundle: path, names: names, versions: versions, version)
    } else {
      try self.init(folder: path, names: names, version)
    }
  }

  private init(
    bundle path: String, names: [String], versions: [String], _ wanted: String?
  ) throws(ModelError) {
    guard !versions.isEmpty else {
      throw ModelError(
        .notAModel, "the folder has no version; a .xcdatamodeld folder contains .xcdatamodel folders", place: path)
    }
    self.versions = versions
    let marker = path + "/.xccurrentversion"
    var named: String?
    if names.contains(".xccurrentversion") {
      do throws(ModelError) {
        named = try Self.currentVersion(in: marker, of: path)
      } catch {
        // A damaged file does not prevent the choice of a version by its name.
        if wanted == nil { throw error }
      }
    }
    currentVersion = named.flatMap { versions.contains($0) ? $0 : nil } ?? (versions.count == 1 ? versions[0] : nil)
    if let wanted {
      version = try Self.choice(wanted, of: versions, path: path)
    } else if let named {
      guard versions.contains(named) else {
        throw ModelError(
          .unknownVersion,
          "\(QuotedText.of(named)) is named as the current version, which the folder does not have; "
            + "use \(Self.list(versions))", place: marker)
      }
      version = named
    } else {
      guard versions.count == 1 else {
        throw ModelError(
          .unknownVersion, "no current version is named; choose one of \(Self.list(versions))", place: path)
      }
      version = versions[0]
    }
    contents = try Self.contents(of: "\(path)/\(version)\(Self.versionSuffix)", in: path)
  }

  private init(folder path: String, names: [String], _ wanted: String?) throws(ModelError) {
    guard path.hasSuffix(Self.versionSuffix) || names.contains("contents") || names.contains("elements") else {
      throw ModelError(
        .notAModel,
        "the folder is no data model; use a .xcdatamodeld or .xcdatamodel folder, or the contents file in it",
        place: path)
    }
    version = try Self.onlyVersion(Self.versionName(path), wanted: wanted, path: path)
    versions = [version]
    currentVersion = version
    contents = try Self.contents(of: path, in: path)
  }

  private init(file path: String, _ wanted: String?) throws(ModelError) {
    if path.hasSuffix(".mom") || path.hasSuffix(".omo") { throw Self.compiled(path) }
    let folder = URL(filePath: path).deletingLastPathComponent().lastPathComponent
    let name = URL(filePath: path).lastPathComponent
    let isInVersion = name == "contents" && folder.hasSuffix(Self.versionSuffix)
    version = try Self.onlyVersion(isInVersion ? Self.versionName(folder) : name, wanted: wanted, path: path)
    versions = [version]
    currentVersion = version
    contents = path
  }
}

// MARK: - Versions

extension ModelBundle {
  private static func versions(in names: [String]) -> [String] {
    names.filter { $0.hasSuffix(versionSuffix) && !$0.hasPrefix(".") }.map(versionName).sorted { left, right in
      switch left.compare(right, options: [.caseInsensitive, .numeric]) {
      case .orderedSame: left < right
      case let order: order == .orderedAscending
      }
    }
  }

  /// Returns the last part of a path without `.xcdatamodel`.
  private static func versionName(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.hasSuffix(versionSuffix) ? String(name.dropLast(versionSuffix.count)) : name
  }

  private static func choice(_ wanted: String, of versions: [String], path: String) throws(ModelError) -> String {
    let name = wanted.hasSuffix(versionSuffix) ? String(wanted.dropLast(versionSuffix.count)) : wanted
    guard versions.contains(name) else {
      throw ModelError(
        .unknownVersion, "there is no version \(QuotedText.of(wanted)); use \(list(versions))", place: path)
    }
    return name
  }

  private static func onlyVersion(_ name: String, wanted: String?, path: String) throws(ModelError) -> String {
    guard let wanted else { return name }
    return try choice(wanted, of: [name], path: path)
  }

  /// Returns the names as an error lists them: all, or the first of many.
  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(20).map { QuotedText.of($0) }.joined(separator: ", ")
    return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
  }

  /// Returns the version that a `.xccurrentversion` file names, or nil if it does not name one.
  private static func currentVersion(in marker: String, of bundle: String) throws(ModelError) -> String? {
    try BoundedFile.requireInside(bundle, path: marker)
    let bytes = try BoundedFile.bytes(of: marker, limit: largestPropertyListByteCount)
    guard !bytes.isEmpty else { return nil }
    let list = try? PropertyListSerialization.propertyList(from: bytes, format: nil)
    guard let list = list as? [String: Any] else {
      throw ModelError(
        .malformedText, "the file is no property list with a dictionary; use one with _XCCurrentVersionName",
        place: marker)
    }
    guard let value = list["_XCCurrentVersionName"] else { return nil }
    guard let name = value as? String else {
      throw ModelError(
        .invalidValue, "the value is not a text; use the name of a version", place: marker,
        field: "_XCCurrentVersionName")
    }
    guard !name.isEmpty else { return nil }
    // The whole text is the name: a path would not be among the versions.
    return name.hasSuffix(versionSuffix) ? String(name.dropLast(versionSuffix.count)) : name
  }
}

// MARK: - Folders

extension ModelBundle {
  /// Returns the path of the XML text of a version's folder.
  private static func contents(of version: String, in bundle: String) throws(ModelError) -> String {
    try BoundedFile.requireInside(bundle, path: version)
    guard try BoundedFile.kind(of: version) == S_IFDIR else { throw binary(version) }
    let names = try names(in: version)
    guard names.contains("contents") else {
      if names.contains("elements") { throw binary(version) }
      throw ModelError(
        .notAModel, "the folder has no contents file; a .xcdatamodel folder contains one", place: version)
    }
    let contents = version + "/contents"
    try BoundedFile.requireInside(bundle, path: contents)
    return contents
  }

  private static func names(in folder: String) throws(ModelError) -> [String] {
    guard let stream = opendir(folder) else { throw BoundedFile.unreadable(folder, code: errno) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { name in
          name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
        })
    }
    return names.sorted()
  }

  private static func withoutTrailingSlashes(_ path: String) -> String {
    var path = path[...]
    while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    return String(path)
  }

  /// Returns the error about a model in the format from before Xcode 4.
  static func binary(_ path: String) -> ModelError {
    ModelError(
      .binaryModel, "the model is in the binary format from before Xcode 4; open it in Xcode 4 or newer and save it",
      place: path)
  }

  private static func compiled(_ path: String) -> ModelError {
    ModelError(.binaryModel, "the model is compiled; use its source, the .xcdatamodeld folder", place: path)
  }
}
