import Experiments
import Foundation
import Harness
import Testing
import Topologies
import Workloads

/// The code for models and feeds of users, under the compiler and as a program.
@Suite(
  .enabled(if: SwiftCompiler.isThere, "no swiftc on the PATH: printed wirings are not compiled"), .serialized)
struct OwnRecordsTests {
  private let compiler: PrintedCodeCompiler

  init() throws {
    compiler = try PrintedCodeCompiler()
  }

  private static let stacks: [Topology] = [.workerMerge(.automatic), .perViewController, .allMain, .threeTier]

  /// Writes the code of a stack for records. The number makes the name of its class different from other names.
  private func write(
    _ records: PrintedRecords, _ number: Int, _ topology: Topology, adding text: String = "",
    changing change: (inout WiringCodeOptions) -> Void = { _ in }
  ) throws -> (path: String, className: String) {
    var named = topology
    (named.id, named.variant) = ("case-\(number)", nil)
    let code = PrintedStack.code(of: named, as: number.isMultiple(of: 2) ? .plain : .withSignposts) { options in
      options.records = records
      change(&options)
    }
    let className = "Case\(number)Stack"
    return (
      try compiler.write(code + text.replacing("STACK", with: className), to: "case-\(number).swift"), className
    )
  }

  @Test func `the code for models and nested feeds compiles`() async throws {
    try await compiler.makeFrameworks(strict: true)
    var files: [String] = []
    for own in try OwnRecords(compiler: compiler).all() {
      let records = try PrintedRecords(own.options)
      #expect(records.limit == nil, "\(own.name)")
      for lookup in [RunOptions.Lookup.unit, .record, .none] {
        let stack = Self.stacks[files.count % Self.stacks.count]
        files.append(
          try write(records, files.count, stack) { options in
            options.run.lookup = lookup
            options.hasDeletions = lookup != .none
            options.run.lanes = lookup == .record ? 2 : 1
          }.path)
      }
    }
    for dialect in PrintedCodeCompiler.Dialect.allCases {
      let outcome = try await compiler.compile(files, dialect)
      #expect(outcome.isSuccess, "\(dialect): \(outcome.errors.prefix(20))")
    }
  }

  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["STACKBENCH_SAMPLES"] != nil, "set STACKBENCH_SAMPLES to run this"))
  func `the code for real models and feeds compiles`() async throws {
    try await compiler.makeFrameworks(strict: false)
    var files: [String] = []
    for sample in try OwnRecords.samples(in: ProcessInfo.processInfo.environment["STACKBENCH_SAMPLES"] ?? "") {
      // Most feeds do not fit most models, so that no code can be printed.
      guard let records = try? PrintedRecords(sample.options) else { continue }
      #expect(records.limit == nil, "\(sample.name)")
      files.append(try write(records, files.count, Self.stacks[files.count % Self.stacks.count]).path)
    }
    #expect(files.count >= 8)
    let outcome = try await compiler.compile(files, .approachable)
    #expect(outcome.isSuccess, "\(outcome.errors.prefix(20))")
  }

  /// Runs the printed decoding on the payloads of each workload. The rows that it makes are compared with those that
  /// Stackbench imports.
  @Test func `the printed code makes the rows that Stackbench imports`() async throws {
    try await compiler.makeFrameworks(strict: false, forRunning: true)
    var files: [String] = []
    var inputs: [(className: String, payloads: [String])] = []
    var expected: [[String]] = []
    for (number, own) in try OwnRecords(compiler: compiler).all().enumerated() {
      let records = try PrintedRecords(own.options)
      let text = Self.dump(of: records)
      let written = try write(records, number, .workerMerge(.automatic), adding: text) { $0.hasDeletions = false }
      files.append(written.path)
      let folder = compiler.folder.appendingPathComponent("workload-\(number)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let archive = try WorkloadArchive.write(own.options, to: folder)
      let decoder = PayloadDecoder(schema: archive.schema)
      let imported = try archive.payloads.indices.flatMap { try decoder.decode(archive.payload($0)) }
      expected.append(Self.distinct(imported.map { Self.text(of: $0, archive.schema) }))
      let payloads =
        try own.options.workload.feedPath.map { [$0] }
        ?? archive.payloads.indices.map { place in
          try compiler.write(String(decoding: archive.payload(place), as: UTF8.self), to: "\(number)-\(place).json")
        }
      inputs.append((written.className, payloads))
    }
    let calls = inputs.map { input in
      "print(try \(input.className).rows(in: \(input.payloads)), terminator: \"\\u{0}\")"
    }
    files.append(
      try compiler.write(
        "import Foundation\n@main struct Main { static func main() throws {\n\(calls.joined(separator: "\n"))\n} }\n",
        to: "main.swift"))
    let output = try await compiler.run(files)
    let printed = output.split(separator: "\0", omittingEmptySubsequences: false).dropLast()
    #expect(printed.count == expected.count)
    for (text, rows) in zip(printed, expected) {
      #expect(Self.distinct(text.split(separator: "\n").map(String.init)) == rows)
    }
  }

  // MARK: Rows as text

  /// Returns a function of the printed class that prints the rows of payloads, one on each line.
  private static func dump(of records: PrintedRecords) -> String {
    let code = PrintedStack.code(of: .allMain) { $0.records = records }
    let place = code.contains("from place: Int") ? ", from: 0" : ""
    let hasRows = code.contains("struct Row {")
    let links = """
      links += row.links.filter { $0.value != nil }.map { "\\($0)->\\(text($1?.id))" }.sorted()
      """
    let lists = """
      let lists = row.lists.filter { !$0.value.isEmpty }
      links += lists.map { "\\($0)->\\($1.map { text($0.id) }.sorted())" }.sorted()
      """
    return """

      nonisolated extension STACK {
        static func rows(in paths: [String]) throws -> String {
          try paths.flatMap { try decode(Data(contentsOf: URL(fileURLWithPath: $0))\(place)) }
            \(hasRows ? ".flatMap(\\.rows)" : "").map(line).joined(separator: "\\n")
        }

        private static func line(_ row: \(hasRows ? "Row" : "Record")) -> String {
          let values = row.attributes.map { "\\($0)=\\(text($1))" }.sorted()
          var links: [String] = []
          \(code.contains("var links: [String: Key?] = [:]") ? links : "")
          \(code.contains("var lists: [String: [Key]] = [:]") ? lists : "")
          return (values + links).joined(separator: " ").replacing("\\n", with: " ")
        }

        private static func text(_ value: Any?) -> String {
          switch value {
          case nil: ""
          case let date as Date: "\\(date.timeIntervalSinceReferenceDate)"
          case let data as Data: data.base64EncodedString()
          case let text as String where text.utf8.count >= 32 && text.allSatisfy(\\.isHexDigit): "#"
          case let number as Float: "\\(Double(number))"
          case let list as [Any?]: "\\(list.map { text($0) })"
          case let value?: Mirror(reflecting: value).displayStyle == .enum
            ? text(Mirror(reflecting: value).children.first?.value) : "\\(value)"
          }
        }
      }
      """
  }

  /// Returns a row as the printed function writes it.
  private static func text(of record: ImportRecord, _ schema: WorkloadSchema) -> String {
    let entity = schema.entities[record.entity]
    let values = zip(entity.attributes, record.values).map { "\($0.name)=\(text($1))" }.sorted()
    let isList = schema.entities.contains { $0.keyIndexes.count > 1 }
    func key(_ key: RecordKey) -> String {
      let values = key.fieldValues.map(text)
      return isList ? "\(values)" : values[0]
    }
    let links = zip(entity.links, record.links).compactMap { link, target in
      target.map { "\(link.name)->\(key($0))" }
    }.sorted()
    let lists = zip(entity.lists, record.lists).filter { !$0.1.isEmpty }.map { list, targets in
      "\(list.name)->\(targets.map(key).sorted())"
    }.sorted()
    return (values + links + lists).joined(separator: " ").replacing("\n", with: " ")
  }

  private static func text(_ value: FieldValue) -> String {
    switch value {
    case .null: ""
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .boolean(let isTrue): "\(isTrue)"
    case .date(let seconds): "\(seconds)"
    case .string(let text): text.utf8.count >= 32 && text.allSatisfy(\.isHexDigit) ? "#" : text
    case .decimal(let number): "\(number)"
    case .binary(let data): data.base64EncodedString()
    case .uuid(let uuid): "\(uuid)"
    case .uri(let text): text
    }
  }

  private static func distinct(_ lines: [String]) -> [String] { Set(lines).sorted() }
}
