/// One thing in which the circumstances of two results differ.
///
/// Whether it matters is for whoever compares to say: `kind` sorts what makes results incomparable (another workload)
/// from what a comparison is about (another version of the tool) or must merely tell (another host).
package struct ManifestDifference: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// A flag that changes what is run, how, or on what, `machine` and `profile` included.
    case flag
    /// Which stacks were run: the flag `topology`.
    case stacks
    /// How often each was run: the flags `trials` and `draws`.
    case extent
    /// A flag that changes no measure: a limit, how often trials are repeated, or how long the host was watched before the trials.
    case precaution
    /// The version of the simulated device's profile, of the same name.
    case profileVersion
    /// A version of the tool, of Swift, of SQLite or of a package.
    case version
    /// Debug or release.
    case configuration
    case host
    case fileSystem
  }

  package var kind: Kind
  /// A flag without its dashes, or what the manifest calls it.
  package var name: String
  /// nil where the first manifest does not know it.
  package var first: String?
  package var second: String?

  package init(_ kind: Kind, _ name: String, first: String?, second: String?) {
    self.kind = kind
    self.name = name
    self.first = first
    self.second = second
  }

  /// `--rows: 5000, then 7000`.
  package var description: String { "\(title): \(Self.shown(first)), then \(Self.shown(second))" }

  /// The name as messages have it: flags with their dashes.
  package var title: String {
    switch kind {
    case .flag, .stacks, .extent, .precaution: "--\(name)"
    default: name
    }
  }

  /// Whether what was measured differs: what is imported, what the UI does meanwhile, or the machine under both.
  ///
  /// Other flags set how a stack goes about it, which is what a comparison may well be about.
  package var isOfWorkload: Bool { kind == .flag && !Self.settings.contains(name) }

  private static let settings: Set<String> = [
    "save-every", "lookup", "strategy", "decode", "fetch-batch-size", "properties-to-fetch", "merge", "merge-policy",
    "store-save", "connection-pool", "journal-mode", "synchronous",
  ]

  private static func shown(_ value: String?) -> String {
    guard let value else { return "not known" }
    return value.isEmpty ? "not given" : value
  }
}

// MARK: - Finding them

extension ManifestDifference {
  /// All differences: flags in the order of their names, then the rest from what weighs most to what weighs least.
  ///
  /// Times, idle ticks, noise and fingerprints are a run's outcome and are not compared.
  package static func between(_ first: Manifest, _ second: Manifest) -> [ManifestDifference] {
    let entries = zip(circumstances(first, besides: second), circumstances(second, besides: first))
    return entries.compactMap { first, second in
      first.value == second.value
        ? nil : ManifestDifference(first.kind, first.name, first: first.value, second: second.value)
    }
  }

  private struct Circumstance {
    var kind: Kind
    var name: String
    var value: String?

    init(_ kind: Kind, _ name: String, _ value: String?) {
      self.kind = kind
      self.name = name
      self.value = value
    }
  }

  /// What `manifest` says of everything that it or `other` speaks of, in the same order for both.
  private static func circumstances(_ manifest: Manifest, besides other: Manifest) -> [Circumstance] {
    let known = flags(of: manifest)
    let flagNames = Set(known.keys).union(flags(of: other).keys).sorted()
    let packages = Set(manifest.versions.packages.keys).union(other.versions.packages.keys).sorted()
    return flagNames.map { Circumstance(kind(ofFlag: $0), $0, known[$0]) }
      + [
        Circumstance(.profileVersion, "profile_version", manifest.profileVersion.map { "\($0)" }),
        Circumstance(.configuration, "configuration", manifest.configuration),
        Circumstance(.version, "tool", manifest.versions.tool),
        Circumstance(.version, "sqlite", manifest.versions.sqlite),
        Circumstance(.version, "swift", manifest.versions.swift),
      ] + packages.map { Circumstance(.version, $0, manifest.versions.packages[$0]) }
      + [
        Circumstance(.host, "cpu_model", manifest.host.cpuModel),
        Circumstance(.host, "cores", "\(manifest.host.cores)"),
        Circumstance(.host, "kernel", manifest.host.kernel),
        Circumstance(.fileSystem, "file_system", manifest.fileSystem.type),
      ]
  }

  /// The flags, with those that a manifest tells apart from them.
  private static func flags(of manifest: Manifest) -> [String: String] {
    var flags = manifest.flags
    flags["machine"] = manifest.machine
    flags["seed"] = "\(manifest.seed)"
    if let profile = manifest.profile { flags["profile"] = profile }
    return flags
  }

  private static func kind(ofFlag name: String) -> Kind {
    switch name {
    case "topology": .stacks
    case "trials", "draws": .extent
    case "time-limit", "idle-seconds", "repeat-limit": .precaution
    default: .flag
    }
  }
}
