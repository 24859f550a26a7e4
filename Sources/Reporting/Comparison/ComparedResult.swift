import MachineCore
import Metrics
import OutputFiles

/// One of the two results of a comparison.
package struct ComparedResult: Hashable, Sendable {
  /// The name of the result in texts: a folder, a revision or a program.
  package var title: String
  /// The way in which the result was chosen, as in `the result before it`, or nil if the user named it.
  package var origin: String?
  package var manifest: Manifest
  /// The roles of the settings that the manifest records.
  package var roles: SettingRoles
  package var trials: [TrialRecord]
  /// The change of the computer's speed over the trials of both sides. Only the first result has it; it is nil if the
  /// figures are as they were measured.
  package var turnDrift: YardstickDrift?

  package init(title: String, manifest: Manifest, trials: [TrialRecord], roles: SettingRoles) {
    self.title = title
    self.roles = roles
    self.manifest = manifest
    self.trials = trials
  }

  /// Reads a folder that a run of this or another version of the tool wrote.
  ///
  /// - Throws: `FileError` with code `unreadable` or `malformed`, naming the file and, in a table, the line.
  package init(folder path: String, roles: SettingRoles) throws(FileError) {
    let folder = ResultsFolder(path: path)
    let manifest = try folder.manifest()
    let trials = try folder.comparedTrials()
    let counts = Dictionary(grouping: trials, by: \.identity.name).mapValues(\.count)
    if let (name, count) = counts.sorted(by: { $0.key < $1.key }).first(where: { $0.value > Self.largestTrialCount }) {
      throw FileError(
        .malformed, path: folder.path(of: TrialTable.fileName),
        message: "\(count) trials of \(QuotedText.of(name)); use at most \(Self.largestTrialCount) of each stack")
    }
    self.init(title: path, manifest: manifest, trials: trials, roles: roles)
  }

  /// The largest number of trials of a stack that `run` makes. The time and memory of a comparison grow with its
  /// square.
  private static let largestTrialCount = 1_000

  /// A line for each trial whose data did not verify. The figures of such a trial are meaningless.
  package var failures: [String] {
    trials.filter { $0.measures.verified != 1 }.map {
      "\(title): \($0.identity.name), trial \($0.identity.trial): its data did not verify"
    }
  }
}

// MARK: - Likeness

extension ComparedResult {
  /// Returns the reason why two results cannot be compared.
  ///
  /// - Parameters:
  ///   - first: The first result.
  ///   - second: The second result.
  ///   - standardFlags: The values that flags have unless they are given, for flags that one of the results does not
  ///     record because its version did not have them.
  /// - Returns: A sentence on the first difference, or nil if the results can be compared.
  package static func refusal(
    _ first: ComparedResult, _ second: ComparedResult, standardFlags: [String: String] = [:]
  ) -> String? {
    // The machine is compared first, since many flags have other values on another machine.
    let differences = ManifestDifference.between(first.manifest, and: second.manifest, roles: first.roles)
    let ordered = differences.filter { $0.name == "machine" } + differences.filter { $0.name != "machine" }
    let standing = ordered.first { difference in
      switch difference.kind {
      case .setting(let role):
        guard [.workload, .device, .wiring].contains(role) else { return false }
        let standard = standardFlags[difference.name]
        return difference.isOfWorkload && (difference.first ?? standard) != (difference.second ?? standard)
      case .profileVersion, .configuration: return true
      case .version, .host, .fileSystem: return false
      }
    }
    if let standing {
      return "\(first.title) and \(second.title) cannot be compared: \(standing); use runs for which this is the same"
    }
    let names = Set(first.trials.map(\.identity.name))
    guard second.trials.contains(where: { names.contains($0.identity.name) }) else {
      return
        "\(first.title) and \(second.title) have no stack in common; use runs of the same \(first.roles.words.stacks)"
    }
    let digests = [first, second].map { Set($0.trials.compactMap(\.measures.storeDigest)) }
    if digests[0].count == 1, digests[1].count == 1, digests[0] != digests[1] {
      return
        "\(first.title) and \(second.title) cannot be compared: store_digest differs, so they imported different data; "
        + "use runs of the same feed, or of versions that generate the same workload"
    }
    return nil
  }

  /// Returns a line for each difference that does not prevent a comparison, and for each circumstance that casts doubt
  /// on the figures.
  package static func notes(_ first: ComparedResult, _ second: ComparedResult) -> [String] {
    let differences = ManifestDifference.between(first.manifest, and: second.manifest, roles: first.roles)
    func named(_ kinds: Set<ManifestDifference.Kind>) -> [ManifestDifference] {
      differences.filter { kinds.contains($0.kind) && !$0.isOfWorkload }
    }
    var notes = named([.setting(.wiring)]).map { "Differs: \($0)." } + named([.version]).map { "Differs: \($0)." }
    if first.manifest.machine == "live" {
      notes += named([.host, .fileSystem]).map { "Warning: different computers: \($0)." }
    }
    if second.manifest.startedAt < first.manifest.startedAt {
      notes.append("Note: \(second.title) was measured before \(first.title); swap them if that is not intended.")
    }
    for result in [first, second] {
      if result.manifest.isMeasuredUnoptimised {
        notes.append(
          "Warning: \(result.title): a \(result.manifest.configuration) build, so the figures are not valid.")
      }
      if result.manifest.idleTicks?.isOverLimit == true {
        notes.append(
          "Warning: \(result.title): the computer was too busy for valid figures: idle ticks started more than 1 ms "
            + "late."
        )
      }
      if result.manifest.isMeasuredInMemory {
        notes.append("Warning: \(result.title): the store was in memory, where syncs take no time.")
      }
    }
    return notes
  }
}
