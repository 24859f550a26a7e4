import Foundation
import MachineSimulated

/// The profiles that ship inside the program, and those that a user writes.
enum ProfileLibrary {
  /// The phone that a simulated run stands for unless told otherwise.
  static let standardName = "iphone-15-pro"

  /// The shipped profiles, the default first, then the newest phone to the oldest, then what is no iPhone.
  static let shippedNames = shippedTexts.map(\.name)

  private static let shippedTexts: [(name: String, text: [UInt8])] = [
    ("iphone-15-pro", PackageResources.iphone_15_pro_yaml),
    ("iphone-12-pro", PackageResources.iphone_12_pro_yaml),
    ("iphone-6s", PackageResources.iphone_6s_yaml),
    ("iphone-6-ios-11", PackageResources.iphone_6_ios_11_yaml),
    ("ipad-mini-ios-6", PackageResources.ipad_mini_ios_6_yaml),
    ("iphone-4s", PackageResources.iphone_4s_yaml),
    ("pixel-3", PackageResources.pixel_3_yaml),
    ("host", PackageResources.host_yaml),
  ]

  /// The profile of that name, or in that file.
  ///
  /// A text with a slash or that ends in `.yaml` or `.yml` is a path. What a file leans on is always shipped.
  ///
  /// - Throws: `CommandFailure` of bad usage, one line that names the profile or the file.
  static func profile(named text: String) throws(CommandFailure) -> Profile {
    do throws(ProfileError) {
      return try resolved(try declaration(named: text), place: text)
    } catch {
      throw .usage(error.description)
    }
  }

  /// All shipped profiles, in their order.
  static func shipped() throws(CommandFailure) -> [Profile] {
    var profiles: [Profile] = []
    for name in shippedNames { profiles.append(try profile(named: name)) }
    return profiles
  }
}

// MARK: - Declarations

extension ProfileLibrary {
  /// What is written in the shipped profile of that name, or in that file.
  static func declaration(named text: String) throws(ProfileError) -> ProfileDeclaration {
    if let shipped = try shippedDeclaration(text) { return shipped }
    guard isPath(text) else {
      let names = shippedNames.joined(separator: ", ")
      throw ProfileError(.unknownProfile, "not known; use one of \(names), or a file ending in .yaml", place: text)
    }
    guard let data = FileManager.default.contents(atPath: text) else {
      throw ProfileError(.unreadableFile, "cannot be read; use the path of a profile in YAML", place: text)
    }
    guard let yaml = String(validating: data, as: UTF8.self) else {
      throw ProfileError(.malformedText, "not UTF-8 text; use YAML", place: text)
    }
    return try ProfileReader(place: text).declaration(from: yaml)
  }

  static func shippedDeclaration(_ name: String) throws(ProfileError) -> ProfileDeclaration? {
    guard let shipped = shippedTexts.first(where: { $0.name == name }) else { return nil }
    return try ProfileReader(place: name).declaration(from: String(decoding: shipped.text, as: UTF8.self))
  }

  /// The complete profile; leans on shipped ones only.
  static func resolved(_ declaration: ProfileDeclaration, place: String) throws(ProfileError) -> Profile {
    do throws(ProfileError) {
      return try declaration.resolved { name throws(ProfileError) in try shippedDeclaration(name) }
    } catch {
      var error = error
      error.place = error.place ?? place
      throw error
    }
  }

  /// Whether a text names a file and not a shipped profile.
  static func isPath(_ text: String) -> Bool {
    text.contains("/") || text.hasSuffix(".yaml") || text.hasSuffix(".yml")
  }
}
