import Foundation

/// The folders of a module and the direction in which their files may refer to one another.
struct Floors {
  /// One folder of the module.
  struct Folder {
    enum Place: Equatable {
      /// The folder may refer to every floor that the table lists before it.
      case floor
      /// The folder may refer to this floor and those before it, and no other folder refers to it.
      case wing(above: String)
    }

    var name: String
    var place: Place
    var contents: String

    static func floor(_ name: String, _ contents: String) -> Folder {
      Folder(name: name, place: .floor, contents: contents)
    }

    static func wing(_ name: String, above floor: String, _ contents: String) -> Folder {
      Folder(name: name, place: .wing(above: floor), contents: contents)
    }
  }

  var module: String
  /// The modules that this one imports, whose names every folder may use.
  var imports: [String]
  /// The folders from the lowest floor to the highest, followed by the wings.
  var folders: [Folder]

  static let contextEngine = Floors(
    module: "ContextEngine", imports: ["MachineCore"],
    folders: [
      .floor("Values", "attribute values, object IDs, rows, text comparison, errors"),
      .floor("Model", "entities, attributes, relationships, constraints, derivation expressions"),
      .floor("Requests", "fetch requests, predicates, sort orders, history requests"),
      .floor("Stores", "the protocol of a persistent store; several stores as one"),
      .floor("Coordinator", "the coordinator, its row cache, locks, query generations and store list"),
      .floor("Saving", "a save into stores: permanent IDs, conflicts, uniqueness, derived attributes"),
      .floor("Contexts", "contexts and managed objects: faulting, changing, validating, saving, notifications"),
      .floor("Fetching", "fetches of a context, prefetching, counting, batched and asynchronous results"),
      .floor("Merging", "merges of saves and of remote changes into contexts"),
      .floor("FetchedResults", "fetched results controllers and their sections"),
      .wing("InMemoryStore", above: "Contexts", "the store in memory"),
      .wing("Batches", above: "Contexts", "batch insert, update and delete requests"),
      .wing("History", above: "Contexts", "persistent history and remote changes"),
      .wing("Undo", above: "Contexts", "the undo manager and the recorder of changes"),
    ])

  static let sqlitePersistence = Floors(
    module: "SQLitePersistence", imports: ["MachineCore", "ContextEngine"],
    folders: [
      .floor("Configuration", "where a store lies and how its connections work"),
      .floor("Statements", "calls of SQLite, statements, functions and lists that SQL can use"),
      .floor("Files", "the virtual file system that counts pages and syncs"),
      .floor("Tables", "the tables and columns of a model"),
      .floor("Connections", "connections, their settings and their pool"),
      .floor("Schema", "creating and checking a store's tables, metadata and history tables"),
      .floor("ExternalData", "values in files beside the store"),
      .floor("Rows", "reading rows from statements"),
      .floor("Store", "the store, its tables and its life cycle"),
      .floor("Queries", "SQL for predicates, sort orders and ranges"),
      .floor("Fetching", "fetches, counts and dictionaries"),
      .floor("History", "reading, writing and deleting persistent history"),
      .floor("Saving", "saves, relationships, uniqueness constraints and the files of external data"),
      .floor("Batches", "batch requests"),
    ])

  static let workloads = Floors(
    module: "Workloads", imports: ["MachineCore"],
    folders: [
      .floor("Values", "values, keys and records; JSON; errors"),
      .floor("FeedReading", "the streamed reading of feeds: their shapes, records and summaries"),
      .floor("ModelReading", "the reading of data models"),
      .floor("Schema", "the entities of a workload, and how a feed's values become theirs"),
      .floor("Options", "the options of a workload"),
      .floor("Records", "records as text, and their generated values"),
      .floor("Mapping", "the mapping of a feed to entities, with a model and a map or without"),
      .floor("Answers", "the rows that a store must hold in the end, and those at the start"),
      .floor("RecordSources", "the records of a workload, from a feed or generated"),
      .floor("Archives", "workloads in folders"),
      .floor("Verification", "the reading and the check of a closed store"),
    ])

  static let metrics = Floors(
    module: "Metrics", imports: ["MachineCore"],
    folders: [
      .floor("Ledgers", "ledgers of the events in a trial, and what they come to"),
      .floor("Yardstick", "speeds of the computer before and after a trial"),
      .floor("Trials", "the measures of a trial, and their summary"),
      .floor("Comparison", "the difference of two results, and its noise"),
      .floor("Advice", "the ranking of stacks by limits and priorities"),
      .floor("Published", "figures of published tables beside simulated ones"),
      .floor("Validation", "the agreement of simulated and measured figures"),
    ])

  static let harness = Floors(
    module: "Harness",
    imports: ["MachineCore", "ContextEngine", "Topologies", "Workloads", "Metrics"],
    folders: [
      .floor("Options", "the options of a run and the plan of a trial"),
      .floor("Schema", "the engine's model of a workload"),
      .floor("Instruments", "what a trial needs beside its machine; the process of an import"),
      .floor("InFlight", "computations whose input the user may delete"),
      .floor("Screens", "frames, screens, their freshness, the user's edits and their journal"),
      .floor("Importing", "lanes, units of records, the store before the first payload"),
      .floor("Trials", "one trial, its session and its check"),
      .floor("Killing", "the death of the app, and the check of what it leaves"),
    ])

  static let reporting = Floors(
    module: "Reporting", imports: ["MachineCore", "Metrics", "OutputFiles"],
    folders: [
      .floor("Text", "texts of measures, figures and names"),
      .floor("JSON", "the reading and writing of JSON"),
      .floor("Tables", "the CSV files of a result"),
      .floor("Results", "the folder of a result and its manifest"),
      .floor("Pages", "pages, tables and charts as text, Markdown and HTML"),
      .floor("Words", "sentences on runs, settings and hitches"),
      .floor("Comparison", "the comparison of two results"),
      .floor("Run", "the page of a run"),
      .floor("Advice", "the page of advice"),
      .floor("Report", "the report of a run"),
      .floor("Gate", "the page of the gate"),
      .floor("Sweep", "the page of a sweep"),
      .floor("Validation", "the pages of validation and published figures"),
    ])

  static let experiments = Floors(
    module: "Experiments",
    imports: [
      "MachineCore", "MachineLive", "MachineSimulated", "ContextEngine", "SQLitePersistence", "Topologies", "Workloads",
      "Metrics", "Harness", "OutputFiles", "Reporting", "InputFiles", "TrialProcesses",
    ],
    folders: [
      .floor("Output", "the kinds of results in folders"),
      .floor("Settings", "the settings of a run, from flags and files"),
      .floor("Folders", "the survey of a user's folder"),
      .floor("Runs", "the trials of a run"),
      .floor("Charts", "charts, drawn by gnuplot"),
      .floor("Comparison", "comparisons of stored results and of revisions"),
      .floor("Gate", "the gate's runs and its baseline"),
      .floor("Sweep", "the plan, the trials and the results of a sweep"),
      .floor("Advice", "the runs on which advice rests"),
      .floor("Explanation", "the story and the picture of a stack"),
      .floor("WiringCode", "stacks as Swift code for Apple's framework"),
      .floor("Scenarios", "known troubles beside their cures"),
      .floor("Exploration", "stacks and scenarios under many orders of their threads"),
      .floor("Soaking", "stacks that run without pause, and what grows in them"),
      .floor("Stored", "stored results, printed again"),
      .floor("Claims", "statements of articles and users, figures and verdicts"),
      .floor("Workshop", "the requests of the program for validation"),
    ])

  /// Names that the standard library, Foundation, Synchronization or a C struct declare too. The finder cannot
  /// determine without type checking which declaration a file refers to.
  static let commonNames: Set<String> = [
    "Change", "append", "close", "compactMap", "compare", "contains", "decode", "drop", "element", "error", "filter",
    "first", "forEach", "free", "high", "initialize", "insert", "inserted", "intValue", "isEmpty", "isNumber", "joined",
    "keys", "last", "load", "lowercased", "map", "output", "part", "prefix", "properties", "range", "rawValue",
    "remove",
    "removeAll", "reserveCapacity", "retain", "set", "sorted", "startIndex", "starts", "stringValue", "update",
    "userInfo",
  ]
}

// MARK: - Finding references

extension Floors {
  /// A source file of the module, or of one that it imports.
  struct File {
    /// The path inside the module's folder.
    var path: String
    var source: String

    /// The first folder of the path, or an empty string for a file that is in no folder.
    var folder: String { path.contains("/") ? String(path.prefix { $0 != "/" }) : "" }
  }

  private func rank(of folder: String) -> Int? { folders.firstIndex { $0.name == folder } }

  /// Returns true if files of a folder may refer to the declarations of another folder.
  func allows(_ folder: String, toName other: String) -> Bool {
    if folder == other { return true }
    guard let source = folders.first(where: { $0.name == folder }),
      let target = folders.first(where: { $0.name == other }), target.place == .floor, let rank = rank(of: other)
    else { return false }
    switch source.place {
    case .floor: return self.rank(of: folder).map { rank < $0 } ?? false
    case .wing(let floor): return self.rank(of: floor).map { rank <= $0 } ?? false
    }
  }

  /// Returns a sentence for each reference against the direction of the table, by file and line.
  ///
  /// A file refers to a name if it uses it and neither declares it nor has a parameter or a variable with the same
  /// name. The reference is wrong if every folder that declares the name is one that the file's folder must not name.
  /// The imported files are those of the modules that the module imports.
  func wrongReferences(in files: [File], imported: [File] = []) -> [String] {
    var declaring: [String: Set<String>] = [:]
    var types: Set<String> = []
    let known = files.map { (file: $0, names: SourceIdentifiers($0.source)) }
    for (file, names) in known {
      types.formUnion(names.types)
      for name in names.types.union(names.members) { declaring[name, default: []].insert(file.folder) }
    }
    for file in imported {
      let names = SourceIdentifiers(file.source)
      for name in names.types.union(names.members) { declaring[name] = nil }
    }
    var found: [String] = []
    for (file, names) in known {
      if rank(of: file.folder) == nil {
        found.append("\(file.path): is in no folder of the table of \(module); put it into one, or add its folder")
      }
      let own = names.types.union(names.members)
      var seen: Set<String> = []
      for use in names.uses {
        guard let folders = declaring[use.name], !own.contains(use.name), !names.locals.contains(use.name) else {
          continue
        }
        if use.isLabel && !types.contains(use.name) || Self.commonNames.contains(use.name) { continue }
        guard !folders.contains(where: { allows(file.folder, toName: $0) }), seen.insert(use.name).inserted else {
          continue
        }
        let declared = folders.sorted().joined(separator: ", ")
        found.append(
          "\(file.path):\(use.line): names \(use.name), which is declared in \(declared); "
            + "\(file.folder) must not refer to \(declared)")
      }
    }
    return found.sorted()
  }

  /// Returns the table as lines of Markdown.
  var markdown: [String] {
    ["| Folder | Place | Contents |", "| --- | --- | --- |"]
      + folders.enumerated().map { index, folder in
        switch folder.place {
        case .floor: "| \(folder.name) | floor \(index + 1) | \(folder.contents) |"
        case .wing(let floor): "| \(folder.name) | wing above \(floor) | \(folder.contents) |"
        }
      }
  }
}
