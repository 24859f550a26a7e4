import Foundation
import MachineSimulated
import Reporting

/// The profiles that the program contains, and the profiles in files of users.
package enum ProfileLibrary {
  /// The name of the default profile of simulated runs.
  package static let standardName = "iphone-15-pro"

  /// The names of the shipped profiles: the default, then Apple's other handheld devices from the newest to the oldest,
  /// then other devices.
  package static let shippedNames = shippedTexts.map(\.name)

  /// The names of the shipped profiles of Apple's handheld devices.
  package static var handheldNames: [String] { Array(shippedNames.prefix { $0 != "mac-2016" }) }

  private static let shippedTexts: [(name: String, text: [UInt8])] = [
    ("iphone-15-pro", PackageResources.iphone_15_pro_yaml),
    ("iphone-14-pro", PackageResources.iphone_14_pro_yaml),
    ("iphone-12-pro", PackageResources.iphone_12_pro_yaml),
    ("iphone-11-pro", PackageResources.iphone_11_pro_yaml),
    ("iphone-7-plus", PackageResources.iphone_7_plus_yaml),
    ("iphone-6s-plus", PackageResources.iphone_6s_plus_yaml),
    ("iphone-6s", PackageResources.iphone_6s_yaml),
    ("iphone-6-ios-11", PackageResources.iphone_6_ios_11_yaml),
    ("iphone-6-ios-9", PackageResources.iphone_6_ios_9_yaml),
    ("ipod-touch-5", PackageResources.ipod_touch_5_yaml),
    ("ipad-mini-ios-6", PackageResources.ipad_mini_ios_6_yaml),
    ("iphone-4s", PackageResources.iphone_4s_yaml),
    ("iphone-4", PackageResources.iphone_4_yaml),
    ("mac-2016", PackageResources.mac_2016_yaml),
    ("pixel-3", PackageResources.pixel_3_yaml),
    ("host", PackageResources.host_yaml),
  ]

  /// The name of the shipped reference.
  package static let referenceName = "reference"

  /// The name of the shipped shape.
  package static let shapeName = "core-data"

  /// Returns the shipped profile with a name, or the profile in the file at a path.
  ///
  /// A text that contains a slash or ends in `.yaml` or `.yml` is a path, unless a shipped profile has that name. A
  /// file may refer to shipped profiles, references and shapes only.
  ///
  /// - Throws: `ProfileError` in one line that names the profile or the file.
  package static func profile(named text: String) throws(ProfileError) -> Profile {
    try resolved(try declaration(named: text), place: text)
  }

  /// Returns all shipped profiles in the order of `shippedNames`.
  package static func shipped() throws(ProfileError) -> [Profile] {
    var profiles: [Profile] = []
    for name in shippedNames { profiles.append(try profile(named: name)) }
    return profiles
  }
}

// MARK: - Reference and shape

extension ProfileLibrary {
  /// Returns the shipped reference: the costs, in instructions, that the phones share.
  package static func reference() throws(ProfileError) -> CostReference {
    try ReferenceReader(place: referenceName).reference(
      from: String(decoding: PackageResources.reference_yaml, as: UTF8.self))
  }

  /// Returns the shipped shape: the factors by which the costs of Core Data differ from the costs of this engine.
  package static func shape() throws(ProfileError) -> CostShape {
    try ShapeReader(place: shapeName).shape(from: String(decoding: PackageResources.core_data_yaml, as: UTF8.self))
  }

  private static let catalogue = ProfileCatalogue(
    declaration: { name throws(ProfileError) in try shippedDeclaration(name) },
    reference: { name throws(ProfileError) in name == referenceName ? try reference() : nil },
    shape: { name throws(ProfileError) in name == shapeName ? try shape() : nil })
}

// MARK: - Declarations

extension ProfileLibrary {
  /// Returns the declaration in the shipped profile with a name, or in the file at a path. The names of the reference
  /// and of the shape, which are not devices, are not accepted.
  ///
  /// - Throws: `ProfileError` if there is no such profile, or if the file cannot be read or is not a valid profile.
  package static func declaration(named text: String) throws(ProfileError) -> ProfileDeclaration {
    if let shipped = try shippedDeclaration(text) { return shipped }
    let names = shippedNames.joined(separator: ", ")
    guard text != referenceName, text != shapeName else {
      let content = text == referenceName ? "costs in instructions" : "factors on costs"
      throw ProfileError(
        .unknownProfile, "holds \(content) that devices share and is not a device; use one of \(names)", place: text)
    }
    guard isPath(text) else {
      throw ProfileError(
        .unknownProfile,
        "not known; \(NearestName.clause(text, among: shippedNames))use one of \(names), or a file ending in .yaml",
        place: text)
    }
    guard let data = FileManager.default.contents(atPath: text) else {
      throw ProfileError(.unreadableFile, "cannot be read; use the path of a profile in YAML", place: text)
    }
    guard let yaml = String(validating: data, as: UTF8.self) else {
      throw ProfileError(.malformedText, "not UTF-8 text; use YAML", place: text)
    }
    return try ProfileReader(place: text).declaration(from: yaml)
  }

  /// Returns the declaration in the shipped profile with a name, or nil if no shipped profile has the name.
  package static func shippedDeclaration(_ name: String) throws(ProfileError) -> ProfileDeclaration? {
    guard let shipped = shippedTexts.first(where: { $0.name == name }) else { return nil }
    return try ProfileReader(place: name).declaration(from: String(decoding: shipped.text, as: UTF8.self))
  }

  /// Returns the complete profile of a declaration, which may refer to shipped profiles, references and shapes only.
  ///
  /// - Parameters:
  ///   - declaration: The declaration of the profile.
  ///   - place: The name or the file of the profile, for errors that have no place.
  /// - Returns: The complete profile.
  /// - Throws: `ProfileError` for unknown names, circles, and missing or absurd constants.
  package static func resolved(_ declaration: ProfileDeclaration, place: String) throws(ProfileError) -> Profile {
    do throws(ProfileError) {
      return try declaration.resolved(with: catalogue)
    } catch {
      var error = error
      error.place = error.place ?? place
      throw error
    }
  }

  /// Returns true if a text has the form of a path and not of a profile's name.
  package static func isPath(_ text: String) -> Bool {
    text.contains("/") || text.hasSuffix(".yaml") || text.hasSuffix(".yml")
  }
}
