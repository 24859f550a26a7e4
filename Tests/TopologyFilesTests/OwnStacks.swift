import InputFiles
import Testing
import Topologies

/// Stacks that are not among the known ones, as a user writes them.
enum OwnStacks {
  /// An import two levels below the UI: store ← main ← buffer ← worker.
  static let nested = """
    id: nested
    contexts:
      - {name: main, queue: main, lifetime: app}
      - {name: buffer, queue: private, parent: main, lifetime: lane}
      - {name: worker, queue: private, parent: buffer, lifetime: payload}
    uiContext: main
    importContext: worker
    rules:
      - {afterSaveOf: worker, save: buffer}
      - {afterSaveOf: buffer, save: main}
    """

  /// A worker whose saves each screen's context merges, and screens that merge each other's edits.
  static let screens = """
    id: two-screens
    contexts:
      - {name: screen, queue: main, lifetime: screen}
      - {name: worker, queue: private, lifetime: lane}
    uiContext: screen
    importContext: worker
    rules:
      - {afterSaveOf: worker, mergeInto: screen}
      - {afterSaveOf: screen, mergeInto: screen}
    """

  /// A worker and screens like those of `screens`, but with automatic merging.
  static let automaticScreens = """
    id: two-automatic-screens
    contexts:
      - {name: screen, queue: main, lifetime: screen, automaticallyMergesChanges: true}
      - {name: worker, queue: private, lifetime: lane}
    uiContext: screen
    importContext: worker
    """

  /// Screens below a private root, and a new worker below it for each payload.
  static let screensBelowRoot = """
    id: screens-below-root
    contexts:
      - {name: root, queue: private, lifetime: app}
      - {name: screen, queue: main, parent: root, lifetime: screen}
      - {name: worker, queue: private, parent: root, lifetime: payload}
    uiContext: screen
    importContext: worker
    rules:
      - {afterSaveOf: worker, save: root}
      - {afterSaveOf: screen, save: root}
      - {afterSaveOf: root, mergeInto: screen}
    """

  /// A new worker on the coordinator for each payload, whose saves main and a reader merge.
  static let background = """
    id: background
    contexts:
      - {name: main, queue: main, lifetime: app}
      - {name: reader, queue: private, lifetime: app}
      - {name: worker, queue: private, lifetime: payload, mergePolicy: object-trump}
    uiContext: main
    importContext: worker
    decode: import
    permanentIDs: beforeSave
    rules:
      - {afterSaveOf: worker, mergeInto: main}
      - {afterSaveOf: worker, mergeInto: reader}
      - {afterSaveOf: main, mergeInto: reader}
    """

  /// Two private contexts between the UI and the store.
  static let deep = """
    id: deep
    contexts:
      - {name: writer, queue: private, lifetime: app}
      - {name: root, queue: private, parent: writer, lifetime: app}
      - {name: main, queue: main, parent: root, lifetime: app}
      - {name: worker, queue: private, parent: main, lifetime: payload}
    uiContext: main
    importContext: worker
    rules:
      - {afterSaveOf: worker, save: main}
      - {afterSaveOf: main, save: root}
      - {afterSaveOf: root, save: writer}
    """

  static let texts = [nested, screens, automaticScreens, screensBelowRoot, background, deep]

  /// Returns the topology in a text.
  static func topology(_ text: String) throws -> Topology {
    try TopologyReader(place: "mine.yaml", standardID: "mine").topology(from: text)
  }
}

extension Topology: CustomTestStringConvertible {
  /// The name of a test's argument in the test's output.
  public var testDescription: String { title }
}
