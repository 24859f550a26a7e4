import InputFiles
import Testing
import Topologies

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
    return error(in: changed)
  }

  private static func error(in lines: [String]) -> String? {
    do {
      _ = try TopologyReader(place: "mine.yaml").topology(from: lines.joined(separator: "\n"))
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

  @Test func `the import can be in a second process if only the history crosses over`() {
    #expect(Self.error(in: Self.lines + ["importsInSecondProcess: true"]) == nil)
  }

  @Test(arguments: [
    (
      "  - {name: worker, queue: private, lifetime: lane}", "{afterSaveOf: worker, mergeInto: main}",
      "importsInSecondProcess: worker and main have the same coordinator, which is in one process; add coordinator: import "
        + "to the context without parent above worker, or to worker"
    ),
    (
      "  - {name: worker, queue: main, lifetime: lane, coordinator: import}",
      "{afterRemoteChange: true, mergeInto: main}",
      "importsInSecondProcess: worker is on the import's coordinator, and the second process has no main queue and no "
        + "screens; use queue: private and another lifetime than screen"
    ),
    (
      "  - {name: worker, queue: private, lifetime: pool, poolSize: 2, coordinator: import}",
      "{afterRemoteChange: true, mergeInto: main}",
      "importsInSecondProcess: the contexts of a pool are compared with the store in the app's process; use another lifetime"
    ),
    (
      "  - {name: worker, queue: private, lifetime: lane, coordinator: import}", "{afterSaveOf: worker, save: main}",
      "rules[1]: it concerns contexts of both processes, which share only the file; use afterRemoteChange: true"
    ),
    (
      "  - {name: worker, queue: private, lifetime: lane, coordinator: import}", "{afterPayload: true, refetch: all}",
      "rules[1]: a payload ends in the second process, which has no screens; use afterRemoteChange: true"
    ),
    (
      "  - {name: worker, queue: private, lifetime: lane, coordinator: import}",
      "{afterRemoteChange: true, mergeInto: worker}",
      "rules[1]: the app does not announce its saves to the second process; merge into a context of the app"
    ),
  ])
  func `a stack that two processes cannot have is refused`(context: String, rule: String, message: String) {
    var lines = Self.lines
    lines[3] = context
    if rule != "{afterRemoteChange: true, mergeInto: main}" { lines.append("  - \(rule)") }
    if context.hasSuffix("lane}") { lines.remove(at: 7) }
    #expect(Self.error(in: lines + ["importsInSecondProcess: true"])?.hasSuffix(message) == true)
  }
}
