/// A difference between the circumstances of two results.
///
/// Its kind separates differences that make results incomparable (another workload) from those that a comparison is
/// about (another version of the tool) and those that it only mentions (another host).
package struct ManifestDifference: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// A setting of a run.
    case setting(SettingRole)
    /// The version of the simulated device's profile; the profile's name is the same.
    case profileVersion
    /// A version of the tool, of Swift, of SQLite or of a package.
    case version
    /// Debug or release.
    case configuration
    case host
    case fileSystem
  }

  package var kind: Kind
  /// The name in the manifest.
  package var name: String
  /// The name in messages, which is the option for a setting.
  package var title: String
  /// The value in the first manifest, or nil if that manifest does not record it.
  package var first: String?
  package var second: String?

  package init(_ kind: Kind, name: String, title: String? = nil, first: String?, second: String?) {
    self.kind = kind
    self.name = name
    self.title = title ?? name
    self.first = first
    self.second = second
  }

  /// The difference in words: `--rows: 5000, then 7000`.
  package var description: String { "\(title): \(Self.shown(first)), then \(Self.shown(second))" }

  /// True if the subject of the measurement differs: the imported data, the work of the user interface during the
  /// import, or the machine.
  package var isOfWorkload: Bool { [.setting(.workload), .setting(.device)].contains(kind) }

  private static func shown(_ value: String?) -> String {
    guard let value else { return "not known" }
    return value.isEmpty ? "not given" : value
  }
}

// MARK: - Finding them

extension ManifestDifference {
  /// Returns all differences: flags in the order of their names, then the descriptions of stacks and the maps of the
  /// same name, then the others from the most to the least important.
  ///
  /// Times, idle ticks, noise and fingerprints are the outcome of a run and are not compared.
  package static func between(
    _ first: Manifest, and second: Manifest, roles: SettingRoles
  ) -> [ManifestDifference] {
    let entries = zip(
      circumstances(of: first, besides: second, roles: roles), circumstances(of: second, besides: first, roles: roles))
    let differences = entries.compactMap { first, second in
      first.value == second.value
        ? nil
        : ManifestDifference(
          first.kind, name: first.name, title: first.isSetting ? roles.words.option(first.name) : nil,
          first: first.value,
          second: second.value)
    }
    let ofSettings = differences.prefix { if case .setting = $0.kind { true } else { false } }
    return ofSettings + stackDifferences(between: first, and: second) + mapDifference(between: first, and: second)
      + differences.dropFirst(ofSettings.count)
  }

  /// Returns a difference for each stack that both runs had by the same name and with different descriptions.
  private static func stackDifferences(between first: Manifest, and second: Manifest) -> [ManifestDifference] {
    func own(_ title: String, in manifest: Manifest) -> OwnTopology? {
      manifest.ownTopologies?.first { $0.title == title }
    }
    func origin(_ topology: OwnTopology?) -> String { topology == nil ? "one of Stackbench's own" : "from a file" }
    return first.stackTitles.filter(second.stackTitles.contains).compactMap { title in
      let (before, after) = (own(title, in: first), own(title, in: second))
      guard let before, let after else {
        return before == after
          ? nil
          : ManifestDifference(
            .setting(.wiring), name: Manifest.SettingName.topology.rawValue, title: "the stack \(title)",
            first: origin(before), second: origin(after))
      }
      return before.difference(from: after).map { difference in
        ManifestDifference(
          .setting(.wiring), name: Manifest.SettingName.topology.rawValue,
          title: "the stack \(title), \(difference.path)",
          first: difference.first, second: difference.second)
      }
    }
  }

  /// Returns the first difference between the maps of two runs whose maps had the same name.
  private static func mapDifference(between first: Manifest, and second: Manifest) -> [ManifestDifference] {
    let name = Manifest.SettingName.map.rawValue
    guard first.flags[name] == second.flags[name], let before = first.map, let after = second.map,
      let difference = before.difference(from: after)
    else { return [] }
    return [
      ManifestDifference(
        .setting(.workload), name: name, title: "the map, \(difference.path)", first: difference.first,
        second: difference.second)
    ]
  }

  private struct Circumstance {
    var kind: Kind
    var name: String
    var value: String?
    var isSetting: Bool { if case .setting = kind { true } else { false } }

    init(_ kind: Kind, name: String, value: String?) {
      self.kind = kind
      self.name = name
      self.value = value
    }
  }

  /// Returns the values in `manifest` of all circumstances that it or `other` records, in the same order for both.
  private static func circumstances(
    of manifest: Manifest, besides other: Manifest, roles: SettingRoles
  ) -> [Circumstance] {
    let known = flags(of: manifest)
    let flagNames = Set(known.keys).union(flags(of: other).keys).sorted()
    let packages = Set(manifest.versions.packages.keys).union(other.versions.packages.keys).sorted()
    return flagNames.map { Circumstance(.setting(roles[$0]), name: $0, value: known[$0]) }
      + [
        Circumstance(.profileVersion, name: "profile_version", value: manifest.profileVersion.map { "\($0)" }),
        Circumstance(.configuration, name: "configuration", value: manifest.configuration),
        Circumstance(.version, name: "tool", value: manifest.versions.tool),
        Circumstance(.version, name: "sqlite", value: manifest.versions.sqlite),
        Circumstance(.version, name: "swift", value: manifest.versions.swift),
      ] + packages.map { Circumstance(.version, name: $0, value: manifest.versions.packages[$0]) }
      + [
        Circumstance(.host, name: "cpu_model", value: manifest.host.cpuModel),
        Circumstance(.host, name: "cores", value: "\(manifest.host.cores)"),
        Circumstance(.host, name: "kernel", value: manifest.host.kernel),
        Circumstance(.fileSystem, name: "file_system", value: manifest.fileSystem.type),
      ]
  }

  /// Returns the flags, together with the machine, the seed and the profile, which a manifest records separately.
  private static func flags(of manifest: Manifest) -> [String: String] {
    var flags = manifest.flags
    flags["machine"] = manifest.machine
    flags["seed"] = "\(manifest.seed)"
    if let profile = manifest.profile { flags["profile"] = profile }
    return flags
  }
}
