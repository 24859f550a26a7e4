// swift-tools-version: 6.1
import PackageDescription

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

/// The comparison of the engine with its peers, and of the reading of feeds with Foundation's decoder. It is a separate
/// package, so that the product does not depend on the peers.
let package = Package(
  name: "stackbench-peers",
  dependencies: [
    .package(name: "stackbench", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
    .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    .package(url: "https://github.com/ordo-one/TextTable", exact: "0.0.2"),
  ],
  targets: [
    .target(
      name: "PeerComparison",
      dependencies: [
        "TextTable",
        .product(name: "ContextEngine", package: "stackbench"),
        .product(name: "SQLitePersistence", package: "stackbench"),
        .product(name: "MachineCore", package: "stackbench"),
        .product(name: "MachineLive", package: "stackbench"),
        .product(name: "CLibraries", package: "stackbench"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      // The script is embedded in the binary, which needs no other files.
      resources: [.embedInCode("SQLAlchemy/sqlalchemy_peer.py")]),
    .executableTarget(name: "peers", dependencies: ["PeerComparison", argumentParser]),
    .executableTarget(
      name: "feeds-speed",
      dependencies: [
        .product(name: "MachineCore", package: "stackbench"),
        .product(name: "Workloads", package: "stackbench"),
        argumentParser,
      ]),
    .testTarget(name: "PeerComparisonTests", dependencies: ["PeerComparison"]),
  ],
  swiftLanguageModes: [.v6]
)
