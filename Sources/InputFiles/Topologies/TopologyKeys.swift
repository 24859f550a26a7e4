import ContextEngine
import Topologies

extension Topology.DecodePlace: NamedChoice {}
extension Topology.PermanentIDs: NamedChoice {}
extension Topology.Tolerance: NamedChoice {}
extension ContextDescription.Queue: NamedChoice {}
extension ContextDescription.Lifetime: NamedChoice {}
extension ContextDescription.QueryGeneration: NamedChoice {}
extension ContextUse.Purpose: NamedChoice {}
extension MergePolicy: NamedChoice {}

/// The keys of a topology's file.
///
/// To add a key, add it to its table here. The reader, the writer and the comments of printed files need no other
/// change.
enum TopologyKeys {
  /// The number and the summary of a topology whose file gives none.
  static let standardNumber = "own"
  static let standardSummary = "a stack that a file describes"

  static let all: [TopologyKey<Topology>] = [
    TopologyKey(
      "id", "the name of the stack in results; without it, the name of the file", example: "my-stack",
      read: { (mapping: YAMLMapping, topology: inout Topology) throws(YAMLError) in
        topology.id = try mapping.text("id")
      },
      write: { .text($0.id) }, isStandard: { _ in false }),
    .optionalText("variant", \.variant, "the name of this variant, if the stack has several", example: "merging"),
    .text(
      "number", \.number, "a short mark that is printed behind the name", example: standardNumber,
      standard: standardNumber),
    .text(
      "summary", \.summary, "the stack in one sentence", example: "two workers beside main", standard: standardSummary),
    .items(
      "contexts", \.contexts, "the contexts, parents before their children",
      example: "[{name: main, queue: main, lifetime: app}]", keys: contextKeys,
      blank: ContextDescription(name: "", queue: .main, lifetime: .app), isRequired: true),
    .text("uiContext", \.uiContext, "the context that the screens show, on the main queue", example: "main"),
    .text("importContext", \.importContext, "the context that the import works in", example: "worker"),
    .optionalText(
      "editContext", \.editContext,
      "the context of a form in which the user edits, with lifetime: edit; without it, the user edits in uiContext",
      example: "form"),
    .choice(
      "decode", \.decode, "the place where JSON is parsed: the network queue, or the import's own block",
      standard: .network),
    .flag(
      "importsAtOnce", \.importsAtOnce,
      "true if a lane imports all payloads that have arrived at the same time, each in its own context"),
    .flag(
      "importsInSecondProcess", \.importsInSecondProcess,
      "true if the coordinator of the import, with its contexts, is in a second process; only on the live machine"),
    .items(
      "rules", \.rules, "what follows a save or a payload; each action is posted and not waited for",
      example: "[{afterSaveOf: worker, mergeInto: main}]", keys: RuleDraft.keys, make: RuleDraft.rule,
      draft: RuleDraft.init),
    .flag("fetchesShownProperties", \.fetchesShownProperties, "true if a list fetches only what its cells show"),
    .choice(
      "permanentIDs", \.permanentIDs,
      "never, or beforeSave if each context obtains permanent IDs for its new objects before it saves",
      standard: .never),
    .choices("tolerates", \.tolerates, "defects that do not fail a trial: \(names(of: Topology.Tolerance.self))"),
    .items(
      "uses", \.uses, "advice that 'advise' and printed code repeat; it does not change the stack",
      example: "[{purpose: UI, context: main, reason: it shows what it saves, source: my notes}]", keys: useKeys,
      blank: ContextUse(.userInterface, "", because: "", source: "")),
  ]

  private static let contextKeys: [TopologyKey<ContextDescription>] = [
    .text("name", \.name, "a name of letters, digits and underscores", example: "main"),
    .choice("queue", \.queue, names(of: ContextDescription.Queue.self)),
    .flag(
      "isConfined", \.isConfined,
      "true if it has no queue and is confined to the main queue, or to a queue that the app makes for it"),
    .optionalText(
      "coordinator", \.coordinator,
      "the coordinator that it is on, which opens the file itself; without it, the first one; only without a parent",
      example: "import"),
    .optionalText(
      "parent", \.parent, "the context that this one saves into; without it, the store", example: "root"),
    .choice(
      "lifetime", \.lifetime,
      "app, or a new context for each lane of the import, each payload, each screen or each edit of the user, or pool"),
    .optionalInteger(
      "poolSize", \.poolSize,
      "with lifetime: pool, the number of contexts, of which each payload takes the next in turn",
      in: 2...16),
    .flag(
      "retainsRegisteredObjects", \.retainsRegisteredObjects, "true if it keeps every object that it has registered"),
    .flag(
      "automaticallyMergesChanges", \.automaticallyMergesChanges,
      "true if it merges the saves of its parent, or those of the store's other contexts, by itself"),
    .flag(
      "firesUpdatedObjectsBeforeMerging", \.firesUpdatedObjectsBeforeMerging,
      "true if it realises all updated objects before a merge"),
    .choice(
      "queryGeneration", \.queryGeneration,
      "unpinned, or pinned if it reads the rows of one moment until it saves, merges or resets; only without a parent",
      standard: .unpinned),
    .optionalChoice(
      "mergePolicy", \.mergePolicy,
      "\(names(of: MergePolicy.self)); without it, the run's; only without a parent"),
  ]

  private static let useKeys: [TopologyKey<ContextUse>] = [
    .choice("purpose", \.purpose, names(of: ContextUse.Purpose.self)),
    .text("context", \.context, "the context, or how to make one", example: "main"),
    .text("reason", \.reason, "the reason, as half a sentence", example: "it shows what it saves"),
    .text("source", \.source, "the publication that gives the reason", example: "my notes"),
  ]

  private static func names<Choice: NamedChoice>(of choice: Choice.Type) -> String {
    let names = Choice.names
    return names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
  }
}
