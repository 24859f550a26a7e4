// swift-tools-version: 6.1
import PackageDescription

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let orderedCollections = Target.Dependency.product(name: "OrderedCollections", package: "swift-collections")
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let engine: [Target.Dependency] = ["ContextEngine", "SQLitePersistence", "MachineCore", "MachineLive"]
// The engine with the libraries that are layered on it and that the program does not use.
let wholeEngine = engine + ["PredicateFormats"]

// The system libraries call the program's own start of threads; see `ThreadStart.swift`.
let endsWithoutThread = LinkerSetting.unsafeFlags(["-Xlinker", "--export-dynamic-symbol=pthread_create"])

let package = Package(
  name: "stackbench",
  products: [
    .executable(name: "stackbench", targets: ["stackbench"]),
    .executable(name: "stackbench-workshop", targets: ["stackbench-workshop"]),
    // The engine for other packages, `Benchmarks/` first: its store, its machine of real threads, the C libraries.
    .library(name: "ContextEngine", targets: ["ContextEngine"]),
    .library(name: "SQLitePersistence", targets: ["SQLitePersistence"]),
    .library(name: "PredicateFormats", targets: ["PredicateFormats"]),
    .library(name: "MachineCore", targets: ["MachineCore"]),
    .library(name: "MachineLive", targets: ["MachineLive"]),
    .library(name: "Workloads", targets: ["Workloads"]),
    .library(name: "CLibraries", targets: ["CLibraries"]),
  ],
  // Exact versions: a result names them in its manifest (`Sources/Experiments/Runs/PackageVersions.swift`, kept equal
  // by test).
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
    .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
  ],
  targets: [
    // System libraries, and the calls of Linux and of the Swift runtime that their modules leave out.
    .systemLibrary(name: "CLibraries", providers: [.apt(["libsqlite3-dev", "libjemalloc-dev", "libssl-dev"])]),
    // The files that the program contains.
    .target(name: "CResources"),

    // The seam and its machines.
    .target(name: "MachineCore"),
    .target(name: "MachineLive", dependencies: ["CLibraries", "MachineCore", deque]),
    .target(name: "MachineSimulated", dependencies: ["CLibraries", "MachineCore", deque, heap]),

    // The engine and its store.
    .target(name: "ContextEngine", dependencies: ["CLibraries", "MachineCore", orderedCollections]),
    .target(name: "SQLitePersistence", dependencies: ["CLibraries", "ContextEngine", "MachineCore"]),
    // Predicates as text, for users of the engine. The program writes its predicates in code.
    .target(name: "PredicateFormats", dependencies: ["ContextEngine"]),

    // A frozen piece of work that shows how fast the computer is. Optimised in debug builds too, so that it takes there
    // about as long as in a release build.
    .target(
      name: "Yardstick", dependencies: ["CLibraries"],
      swiftSettings: [.unsafeFlags(["-O"], .when(configuration: .debug))]),

    // What is compared, on what, and how it is measured.
    .target(name: "Topologies", dependencies: ["ContextEngine", "MachineCore"]),
    .target(name: "Workloads", dependencies: ["CLibraries", "MachineCore"]),
    .target(name: "Metrics", dependencies: ["MachineCore"]),
    .target(
      name: "Harness",
      dependencies: ["ContextEngine", "MachineCore", "Metrics", "Topologies", "Workloads"]),
    .target(name: "OutputFiles", dependencies: ["CLibraries", "MachineCore"]),
    .target(
      name: "Reporting",
      dependencies: ["CResources", "MachineCore", "Metrics", "OutputFiles"],
      exclude: ["Report/Page"]),

    // The files that users write: devices, stacks and maps of feeds, in YAML.
    .target(
      name: "InputFiles",
      dependencies: [
        "ContextEngine", "CResources", "MachineCore", "MachineSimulated", "Reporting", "SQLitePersistence",
        "Topologies", "Workloads", orderedCollections,
        .product(name: "Yams", package: "Yams"),
      ],
      exclude: ["Profiles/Shipped"]),

    // Trials and other tasks, and the child processes that run them.
    .target(
      name: "TrialProcesses",
      dependencies: [
        "CLibraries", "ContextEngine", "Harness", "MachineCore", "MachineLive", "MachineSimulated", "Metrics",
        "OutputFiles", "Reporting", "SQLitePersistence", "Workloads", "Yardstick",
      ]),

    // Runs, sweeps, the gate, comparisons and advice, with the settings of a run. Stacks as Swift code for the real
    // framework, known troubles beside the wiring that avoids them, and statements of articles beside their figures.
    .target(
      name: "Experiments",
      dependencies: [
        "ContextEngine", "CResources", "Harness", "InputFiles", "MachineCore", "MachineLive", "MachineSimulated",
        "Metrics", "OutputFiles", "Reporting", "SQLitePersistence", "Topologies", "TrialProcesses", "Workloads",
        "Yardstick",
      ],
      exclude: ["Claims/Shipped"]),

    // Simulated runs held against live ones and against published measurements, and profiles fitted to both.
    .target(
      name: "Validation",
      dependencies: [
        "ContextEngine", "CResources", "Experiments", "Harness", "InputFiles", "MachineCore", "MachineLive",
        "MachineSimulated", "Metrics", "OutputFiles", "Reporting", "SQLitePersistence", "Topologies", "TrialProcesses",
        "Workloads", "Yardstick",
      ],
      exclude: ["Published/Tables", "Published/constraints.yaml"]),

    // The parts of command lines that both programs have.
    .target(
      name: "CommandShell",
      dependencies: [
        "Experiments", "InputFiles", "MachineCore", "OutputFiles", "Reporting", "TrialProcesses", "Workloads",
        argumentParser,
      ]),

    // Commands; the composition root.
    .executableTarget(
      name: "stackbench",
      dependencies: [
        "CommandShell", "Experiments", "Harness", "InputFiles", "MachineCore", "MachineSimulated", "Metrics",
        "OutputFiles", "Reporting", "Topologies", "TrialProcesses", "Workloads", "Yardstick", argumentParser,
      ],
      linkerSettings: [endsWithoutThread]),

    // The commands that make and check profiles, as a program beside the main one.
    .executableTarget(
      name: "stackbench-workshop",
      dependencies: [
        "CommandShell", "Experiments", "InputFiles", "MachineCore", "MachineLive", "MachineSimulated", "Metrics",
        "OutputFiles", "Reporting", "TrialProcesses", "Validation", argumentParser,
      ],
      linkerSettings: [endsWithoutThread]),

    .systemLibrary(name: "CValgrind", path: "Benchmarks/Sources/CValgrind"),
    // The engine's cases of `Benchmarks`, for the count of their instructions. They are compiled again here, so that the
    // count needs no peers and uses the objects of the program's build.
    .executableTarget(
      name: "peers-gate", dependencies: engine + ["CLibraries", "CValgrind"], path: "Benchmarks/Sources",
      exclude: [
        "CValgrind", "feeds-speed", "peers", "PeerComparison/ByHand", "PeerComparison/GRDB", "PeerComparison/Raw",
        "PeerComparison/Results", "PeerComparison/Running", "PeerComparison/SQLAlchemy",
        "PeerComparison/Subjects/Stopwatch.swift",
      ]),

    // The engine as another package uses it: without access to declarations that are only for this package.
    .executableTarget(
      name: "ReadingList", dependencies: wholeEngine, path: "Examples/Sources/ReadingList", packageAccess: false),
    // The examples in documentation comments, which `.ci/comment-examples` adds to the target.
    .testTarget(
      name: "CommentExamples", dependencies: wholeEngine, path: "Examples/Tests/CommentExamples", packageAccess: false),
    .testTarget(
      name: "PublicInterfaceTests", dependencies: engine, path: "Examples/Tests/PublicInterfaceTests",
      packageAccess: false),

    // Tests, and what several of them use.
    .target(name: "TestSupport", dependencies: ["ContextEngine", "MachineCore"], path: "Tests/TestSupport"),
    .target(
      name: "TrialSupport",
      dependencies: [
        "CLibraries", "ContextEngine", "Harness", "MachineCore", "MachineLive", "Metrics", "Reporting",
        "SQLitePersistence", "TestSupport", "Workloads",
      ],
      path: "Tests/TrialSupport"),
    .testTarget(name: "MachineCoreTests", dependencies: ["MachineCore"]),
    .testTarget(
      name: "MachineConformanceTests", dependencies: ["MachineCore", "MachineLive", "MachineSimulated", "TestSupport"]),
    .testTarget(name: "MachineSimulatedTests", dependencies: ["MachineCore", "MachineSimulated"]),
    .testTarget(
      name: "ContextEngineTests",
      dependencies: [
        "CLibraries", "ContextEngine", "MachineCore", "MachineLive", "MachineSimulated", "PredicateFormats",
        "SQLitePersistence", "TestSupport",
      ]),
    .testTarget(
      name: "TopologiesTests",
      dependencies: [
        "CLibraries", "ContextEngine", "MachineCore", "MachineLive", "SQLitePersistence", "TestSupport", "Topologies",
      ]),
    .testTarget(name: "ModelReadingTests", dependencies: ["TestSupport", "Workloads"]),
    .testTarget(name: "MetricsTests", dependencies: ["MachineCore", "Metrics"]),
    .testTarget(name: "OutputFilesTests", dependencies: ["OutputFiles", "Reporting", "TestSupport"]),
    .testTarget(
      name: "ReportingTests",
      dependencies: ["MachineCore", "Metrics", "OutputFiles", "Reporting", "TestSupport"]),
    .testTarget(
      name: "SQLitePersistenceTests",
      dependencies: ["CLibraries", "ContextEngine", "MachineCore", "SQLitePersistence", "TestSupport"]),
    .testTarget(name: "YardstickTests", dependencies: ["Yardstick"], exclude: ["Goldens"]),
    .testTarget(name: "FeedReadingTests", dependencies: ["MachineCore", "Workloads"]),
    .testTarget(name: "WorkloadsTests", dependencies: ["MachineCore", "TestSupport", "Workloads"]),
    .testTarget(
      name: "InspectionTests",
      dependencies: [
        "CLibraries", "ContextEngine", "MachineCore", "MachineLive", "OutputFiles", "SQLitePersistence",
        "TestSupport", "TrialProcesses",
      ]),
    .testTarget(name: "VerificationTests", dependencies: ["CLibraries", "TestSupport", "Workloads"]),
    .testTarget(
      name: "HarnessTests",
      dependencies: [
        "CLibraries", "ContextEngine", "Harness", "MachineCore", "MachineLive", "Metrics", "SQLitePersistence",
        "TestSupport", "Topologies", "TrialSupport", "Workloads",
      ]),
    .testTarget(name: "TracingTests", dependencies: ["ContextEngine", "MachineCore", "TrialProcesses"]),
    .testTarget(
      name: "TrialProcessesTests",
      dependencies: [
        "CLibraries", "ContextEngine", "Harness", "InputFiles", "MachineCore", "MachineLive", "MachineSimulated",
        "Metrics", "SQLitePersistence", "TestSupport", "Topologies", "TrialProcesses", "TrialSupport", "Workloads",
      ]),
    .testTarget(name: "YAMLReadingTests", dependencies: ["InputFiles"]),
    .testTarget(name: "FeedMapsTests", dependencies: ["InputFiles", "TestSupport", "Workloads"]),
    .testTarget(
      name: "TopologyFilesTests",
      dependencies: [
        "Harness", "InputFiles", "MachineCore", "MachineLive", "MachineSimulated", "Metrics",
        "TestSupport", "Topologies", "TrialProcesses", "Workloads",
      ]),
    .testTarget(name: "ProfilesTests", dependencies: ["InputFiles", "MachineCore", "MachineSimulated", "TestSupport"]),
    .testTarget(
      name: "WiringCodeTests",
      dependencies: [
        "Experiments", "Harness", "MachineCore", "Reporting", "Topologies", "Workloads",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      exclude: ["CoreDataStub"]),
    .testTarget(
      name: "ScenariosTests",
      dependencies: [
        "ContextEngine", "Experiments", "InputFiles", "MachineCore", "MachineSimulated", "Reporting", "TestSupport",
        "TrialProcesses",
      ]),
    .testTarget(
      name: "ExperimentsTests",
      dependencies: [
        "ContextEngine", "Experiments", "Harness", "InputFiles", "MachineCore", "MachineSimulated", "Metrics",
        "OutputFiles", "Reporting", "TestSupport", "Topologies", "TrialProcesses",
      ]),
    .testTarget(
      name: "ValidationTests",
      dependencies: [
        "ContextEngine", "Experiments", "Harness", "InputFiles", "MachineCore", "MachineLive", "MachineSimulated",
        "Metrics", "Reporting", "SQLitePersistence", "TestSupport", "Topologies", "TrialProcesses", "TrialSupport",
        "Validation", "Workloads",
      ]),
    .testTarget(
      name: "ProjectFoldersTests",
      dependencies: [
        "ContextEngine", "Experiments", "MachineLive", "SQLitePersistence", "TestSupport",
      ]),
    .testTarget(
      name: "ClaimsTests",
      dependencies: [
        "Experiments", "InputFiles", "Metrics", "OutputFiles", "Reporting", "TestSupport",
        "TrialProcesses",
      ]),
    .testTarget(
      name: "StackbenchTests",
      dependencies: [
        "CLibraries", "CommandShell", "ContextEngine", "Experiments", "Harness", "InputFiles", "MachineCore",
        "MachineLive", "MachineSimulated", "Metrics", "OutputFiles", "PredicateFormats", "Reporting",
        "SQLitePersistence", "stackbench",
        "stackbench-workshop", "TestSupport", "Topologies", "TrialProcesses", "TrialSupport", "Validation", "Workloads",
        argumentParser,
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      exclude: ["FuzzCorpus", "Goldens", "Output/KillBeforeRename.c", "Snapshots"]),
  ],
  swiftLanguageModes: [.v6],
  // The standard with `#embed`.
  cLanguageStandard: .c2x
)

// The targets whose code prepares trials and shows their results. They are not optimised: that would take more than
// twice the time of the compiler, and they have less than a hundredth of the time of a run.
let unoptimised: Set = [
  "CommandShell", "Experiments", "InputFiles", "OutputFiles", "Reporting", "stackbench", "stackbench-workshop",
]

// The targets of measured code that no test imports with `@testable`. The flag that it needs makes code slower. They do
// not check at run time that accesses to a variable do not overlap. A context's queue, a connection's one thread and the
// simulated machine's one strand order the accesses. The checks would take a tenth of a simulation and a quarter of a
// fault. Debug builds, such as that of `make tsan`, have them, and so has the yardstick, whose work must not change.
let closed: Set = [
  "ContextEngine", "Harness", "MachineCore", "MachineLive", "MachineSimulated", "Metrics", "peers-gate",
  "PredicateFormats", "SQLitePersistence", "Topologies", "Workloads", "Yardstick",
]

// Tests run on the objects of the release build, so that they check the code that users run. Their own code is not
// optimised, which would take longer than it saves.
for target in package.targets {
  let isTest = target.type == .test || target.path?.hasPrefix("Tests/") == true
  guard isTest || target.type == .regular || target.type == .executable else { continue }
  var flags: [String] = []
  if isTest || unoptimised.contains(target.name) { flags.append("-Onone") }
  if !isTest, !closed.contains(target.name) { flags.append("-enable-testing") }
  if closed.contains(target.name), target.name != "Yardstick" { flags.append("-enforce-exclusivity=unchecked") }
  target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags, .when(configuration: .release))]
}

// `make tsan` builds only the test targets that it runs.
if let names = Context.environment["STACKBENCH_TESTS"]?.split(separator: ",") {
  package.targets.removeAll { target in target.type == .test && !names.contains { $0 == target.name } }
}
