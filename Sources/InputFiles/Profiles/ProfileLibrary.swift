import CResources
import Foundation
import MachineCore
import MachineSimulated
import Reporting

/// The profiles that the program contains, and the profiles in files of users.
package enum ProfileLibrary {
  /// The name of the default profile of simulated runs.
  package static let standardName = "iphone-15-pro"

  /// The names of the shipped profiles: the default, then Apple's other handheld devices from the newest to the oldest,
  /// then other devices.
  package static let shippedNames = [
    "iphone-15-pro", "iphone-14-pro", "iphone-12-pro", "iphone-11-pro", "iphone-7-plus", "iphone-6s-plus", "iphone-6s",
    "iphone-6-ios-11", "iphone-6-ios-9", "iphone-5", "ipod-touch-5", "ipad-mini-ios-6", "iphone-4s", "iphone-4",
    "mac-2016", "pixel-3", "host",
  ]

  /// The names of the shipped profiles of Apple's handheld devices.
  package static var handheldNames: [String] { Array(shippedNames.prefix { $0 != "mac-2016" }) }

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
  // The shipped files are read once, since a plan of many runs asks for the same device for each of them.
  private static let readReference = Result { () throws(ProfileError) in
    try ProfileReader(place: referenceName).reference(from: shippedText(referenceName))
  }
  private static let readShape = Result { () throws(ProfileError) in
    try ProfileReader(place: shapeName).shape(from: shippedText(shapeName))
  }
  private static let readDeclarations = Guarded<[String: ProfileDeclaration]>([:])

  /// Returns the shipped reference: the costs, in instructions, that the phones share.
  package static func reference() throws(ProfileError) -> CostReference { try readReference.get() }

  /// Returns the shipped shape: the factors by which the costs of Core Data differ from the costs of this engine.
  package static func shape() throws(ProfileError) -> CostShape { try readShape.get() }

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
        "not known; "
          + (NearestName.question(text, among: shippedNames) ?? "use one of \(names), or a file ending in .yaml"),
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
    guard shippedNames.contains(name) else { return nil }
    if let known = readDeclarations.withLock({ $0[name] }) { return known }
    let declaration = try ProfileReader(place: name).declaration(from: shippedText(name))
    readDeclarations.withLock { $0[name] = declaration }
    return declaration
  }

  private static func shippedText(_ name: String) -> String { String(cString: resource("\(name).yaml")) }

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
