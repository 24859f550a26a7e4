import Foundation
import TestSupport
import Testing

/// Text that is kept beside the tests, to be seen and reviewed when it changes.
enum Snapshot {
  /// Compares `text` with the snapshot called `name`; writes it anew where `STACKBENCH_RECORD` is set.
  static func check(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = Repository.root.appendingPathComponent("Tests/StackbenchTests/Snapshots/\(name).txt")
    if ProcessInfo.processInfo.environment["STACKBENCH_RECORD"] != nil {
      try Data((text + "\n").utf8).write(to: file)
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    #expect(text + "\n" == expected, "\(name) has changed", sourceLocation: sourceLocation)
  }
}
