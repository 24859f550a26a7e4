import Topologies

/// The Swift file of a wiring for Apple's framework, in the language mode of Swift 6.
///
/// The text depends on the values only. It has a main-actor class with the contexts, the lists and the edits, a
/// nonisolated extension with the import, the records of the workload, and an example of use. The code compiles with
/// any default isolation, because each declaration names its isolation if it matters.
package struct WiringCode: Sendable {
  let topology: Topology
  let options: WiringCodeOptions
  /// Indicates whether the code marks intervals for Instruments.
  let hasSignposts: Bool
  /// The command that prints the file.
  package let command: String

  package init(
    topology: Topology, options: WiringCodeOptions, hasSignposts: Bool = false, command: String
  ) {
    self.topology = topology
    self.options = options
    self.hasSignposts = hasSignposts
    self.command = command
  }

  /// The text of the file, with a line break at the end.
  package var text: String {
    let extensions = [
      ("Import", "nonisolated extension", importMembers), ("Records", "nonisolated extension", recordMembers),
      ("Use", "extension", [example]),
    ]
    return """
      // \(topology.title) (\(topology.number)), printed by:
      //   \(command)
      // For Swift 6.2 (Xcode 26) or later, on iOS 16 or macOS 13 or later.

      \(imports.map { "import \($0)" }.joined(separator: "\n"))

      \(documentation)
      @MainActor
      final class \(className) {
      \(Self.body(classMembers))
      }

      \(extensions.map { "// MARK: - \($0)\n\n\($1) \(className) {\n\(Self.body($2))\n}" }.joined(separator: "\n\n"))

      """
  }

  var records: PrintedRecords { options.records }

  private var imports: [String] {
    ["CoreData"] + (feedCode?.usesDigests == true ? ["CryptoKit"] : []) + (hasSignposts ? ["os"] : [])
  }

  private var classMembers: [String] {
    [settings, properties] + contextMembers + mergeMembers + remoteMergeMembers + editMembers + listMembers
  }

  private static func body(_ members: [String]) -> String {
    members.map { indented($0) }.joined(separator: "\n\n")
  }
}

// MARK: - Questions about the topology

extension WiringCode {
  /// The name of the private context between the UI context and the store, or nil if the stack has no such context.
  var root: String? { topology.savingRoot }

  /// Indicates whether the stack has a root whose saves do not follow each change immediately.
  var putsOffRootSaves: Bool { root != nil && options.storeSave != .immediate }

  /// Indicates whether errors can occur in posted work, for which no caller waits.
  var postsWork: Bool { root != nil || refetches || mergesHistory }

  /// The rules that merge saves of one context into another.
  var merges: [(source: ContextDescription, target: ContextDescription)] {
    topology.rules.compactMap { rule in
      guard case .didSave(let source) = rule.trigger, case .merge(let target) = rule.action else { return nil }
      return (description(source), description(target))
    }
  }

  /// Returns true if the framework does a rule's merge, since the code makes the target merge automatically: the source
  /// is the target's parent, and no object is fired first.
  func isAutomatic(_ merge: (source: ContextDescription, target: ContextDescription)) -> Bool {
    merge.target.parent == merge.source.name && !merge.target.firesUpdatedObjectsBeforeMerging
  }

  var observedMerges: [(source: ContextDescription, target: ContextDescription)] {
    merges.filter { !isAutomatic($0) }
  }

  /// Returns true if a context merges automatically: it is described so, or a rule's merge into it is automatic.
  func mergesAutomatically(_ context: ContextDescription) -> Bool {
    context.automaticallyMergesChanges || merges.contains { $0.target.name == context.name && isAutomatic($0) }
  }

  /// Indicates whether the import asks for permanent IDs before it pushes.
  ///
  /// A context gets the permanent IDs of its new objects when it saves to the store itself. Objects that a worker
  /// pushes into a UI context with a parent would keep temporary IDs on the screen permanently, because the parent
  /// saves them.
  var importNeedsPermanentIDs: Bool {
    importContext.parent == uiContext.name && uiContext.parent != nil
  }

  /// Indicates whether edits ask for permanent IDs before they push, for the reason given at `importNeedsPermanentIDs`.
  var editsNeedPermanentIDs: Bool { uiContext.parent != nil }
}
