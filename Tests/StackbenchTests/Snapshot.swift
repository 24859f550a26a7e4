import Foundation
import TestSupport
import Testing

/// Text that is stored with the tests, so that changes to it can be reviewed.
enum Snapshot {
  /// Compares `text` with the snapshot called `name`, which is written first if `STACKBENCH_RECORD` is set.
  static func check(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = Repository.root.appendingPathComponent("Tests/StackbenchTests/Snapshots/\(name).txt")
    if ProcessInfo.processInfo.environment["STACKBENCH_RECORD"] != nil {
      try Data((text + "\n").utf8).write(to: file)
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    #expect(text + "\n" == expected, "\(name) has changed", sourceLocation: sourceLocation)
  }
}
