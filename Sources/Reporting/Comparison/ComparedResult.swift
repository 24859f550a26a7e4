import MachineCore
import Metrics

/// One of the two results of a comparison.
package struct ComparedResult: Hashable, Sendable {
  /// As texts name it: a folder, a revision or a program.
  package var title: String
  /// How it was chosen, if it was not named: `the result before it`.
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

  /// Reads a folder that a run wrote, of this or another version of the tool.
  ///
  /// - Throws: `ReportingError` with code `unreadable` or `malformed`, naming the file and, in a table, the line.
  package init(folder path: String, roles: SettingRoles) throws(ReportingError) {
    let folder = ResultsFolder(path: path)
    let manifest = try folder.manifest()
    let trials = try folder.comparedTrials()
    let counts = Dictionary(grouping: trials, by: \.identity.name).mapValues(\.count)
    if let (name, count) = counts.sorted(by: { $0.key < $1.key }).first(where: { $0.value > Self.largestTrialCount }) {
      throw ReportingError(
        .malformed, path: folder.path(of: TrialTable.fileName),
        message: "\(count) trials of \(QuotedText.of(name)); use at most \(Self.largestTrialCount) of each stack")
    }
    self.init(title: path, manifest: manifest, trials: trials, roles: roles)
  }

  /// The most trials of a stack that `run` makes. A comparison takes the square of it in time and memory.
  private static let largestTrialCount = 1_000

  /// A line for each trial whose data is not right: its figures mean nothing.
  package var failures: [String] {
    trials.filter { $0.measures.verified != 1 }.map {
      "\(title): \($0.identity.name), trial \($0.identity.trial): its data did not verify"
    }
  }
}

// MARK: - Likeness

extension ComparedResult {
  /// Why two results cannot be compared: what differs first, with both its values; nil if they can.
  ///
  /// - Parameter standardFlags: what flags come out as unless they are given, for those that one of the results does not
  ///   know because its version did not have them.
  package static func refusal(
    _ first: ComparedResult, _ second: ComparedResult, standardFlags: [String: String] = [:]
  ) -> String? {
    // The machine first: on another one many flags come out otherwise.
    let differences = ManifestDifference.between(first.manifest, second.manifest, roles: first.roles)
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
      return "\(first.title) and \(second.title) are not alike: \(standing); use runs that differ in no such thing"
    }
    let names = Set(first.trials.map(\.identity.name))
    guard second.trials.contains(where: { names.contains($0.identity.name) }) else {
      return
        "\(first.title) and \(second.title) have no stack in common; use runs of the same \(first.roles.words.stacks)"
    }
    let digests = [first, second].map { Set($0.trials.compactMap(\.measures.storeDigest)) }
    if digests[0].count == 1, digests[1].count == 1, digests[0] != digests[1] {
      return "\(first.title) and \(second.title) are not alike: store_digest differs, they imported different data; "
        + "use runs of the same feed, or of versions that generate the same workload"
    }
    return nil
  }

  /// What differs and is no reason not to compare, or casts doubt on the figures: a line each.
  package static func notes(_ first: ComparedResult, _ second: ComparedResult) -> [String] {
    let differences = ManifestDifference.between(first.manifest, second.manifest, roles: first.roles)
    func named(_ kinds: Set<ManifestDifference.Kind>) -> [ManifestDifference] {
      differences.filter { kinds.contains($0.kind) && !$0.isOfWorkload }
    }
    var notes = named([.setting(.wiring)]).map { "Differs: \($0)." } + named([.version]).map { "Differs: \($0)." }
    if first.manifest.machine == "live" {
      notes += named([.host, .fileSystem]).map { "Warning: not the same machine: \($0)." }
    }
    if second.manifest.startedAt < first.manifest.startedAt {
      notes.append("Note: \(second.title) was measured before \(first.title); swap them if that is not what you mean.")
    }
    for result in [first, second] {
      // A simulated result is the same in every build.
      if result.manifest.configuration != "release", result.manifest.machine == "live" {
        notes.append("Warning: \(result.title): a \(result.manifest.configuration) build: no figure means anything.")
      }
      if result.manifest.idleTicks?.isOverLimit == true {
        notes.append(
          "Warning: \(result.title): the host was too busy for its figures: idle ticks started over 1 ms late.")
      }
      if result.manifest.fileSystem.isTmpfs {
        notes.append("Warning: \(result.title): the store lay in memory: syncs cost nothing there.")
      }
    }
    return notes
  }
}
