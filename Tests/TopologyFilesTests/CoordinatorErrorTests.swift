import Testing
import Topologies
import TopologyFiles
import YAMLReading

/// The mistakes in the description of several coordinators, each with its line, its key and the correction.
@Suite struct CoordinatorErrorTests {
  private static let lines = [
    "id: mine",  // 1
    "contexts:",  // 2
    "  - {name: main, queue: main, lifetime: app}",  // 3
    "  - {name: worker, queue: private, lifetime: lane, coordinator: import}",  // 4
    "uiContext: main",  // 5
    "importContext: worker",  // 6
    "rules:",  // 7
    "  - {afterRemoteChange: true, mergeInto: main}",  // 8
  ]

  private static func error(_ number: Int, _ line: String) -> String? {
    var changed = lines
    changed[number - 1] = line
    do {
      _ = try TopologyReader(place: "mine.yaml").topology(from: changed.joined(separator: "\n"))
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `the unchanged file can be read`() {
    #expect(Self.error(1, "id: mine") == nil)
  }

  @Test(arguments: [
    (
      8, "  - {afterSaveOf: worker, mergeInto: main}",
      "8: rules[0].mergeInto: worker and main have different coordinators, and objects of one mean nothing to the other; "
        + "use afterRemoteChange: true"
    ),
    (
      8, "  - {afterRemoteChange: true, save: main}",
      "8: rules[0]: a remote change can only be merged; use mergeInto"
    ),
    (
      8, "  - {afterRemoteChange: true, afterPayload: true, mergeInto: main}",
      "8: rules[0].afterRemoteChange: contradicts afterPayload; use one of the two"
    ),
    (
      4, "  - {name: worker, queue: private, lifetime: lane}",
      "8: rules[0].afterRemoteChange: there is one coordinator only, and nothing else writes; give a context a "
        + "coordinator, or use afterSaveOf"
    ),
    (
      4, "  - {name: worker, queue: private, parent: main, lifetime: lane, coordinator: import}",
      "4: contexts[1].coordinator: has no effect below main, whose coordinator worker has too; leave it out"
    ),
    (
      3, "  - {name: main, queue: main, lifetime: app, automaticallyMergesChanges: true}", nil
    ),
  ])
  func `a mistake names its key`(number: Int, line: String, message: String?) {
    #expect(Self.error(number, line) == message.map { "mine.yaml:\($0)" })
  }
}
