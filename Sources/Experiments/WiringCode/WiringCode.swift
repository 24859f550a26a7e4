import Harness
import Topologies
import Workloads

/// The Swift file of a wiring for Apple's framework, in the language mode of Swift 6.
///
/// The text depends on the values only. It has a main-actor class with the contexts, the lists and the edits, a
/// nonisolated extension with the import, the records of the workload, and an example of use. The code compiles with
/// any default isolation, because each declaration names its isolation if it matters.
package struct WiringCode: Sendable {
  let topology: Topology
  let shape: PrintableShape
  let options: WiringCodeOptions
  /// Indicates whether the code marks intervals for Instruments.
  let hasSignposts: Bool
  /// The command that prints the file.
  package let command: String

  package init(
    topology: Topology, options: WiringCodeOptions, hasSignposts: Bool = false, command: String
  ) {
    self.topology = topology
    shape = PrintableShape(topology)
    self.options = options
    self.hasSignposts = hasSignposts
    self.command = command
  }

  /// The text of the file, with a line break at the end.
  package var text: String {
    let code: Code = """
      // \(topology.title) (\(topology.number)), printed by:
      //   \(command)
      // For Swift 6.2 (Xcode 26) or later, on iOS 16 or macOS 13 or later.

      \(imports)

      \(documentation)
      @MainActor
      final class \(className) {
        \(members: classMembers)
      }

      // MARK: - Import

      nonisolated extension \(className) {
        \(members: importMembers)
      }

      // MARK: - Records

      nonisolated extension \(className) {
        \(members: recordMembers)
      }

      // MARK: - Use

      extension \(className) {
        \(example)
      }

      """
    return code.description
  }

  @CodeBuilder private var imports: Code {
    "import CoreData"
    if feedCode?.usesDigests == true { "import CryptoKit" }
    if hasSignposts { "import os" }
  }

  @CodeBuilder private var classMembers: [Code] {
    settings
    properties
    contextMembers
    mergeMembers
    if shape.mergesHistory { remoteMerges }
    editMembers
    listMembers
  }
}

// MARK: - Counts

extension WiringCode {
  /// Creates the code of a stack with the settings of a run at their defaults.
  package init(standard topology: Topology) {
    let workload = WorkloadOptions(workload: .catalog, rows: 1, existingRows: 0, batchSize: 500, mix: .standard)
    var options = WiringCodeOptions(
      records: .catalog, batchSize: workload.batchSize, hasDeletions: workload.mix.deletes > 0)
    options.run.saveEvery = workload.batchSize
    self.init(topology: topology, options: options, command: "")
  }

  /// The number of lines that are neither empty nor comments.
  package var codeLineCount: Int { Self.count(text) }

  /// The number of statements that make, connect and configure the stack's lasting contexts and their merges.
  package var setUpLineCount: Int { Self.count(setUp.description) }

  private static func count(_ text: String) -> Int {
    text.split(separator: "\n").map { $0.drop(while: \.isWhitespace) }.count { !$0.isEmpty && !$0.hasPrefix("//") }
  }
}
