/// The versions that the manifest of a result contains.
package enum PackageVersions {
  /// The version of this program.
  package static let tool = "0.1.0"

  /// The versions of the packages that the program depends on. A test checks that they match `Package.swift`.
  static let packages = [
    "Yams": "6.2.2",
    "swift-argument-parser": "1.8.2",
    "swift-collections": "1.6.0",
    "swift-subprocess": "1.0.2",
    "swift-system": "1.8.1",
  ]
}
