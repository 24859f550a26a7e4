// swift-tools-version: 6.1
import PackageDescription

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let orderedCollections = Target.Dependency.product(name: "OrderedCollections", package: "swift-collections")
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let engine: [Target.Dependency] = ["ContextEngine", "SQLitePersistence", "MachineCore", "MachineLive"]

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
    .library(name: "MachineCore", targets: ["MachineCore"]),
    .library(name: "MachineLive", targets: ["MachineLive"]),
    .library(name: "FeedReading", targets: ["FeedReading"]),
    .library(name: "CSQLite", targets: ["CSQLite"]),
    .library(name: "CJemalloc", targets: ["CJemalloc"]),
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
    // System libraries.
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CJemalloc", providers: [.apt(["libjemalloc-dev"])]),
    .systemLibrary(name: "CCrypto", providers: [.apt(["libssl-dev"])]),
    // One declaration of the Swift runtime, for registries that hold objects weakly without side tables.
    .systemLibrary(name: "CSwiftRuntime"),
    // Calls of Linux that Glibc's module leaves out.
    .systemLibrary(name: "CLinux"),
    // The files that the program contains.
    .target(name: "CResources"),

    // The seam and its machines.
    .target(name: "MachineCore"),
    .target(name: "MachineLive", dependencies: ["MachineCore", deque]),
    // One strand runs at a time, so that accesses cannot overlap; their checks take a tenth of a simulation.
    .target(
      name: "MachineSimulated", dependencies: ["CLinux", "MachineCore", deque, heap],
      swiftSettings: [.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))]),

    // The engine and its store.
    .target(name: "ContextEngine", dependencies: ["MachineCore", "CSwiftRuntime", orderedCollections]),
    .target(name: "SQLitePersistence", dependencies: ["ContextEngine", "MachineCore", "CSQLite"]),

    // A frozen piece of work that shows how fast the computer is. Optimised in debug builds too, so that it takes there
    // about as long as in a release build.
    .target(
      name: "Yardstick", dependencies: ["CSQLite"],
      swiftSettings: [.unsafeFlags(["-O"], .when(configuration: .debug))]),

    // What is compared, on what, and how it is measured.
    .target(name: "Topologies", dependencies: ["ContextEngine", "MachineCore"]),
    .target(name: "FeedReading", dependencies: ["MachineCore"]),
    .target(name: "ModelReading", dependencies: ["MachineCore"]),
    .target(name: "Workloads", dependencies: ["FeedReading", "MachineCore", "ModelReading"]),
    .target(name: "Ledgers", dependencies: ["MachineCore"]),
    .target(name: "Metrics", dependencies: ["Ledgers", "MachineCore"]),
    .target(
      name: "Verification",
      dependencies: ["FeedReading", "MachineCore", "ModelReading", "Workloads", "CSQLite", "CCrypto"]),
    .target(
      name: "Harness",
      dependencies: [
        "Topologies", "ContextEngine", "MachineCore", "ModelReading", "Workloads", "Ledgers", "Metrics", "Verification",
      ]),
    .target(
      name: "Reporting",
      dependencies: ["CLinux", "CResources", "MachineCore", "Ledgers", "Metrics"],
      exclude: ["Report/Page"]),

    // What models, stores and feeds of users contain.
    .target(
      name: "Inspection",
      dependencies: [
        "CLinux", "CSQLite", "ContextEngine", "FeedReading", "MachineCore", "ModelReading", "Reporting",
        "SQLitePersistence", "Verification", "Workloads",
      ]),

    // Devices, and the files that describe them.
    .target(
      name: "YAMLReading", dependencies: ["MachineCore", .product(name: "Yams", package: "Yams")]),
    // The files that map feeds to the entities of models.
    .target(
      name: "FeedMaps", dependencies: ["FeedReading", "MachineCore", "ModelReading", "Workloads", "YAMLReading"]),
    .target(
      name: "Profiles",
      dependencies: [
        "CResources", "MachineCore", "MachineSimulated", "Reporting", "SQLitePersistence", "YAMLReading",
        orderedCollections,
      ],
      exclude: ["Shipped"]),

    // Stacks in files of users, as YAML and as graphs.
    .target(name: "TopologyFiles", dependencies: ["ContextEngine", "MachineCore", "Topologies", "YAMLReading"]),

    // Traces of trials for a viewer.
    .target(
      name: "Tracing", dependencies: ["ContextEngine", "MachineCore", "MachineSimulated", "Ledgers", "Reporting"]),

    // Wirings as Swift code for the real framework.
    .target(
      name: "WiringCode",
      dependencies: ["Topologies", "ContextEngine", "FeedReading", "Harness", "MachineCore", "Reporting", "Workloads"]),

    // Trials and other tasks, and the child processes that run them.
    .target(
      name: "TrialProcesses",
      dependencies: [
        "CJemalloc", "CLinux", "CSQLite", "ContextEngine", "Harness", "Inspection", "MachineCore", "MachineLive",
        "MachineSimulated", "Ledgers", "Metrics", "ModelReading", "Reporting", "SQLitePersistence", "Tracing",
        "Verification", "Workloads", "Yardstick",
      ]),

    // Known troubles as small programs, each beside the wiring that avoids it.
    .target(
      name: "Scenarios",
      dependencies: [
        "ContextEngine", "MachineCore", "MachineLive", "MachineSimulated", "Reporting", "SQLitePersistence", "Tracing",
        "TrialProcesses",
      ]),

    // Runs, sweeps, the gate, comparisons and advice, with the settings of a run.
    .target(
      name: "Experiments",
      dependencies: [
        "CResources", "ContextEngine", "FeedMaps", "Harness", "MachineCore", "MachineSimulated", "Ledgers", "Metrics",
        "Profiles", "Reporting", "Topologies", "TopologyFiles", "Tracing", "TrialProcesses", "Verification",
        "Workloads", "YAMLReading", "Yardstick",
      ]),

    // The work of the engine that a calibration measures.
    .target(
      name: "CalibrationScenarios",
      dependencies: ["ContextEngine", "Harness", "MachineCore", "Ledgers", "Topologies", "Workloads"]),

    // Simulated runs held against live ones and against published measurements, and profiles fitted to both.
    .target(
      name: "Validation",
      dependencies: [
        "CResources", "CalibrationScenarios", "ContextEngine", "Experiments", "Harness", "MachineCore", "MachineLive",
        "MachineSimulated", "Ledgers", "Metrics", "Profiles", "Reporting", "SQLitePersistence", "Topologies",
        "TopologyFiles", "TrialProcesses", "Verification", "Workloads", "YAMLReading", "Yardstick",
      ],
      exclude: ["Published/Tables", "Published/constraints.yaml"]),

    // The models, feeds, stores and files of settings in a folder, and the file of settings that is made from them.
    .target(
      name: "ProjectFolders",
      dependencies: [
        "ContextEngine", "Experiments", "FeedMaps", "FeedReading", "Harness", "Inspection", "ModelReading", "Profiles",
        "Reporting", "TopologyFiles", "Workloads", "YAMLReading",
      ]),

    // Statements of articles, held against the results of experiments.
    .target(
      name: "Claims",
      dependencies: [
        "CResources", "Experiments", "Harness", "MachineCore", "Metrics", "Profiles", "Reporting", "Scenarios",
        "Topologies", "TrialProcesses", "WiringCode", "YAMLReading",
      ],
      exclude: ["Shipped"]),

    // The parts of command lines that both programs have.
    .target(
      name: "CommandShell",
      dependencies: [
        "Experiments", "MachineCore", "Profiles", "Reporting", "TrialProcesses", "Workloads", argumentParser,
      ]),

    // Commands; the composition root.
    .executableTarget(
      name: "stackbench",
      dependencies: [
        "Claims", "CommandShell", "Experiments", "FeedMaps", "FeedReading", "Harness", "Inspection", "Ledgers",
        "MachineCore", "MachineSimulated", "Metrics", "ModelReading", "Profiles", "ProjectFolders", "Reporting",
        "Scenarios", "Topologies", "TopologyFiles", "TrialProcesses", "WiringCode", "Workloads", "YAMLReading",
        "Yardstick", argumentParser,
      ],
      linkerSettings: [endsWithoutThread]),

    // The commands that make and check profiles, as a program beside the main one.
    .executableTarget(
      name: "stackbench-workshop",
      dependencies: [
        "CalibrationScenarios", "CommandShell", "Experiments", "Ledgers", "MachineCore", "MachineLive",
        "MachineSimulated", "Metrics", "Profiles", "Reporting", "TrialProcesses", "Validation", argumentParser,
      ],
      linkerSettings: [endsWithoutThread]),

    // The engine as another package uses it: without access to declarations that are only for this package.
    .executableTarget(
      name: "ReadingList", dependencies: engine, path: "Examples/Sources/ReadingList", packageAccess: false),
    // The examples in documentation comments, which `.ci/comment-examples` adds to the target.
    .testTarget(
      name: "CommentExamples", dependencies: engine, path: "Examples/Tests/CommentExamples", packageAccess: false),
    .testTarget(
      name: "PublicInterfaceTests", dependencies: engine, path: "Examples/Tests/PublicInterfaceTests",
      packageAccess: false),

    // Tests, and what several of them use.
    .target(name: "TestSupport", dependencies: ["ContextEngine", "MachineCore"], path: "Tests/TestSupport"),
    .target(
      name: "TrialSupport",
      dependencies: [
        "CSQLite", "ContextEngine", "Harness", "MachineCore", "MachineLive", "Metrics", "ModelReading", "Reporting",
        "SQLitePersistence", "TestSupport", "Workloads",
      ],
      path: "Tests/TrialSupport"),
    .testTarget(name: "MachineCoreTests", dependencies: ["MachineCore"]),
    .testTarget(
      name: "MachineConformanceTests", dependencies: ["MachineCore", "MachineLive", "MachineSimulated", "TestSupport"]),
    .testTarget(name: "MachineSimulatedTests", dependencies: ["MachineSimulated", "MachineCore"]),
    .testTarget(
      name: "ContextEngineTests",
      dependencies: [
        "ContextEngine", "SQLitePersistence", "MachineLive", "MachineSimulated", "MachineCore", "CSQLite",
        "TestSupport",
      ]),
    .testTarget(
      name: "TopologiesTests",
      dependencies: [
        "Topologies", "ContextEngine", "SQLitePersistence", "MachineLive", "MachineCore", "CSQLite", "TestSupport",
      ]),
    .testTarget(name: "ModelReadingTests", dependencies: ["ModelReading", "TestSupport"]),
    .testTarget(name: "MetricsTests", dependencies: ["Ledgers", "Metrics", "MachineCore"]),
    .testTarget(
      name: "ReportingTests", dependencies: ["Reporting", "Ledgers", "Metrics", "MachineCore", "TestSupport"]),
    .testTarget(
      name: "SQLitePersistenceTests",
      dependencies: ["SQLitePersistence", "ContextEngine", "MachineCore", "CSQLite", "TestSupport"]),
    .testTarget(name: "YardstickTests", dependencies: ["Yardstick"], exclude: ["Goldens"]),
    .testTarget(name: "FeedReadingTests", dependencies: ["FeedReading", "MachineCore"]),
    .testTarget(name: "WorkloadsTests", dependencies: ["Workloads", "MachineCore", "TestSupport"]),
    .testTarget(
      name: "InspectionTests",
      dependencies: [
        "Inspection", "CSQLite", "ContextEngine", "MachineCore", "MachineLive", "Reporting", "SQLitePersistence",
        "TestSupport", "Verification",
      ]),
    .testTarget(name: "VerificationTests", dependencies: ["Verification", "Workloads", "CSQLite", "TestSupport"]),
    .testTarget(
      name: "HarnessTests",
      dependencies: [
        "Harness", "Topologies", "ContextEngine", "SQLitePersistence", "MachineLive", "MachineCore", "ModelReading",
        "Workloads", "Ledgers", "Metrics", "Verification", "CSQLite", "TestSupport", "TrialSupport",
      ]),
    .testTarget(name: "TracingTests", dependencies: ["Tracing", "ContextEngine", "MachineCore"]),
    .testTarget(
      name: "TrialProcessesTests",
      dependencies: [
        "CJemalloc", "TrialProcesses", "ContextEngine", "Harness", "MachineCore", "MachineLive", "MachineSimulated",
        "Ledgers", "Metrics", "Profiles", "SQLitePersistence", "TestSupport", "Topologies", "Tracing", "TrialSupport",
        "Verification", "Workloads",
      ]),
    .testTarget(name: "YAMLReadingTests", dependencies: ["YAMLReading"]),
    .testTarget(
      name: "FeedMapsTests",
      dependencies: [
        "FeedMaps", "FeedReading", "MachineCore", "ModelReading", "TestSupport", "Workloads", "YAMLReading",
      ]),
    .testTarget(
      name: "TopologyFilesTests",
      dependencies: [
        "TopologyFiles", "ContextEngine", "Harness", "MachineCore", "MachineLive", "MachineSimulated", "Ledgers",
        "Metrics", "Profiles", "TestSupport", "Topologies", "TrialProcesses", "Workloads", "YAMLReading",
      ]),
    .testTarget(name: "ProfilesTests", dependencies: ["Profiles", "MachineCore", "MachineSimulated", "TestSupport"]),
    .testTarget(
      name: "WiringCodeTests",
      dependencies: [
        "WiringCode", "Topologies", "Harness", "MachineCore", "Reporting", "Workloads",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      exclude: ["CoreDataStub"]),
    .testTarget(
      name: "ScenariosTests",
      dependencies: [
        "Scenarios", "ContextEngine", "MachineCore", "MachineSimulated", "Profiles", "Reporting", "TestSupport",
        "Tracing", "TrialProcesses",
      ]),
    .testTarget(
      name: "ExperimentsTests",
      dependencies: [
        "Experiments", "ContextEngine", "Harness", "MachineCore", "MachineSimulated", "Ledgers", "Metrics", "Profiles",
        "Reporting", "Topologies", "TestSupport", "TrialProcesses", "TrialSupport", "Workloads", "YAMLReading",
      ]),
    .testTarget(
      name: "ValidationTests",
      dependencies: [
        "Validation", "CalibrationScenarios", "ContextEngine", "Experiments", "Harness", "MachineCore", "MachineLive",
        "MachineSimulated", "Ledgers", "Metrics", "Profiles", "Reporting", "SQLitePersistence", "TestSupport",
        "Topologies", "TopologyFiles", "TrialProcesses", "TrialSupport", "Workloads", "YAMLReading",
      ]),
    .testTarget(
      name: "ProjectFoldersTests",
      dependencies: [
        "ProjectFolders", "ContextEngine", "Experiments", "Inspection", "MachineCore", "MachineLive", "Reporting",
        "SQLitePersistence", "TestSupport",
      ]),
    .testTarget(
      name: "ClaimsTests",
      dependencies: [
        "Claims", "Experiments", "Metrics", "Reporting", "TestSupport", "Topologies", "TrialProcesses", "YAMLReading",
      ]),
    .testTarget(
      name: "StackbenchTests",
      dependencies: [
        "CSQLite", "Claims", "CommandShell", "stackbench", "stackbench-workshop", "ContextEngine", "Experiments",
        "FeedMaps", "Harness", "MachineCore", "MachineLive", "MachineSimulated", "Ledgers", "Metrics", "ModelReading",
        "Profiles", "Reporting", "SQLitePersistence", "Scenarios", "TestSupport", "Topologies", "TopologyFiles",
        "Tracing", "TrialProcesses", "TrialSupport", "Validation", "Verification", "WiringCode", "Workloads",
        "YAMLReading", argumentParser,
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      exclude: ["Goldens", "Output/KillBeforeRename.c", "Snapshots"]),
  ],
  swiftLanguageModes: [.v6],
  // The standard with `#embed`.
  cLanguageStandard: .c2x
)

// The targets whose code prepares trials and shows their results. They are not optimised: that would take more than
// twice the time of the compiler, and they have less than a hundredth of the time of a run.
let unoptimised: Set = [
  "Claims", "CommandShell", "Experiments", "FeedMaps", "Inspection", "Metrics", "ModelReading", "Profiles",
  "ProjectFolders", "Reporting", "Scenarios", "TopologyFiles", "Tracing", "Validation", "WiringCode", "YAMLReading",
  "stackbench", "stackbench-workshop",
]

// The targets of measured code that no test imports with `@testable`. The flag that it needs makes code slower.
let closed: Set = [
  "ContextEngine", "FeedReading", "Harness", "Ledgers", "MachineCore", "MachineLive", "MachineSimulated",
  "SQLitePersistence", "Topologies", "Verification", "Workloads", "Yardstick",
]

// Tests run on the objects of the release build, so that they check the code that users run. Their own code is not
// optimised, which would take longer than it saves.
for target in package.targets {
  let isTest = target.type == .test || target.path?.hasPrefix("Tests/") == true
  guard isTest || target.type == .regular || target.type == .executable else { continue }
  let flags =
    (isTest || closed.contains(target.name) ? [] : ["-enable-testing"])
    + (isTest || unoptimised.contains(target.name) ? ["-Onone"] : [])
  target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags, .when(configuration: .release))]
}

// `make tsan` builds only the test targets that it runs.
if let names = Context.environment["STACKBENCH_TESTS"]?.split(separator: ",") {
  package.targets.removeAll { target in target.type == .test && !names.contains { $0 == target.name } }
}
