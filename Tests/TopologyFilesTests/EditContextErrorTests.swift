import InputFiles
import Testing
import Topologies

/// The mistakes in the description of a form, a pool, or a pinned or confined context, each with its line, its key and
/// the correction.
@Suite struct EditContextErrorTests {
  private static let lines = [
    "id: mine",  // 1
    "contexts:",  // 2
    "  - {name: master, queue: private, lifetime: app}",  // 3
    "  - {name: main, queue: main, parent: master, lifetime: app}",  // 4
    "  - {name: form, queue: main, parent: master, lifetime: edit}",  // 5
    "uiContext: main",  // 6
    "importContext: master",  // 7
    "editContext: form",  // 8
    "rules:",  // 9
    "  - {afterSaveOf: form, save: master}",  // 10
    "  - {afterSaveOf: main, save: master}",  // 11
    "  - {afterSaveOf: master, mergeInto: main}",  // 12
  ]

  /// Returns the error of the valid file with one line replaced, or nil if it can be read. An empty text removes the
  /// line.
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

  @Test func `the unchanged file can be read, and so can a form of the UI context without rules`() {
    #expect(Self.error(1, "id: mine") == nil)
    #expect(Self.error(5, "  - {name: form, queue: main, parent: main, lifetime: edit}") == nil)
  }

  @Test(arguments: [
    (8, "editContext: from", "8: editContext: from is no context; use one of master, main, form"),
    (
      8, "",
      "5: contexts[2].lifetime: form exists once for each edit, and no edit uses it; add editContext: form, or use "
        + "another lifetime"
    ),
    (
      5, "  - {name: form, queue: private, parent: master, lifetime: edit}",
      "8: editContext: form is not a form: a form has a context of its own on the main queue; use queue: main and "
        + "lifetime: edit"
    ),
    (
      5, "  - {name: form, queue: main, lifetime: edit}",
      "8: editContext: form saves to the store, and the screens would not get its edits; use a parent, such as parent: "
        + "main"
    ),
    (
      10, "",
      "8: editContext: the store is out of reach: what form saves stays in master; add the rule {afterSaveOf: form, "
        + "save: master}"
    ),
    (
      7, "importContext: form",
      "7: importContext: form exists once for each edit, and an import belongs to none; use a context with lifetime: "
        + "app, lane or payload"
    ),
    (
      12, "  - {afterSaveOf: master, mergeInto: form}",
      "12: rules[2].mergeInto: form ends with its edit, and later saves cannot be merged into it; use another context"
    ),
    (
      4, "  - {name: main, queue: main, parent: master, lifetime: app, queryGeneration: pinned}",
      "4: contexts[1].queryGeneration: has no effect below master, through which main reads; pin the context on the store"
    ),
    (
      3, "  - {name: master, queue: private, lifetime: app, isConfined: true}",
      "3: contexts[0].isConfined: master cannot be the parent of main, which could not wait for its queue; leave it out"
    ),
    (
      4, "  - {name: main, queue: main, parent: master, lifetime: app, isConfined: true}",
      "4: contexts[1].isConfined: a confined context saves to the store and not into master; leave out one of the two"
    ),
    (
      3, "  - {name: master, queue: private, lifetime: app, poolSize: 3}",
      "3: contexts[0].poolSize: belongs to lifetime: pool; leave it out"
    ),
    (
      3, "  - {name: master, queue: private, lifetime: app, poolSize: 1}",
      "3: contexts[0].poolSize: 1 is not in range; use a whole number from 2 to 16"
    ),
    (
      5, "  - {name: form, queue: main, parent: master, lifetime: pool, poolSize: 3}",
      "8: editContext: form is not a form: a form has a context of its own on the main queue; use queue: main and "
        + "lifetime: edit"
    ),
    (
      3, "  - {name: master, queue: private, lifetime: app, queryGeneration: newest}",
      "3: contexts[0].queryGeneration: newest is not known; use one of unpinned, pinned"
    ),
  ])
  func `a mistake names its key`(number: Int, line: String, message: String) {
    #expect(Self.error(number, line) == "mine.yaml:\(message)")
  }
}
