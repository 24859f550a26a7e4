import ContextEngine
import Topologies

/// The keys of a topology's file.
///
/// To add a key, add it to its table here. The reader, the writer and the comments of printed files need no other
/// change.
enum TopologyKeys {
  /// The number and the summary of a topology whose file gives none.
  static let standardNumber = "own"
  static let standardSummary = "a stack that a file describes"

  static let all: [YAMLKey<Topology>] = [
    .standard(
      "id", \.id, .text, "", "the name of the stack in results; without it, the name of the file", example: "my-stack"),
    .optional("variant", \.variant, .text, "the name of this variant, if the stack has several", example: "merging"),
    .standard(
      "number", \.number, .text, standardNumber, "a short mark that is printed behind the name", example: standardNumber
    ),
    .standard(
      "summary", \.summary, .text, standardSummary, "the stack in one sentence", example: "two workers beside main"),
    .required(
      "contexts", \.contexts,
      .list(of: contextKeys, ContextDescription(name: "", queue: .main, lifetime: .app)),
      "the contexts, parents before their children", example: "[{name: main, queue: main, lifetime: app}]"),
    .required(
      "uiContext", \.uiContext, .text, "the context that the screens show, on the main queue", example: "main"),
    .required("importContext", \.importContext, .text, "the context that the import works in", example: "worker"),
    .optional(
      "editContext", \.editContext, .text,
      "the context of a form in which the user edits, with lifetime: edit; without it, the user edits in uiContext",
      example: "form"),
    .standard(
      "decode", \.decode, .choice, .network,
      "the place where JSON is parsed: the network queue, or the import's own block"),
    .standard(
      "importsAtOnce", \.importsAtOnce, .flag, false,
      "true if a lane imports all payloads that have arrived at the same time, each in its own context"),
    .standard(
      "importsInSecondProcess", \.importsInSecondProcess, .flag, false,
      "true if the coordinator of the import, with its contexts, is in a second process; only on the live machine"),
    .standard(
      "rules", \.rules,
      .list(of: RuleDraft.keys, mayBeEmpty: true, make: RuleDraft.rule, draft: { RuleDraft($0) }), [],
      "what follows a save or a payload; each action is posted and not waited for",
      example: "[{afterSaveOf: worker, mergeInto: main}]"),
    .standard(
      "fetchesShownProperties", \.fetchesShownProperties, .flag, false,
      "true if a list fetches only what its cells show"),
    .standard(
      "permanentIDs", \.permanentIDs, .choice, .never,
      "never, or beforeSave if each context obtains permanent IDs for its new objects before it saves"),
    .standard(
      "tolerates", \.tolerates, .choices(), [],
      "defects that do not fail a trial: \(names(of: Topology.Tolerance.self))"),
    .standard(
      "uses", \.uses,
      .list(of: useKeys, ContextUse(.userInterface, "", because: "", source: ""), mayBeEmpty: true), [],
      "advice that 'advise' and printed code repeat; it does not change the stack",
      example: "[{purpose: UI, context: main, reason: it shows what it saves, source: my notes}]"),
  ]

  private static let contextKeys: [YAMLKey<ContextDescription>] = [
    .required("name", \.name, .text, "a name of letters, digits and underscores", example: "main"),
    .required("queue", \.queue, .choice, names(of: ContextDescription.Queue.self)),
    .standard(
      "isConfined", \.isConfined, .flag, false,
      "true if it has no queue and is confined to the main queue, or to a queue that the app makes for it"),
    .optional(
      "coordinator", \.coordinator, .text,
      "the coordinator that it is on, which opens the file itself; without it, the first one; only without a parent",
      example: "import"),
    .optional(
      "parent", \.parent, .text, "the context that this one saves into; without it, the store", example: "root"),
    .required(
      "lifetime", \.lifetime, .choice,
      "app, or a new context for each lane of the import, each payload, each screen or each edit of the user, or pool"),
    .optional(
      "poolSize", \.poolSize, .integer(in: 2...16),
      "with lifetime: pool, the number of contexts, of which each payload takes the next in turn", example: "2"),
    .standard(
      "retainsRegisteredObjects", \.retainsRegisteredObjects, .flag, false,
      "true if it keeps every object that it has registered"),
    .standard(
      "automaticallyMergesChanges", \.automaticallyMergesChanges, .flag, false,
      "true if it merges the saves of its parent, or those of the store's other contexts, by itself"),
    .standard(
      "firesUpdatedObjectsBeforeMerging", \.firesUpdatedObjectsBeforeMerging, .flag, false,
      "true if it realises all updated objects before a merge"),
    .standard(
      "queryGeneration", \.queryGeneration, .choice, .unpinned,
      "unpinned, or pinned if it reads the rows of one moment until it saves, merges or resets; only without a parent"),
    .optional(
      "mergePolicy", \.mergePolicy, .choice,
      "\(names(of: MergePolicy.self)); without it, the run's; only without a parent"),
  ]

  private static let useKeys: [YAMLKey<ContextUse>] = [
    .required("purpose", \.purpose, .choice, names(of: ContextUse.Purpose.self)),
    .required("context", \.context, .text, "the context, or how to make one", example: "main"),
    .required("reason", \.reason, .text, "the reason, as half a sentence", example: "it shows what it saves"),
    .required("source", \.source, .text, "the publication that gives the reason", example: "my notes"),
  ]

  private static func names<Choice: RawRepresentable<String> & CaseIterable>(of choice: Choice.Type) -> String {
    let names = Choice.allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
  }
}
