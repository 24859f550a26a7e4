// swift-tools-version: 6.1
import PackageDescription

let engine: [Target.Dependency] = [
  .product(name: "ContextEngine", package: "stackbench"),
  .product(name: "SQLitePersistence", package: "stackbench"),
  .product(name: "MachineCore", package: "stackbench"),
  .product(name: "MachineLive", package: "stackbench"),
]

/// The engine as another package uses it. `make examples` builds and runs it.
let package = Package(
  name: "stackbench-examples",
  dependencies: [.package(name: "stackbench", path: "..")],
  targets: [
    .executableTarget(name: "ReadingList", dependencies: engine),
    // The examples in documentation comments, which `.ci/comment-examples` adds to the target.
    .testTarget(name: "CommentExamples", dependencies: engine),
    .testTarget(name: "PublicInterfaceTests", dependencies: engine),
  ],
  swiftLanguageModes: [.v6]
)
