import Foundation
import InputFiles
import MachineSimulated
import TestSupport
import Testing

/// The errors of profiles that cannot be used.
@Suite struct ProfileFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A phone with the reference's costs, as a user would write it; the lines are numbered from 1.
  private static let phone = """
    name: mine
    title: My phone
    version: 1
    description: A phone of mine
    hardware: {cores: 2, favoursMain: true, quantumMilliseconds: 10, refreshRate: 60, source: its box}
    era:
      connectionPool: 4
      journalMode: wal
      synchronous: normal
      fullfsync: false
      shouldDeleteInaccessibleFaults: true
      batchSizeIgnoredInChildren: true
      source: assumption
    costsOf: reference
    speed: {value: 20, low: 10, high: 40, source: assumption}
    costs:
      pageRead:
        storage: {value: 0, low: 0, high: 0, source: assumption}
        storagePerByte: {value: 0, low: 0, high: 0, source: assumption}
      pageWritten:
        storage: {value: 0, low: 0, high: 0, source: assumption}
        storagePerByte: {value: 1.5, low: 1, high: 2, source: assumption}
      sync: {storage: {value: 5e5, low: 1e5, high: 1e6, source: assumption}, storagePerByte: {value: 0.8, low: 0.5, high: 1, source: assumption}}
      fullFlush: {storage: {value: 9e6, low: 5e6, high: 2e7, source: assumption}, storagePerByte: {value: 0.8, low: 0.5, high: 1, source: assumption}}
      threadWoken: {latency: {value: 9000, low: 5000, high: 20000, source: assumption}}

    """

  private func message(_ text: String) throws -> String? {
    let path = try folder.write(text, to: "mine.yaml")
    let error = #expect(throws: ProfileError.self) { try ProfileLibrary.profile(named: path) }
    return error?.description.replacing("\(folder.path)/", with: "")
  }

  @Test func `a custom profile has the costs of the shipped reference`() throws {
    let path = try folder.write(Self.phone, to: "mine.yaml")
    let profile = try ProfileLibrary.profile(named: path)
    #expect(profile.name == "mine")
    #expect(profile.cost(.sync, .storage)?.value == 500_000)
    let setting = try #require(try ProfileLibrary.reference().costs[.propertySet, .cpu]?.value)
    #expect(profile.cost(.propertySet, .cpu)?.value == setting * 20)
  }

  @Test func `a custom computer multiplies classes of work and has no shape`() throws {
    let factors = "factors: {sqlite: {value: 1.5, low: 1, high: 2, source: measured}}\ncosts:"
    let path = try folder.write(Self.phone.replacing("costs:", with: factors, maxReplacements: 1), to: "mine.yaml")
    let profile = try ProfileLibrary.profile(named: path)
    let reference = try ProfileLibrary.reference()
    #expect(profile.groups.map(\.name) == ["sqlite"])
    #expect(profile.cost(.rowSorted, .cpu)?.high == reference.costs[.rowSorted, .cpu].map { $0.high * (20 * 1.5) })
    #expect(profile.cost(.cellRead, .cpu)?.value == reference.costs[.cellRead, .cpu].map { $0.value * 20 })
  }

  @Test(arguments: [
    ("cores: 2", "cores: 0", "mine.yaml:5: hardware.cores: 0 is not in range; use a whole number from 1 to 1024"),
    ("cores: 2, ", "", "mine.yaml:5: hardware.cores: missing"),
    (
      "favoursMain: true", "favoursMain: perhaps",
      "mine.yaml:5: hardware.favoursMain: perhaps is neither true nor false"
    ),
    (
      "quantumMilliseconds: 10", "quantumMilliseconds: long",
      "mine.yaml:5: hardware.quantumMilliseconds: long is not a number; use 0.001 to 1000"
    ),
    (
      "journalMode: wal", "journalMode: woe",
      "mine.yaml:8: era.journalMode: woe is not known; use one of wal, delete, truncate, persist, memory, off"
    ),
    ("title: My phone", "title: ''", "mine.yaml:2: title: empty"),
    ("title: My phone", "title: [a]", "mine.yaml:2: title: not a text"),
    (
      "era:\n", "era: 7\nera-of:\n",
      "mine.yaml:7: era-of: not known; use one of name, title, version, description, unit, yardstick, hardware, era, "
        + "costsOf, shape, speed, benchmarks, factors, costs"
    ),
    (
      "version: 1\n", "version: 1\nyardstick: 11.2\n",
      "mine.yaml:4: yardstick: 11.2 is not in range; use a whole number from 100000 to 100000000000"
    ),
    (
      "  source: assumption\ncostsOf", "  colour: red\ncostsOf",
      "mine.yaml:13: era.colour: not known; use one of connectionPool, journalMode, synchronous, fullfsync, "
        + "shouldDeleteInaccessibleFaults, batchSizeIgnoredInChildren, source"
    ),
    (
      "costsOf: reference", "costsOf: host",
      "mine.yaml: costsOf: no reference is called host; use costsOf: reference"
    ),
    ("costsOf: reference\n", "", "mine.yaml: costsOf: missing; costsOf and speed go together"),
    (
      "costsOf: reference\n", "costsOf: reference\nshape: realm\n",
      "mine.yaml: shape: no shape is called realm; use core-data"
    ),
    (
      "version: 1\n", "version: 1\nunit: instructions\n",
      "mine.yaml:4: unit: a reference in instructions is not a device; write a profile with costsOf: reference and a "
        + "speed"
    ),
    (
      "version: 1\n", "version: 1\nunit: seconds\n",
      "mine.yaml:4: unit: seconds is not known; use one of nanoseconds, instructions"
    ),
    (
      "costs:\n", "factors: {sqlight: 7}\ncosts:\n",
      "mine.yaml:16: factors.sqlight: not known; use one of objectGraph, sqlite, memory, systemCalls, handOver"
    ),
    (
      "costs:\n", "factors: {sqlite: 7}\ncosts:\n",
      "mine.yaml:16: factors.sqlite: not a mapping; use value: … and the like"
    ),
    (
      "costs:\n", "factors: {sqlite: {value: 0, low: 0, high: 1, source: measured}}\ncosts:\n",
      "mine.yaml:16: factors.sqlite.value: 0 is out of range; use 1e-06 to 1000000"
    ),
    (
      "{value: 20,", "{value: 50,",
      "mine.yaml:15: speed.value: 50 does not lie in 10 to 40; use low ≤ value ≤ high"
    ),
    ("speed: {value: 20,", "speed: {factor: 20,", "mine.yaml:15: speed.factor: belongs to relativeTo; use value"),
    (
      "{value: 20,", "{relativeTo: host, value: 20,",
      "mine.yaml:15: speed.value: contradicts relativeTo; use factor"
    ),
    (
      "{value: 20, low: 10", "{relativeTo: nokia, factor: 20, low: 10",
      "mine.yaml: speed.relativeTo: no profile is called nokia; use one of the shipped"
    ),
    (
      "value: 1.5, low: 1,", "value: -1.5, low: -2,",
      "mine.yaml:22: costs.pageWritten.storagePerByte.value: -1.5 is negative; use 0 to 1000000"
    ),
    (
      "value: 5e5, low: 1e5, high: 1e6", "value: 5e5, low: 1e5, high: 1e11",
      "mine.yaml:23: costs.sync.storage.high: 1e11 is out of range; use 0 to 10000000000"
    ),
    (
      "value: 5e5, low: 1e5, high: 1e6", "value: nan, low: 1e5, high: 1e6",
      "mine.yaml:23: costs.sync.storage.value: nan is not a number; use 0 to 10000000000"
    ),
    (", high: 1e6, source: assumption", ", high: 1e6", "mine.yaml:23: costs.sync.storage.source: missing"),
    (
      "  sync: {storage: ", "  sync: {cpuPerByte: ",
      "mine.yaml:23: costs.sync.cpuPerByte: not known; use one of cpu, storage, storagePerByte"
    ),
    (
      "  fullFlush: {storage: {value: 9e6, low: 5e6, high: 2e7, source: assumption}, storagePerByte: {value: 0.8, low: 0.5, high: 1, source: assumption}}\n",
      "",
      "mine.yaml: costs.fullFlush.storage: missing; a profile needs {value, low, high, source} for it"
    ),
    ("version: 1\n", "version: 1\nversion: 2\n", "mine.yaml:3: version: given twice; use it once"),
    (
      "sync: {storage: {value: 5e5, low: 1e5, high: 1e6, source: assumption}", "sync: {storage: 5",
      "mine.yaml:23: costs.sync.storage: not a mapping; use value: … and the like"
    ),
  ])
  func `a damaged profile throws one line with file, line and key`(
    part: String, replacement: String, expected: String
  ) throws {
    try #require(Self.phone.contains(part))
    let message = try message(Self.phone.replacing(part, with: replacement, maxReplacements: 1))
    #expect(message == expected)
  }

  @Test(arguments: [
    ("", "mine.yaml: empty; use YAML with name: … first"),
    ("name: [", "mine.yaml:2: not YAML: did not find expected node content"),
    ("just text", "mine.yaml:1: not a mapping; use name: … and the like"),
    ("name: mine", "mine.yaml:1: title: missing"),
  ])
  func `a file without a profile throws one line`(text: String, expected: String) throws {
    #expect(try message(text) == expected)
  }

  @Test func `a file that is not text throws one line`() throws {
    let path = "\(folder.path)/binary.yaml"
    try Data([0xff, 0xfe, 0x00]).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: ProfileError.self) { try ProfileLibrary.profile(named: path) }
    #expect(error?.description == "\(path): not UTF-8 text; use YAML")
  }

  @Test func `an unknown name or path throws one line with a hint`() throws {
    let unknown = #expect(throws: ProfileError.self) { try ProfileLibrary.profile(named: "nokia") }
    #expect(
      unknown?.description
        == "nokia: not known; use one of iphone-15-pro, iphone-14-pro, iphone-12-pro, iphone-11-pro, "
        + "iphone-7-plus, iphone-6s-plus, iphone-6s, iphone-6-ios-11, iphone-6-ios-9, iphone-5, ipod-touch-5, "
        + "ipad-mini-ios-6, iphone-4s, iphone-4, mac-2016, pixel-3, host, or a file ending in .yaml")
    for path in ["\(folder.path)/absent.yaml", folder.path] {
      let error = #expect(throws: ProfileError.self) { try ProfileLibrary.profile(named: path) }
      #expect(error?.description == "\(path): cannot be read; use the path of a profile in YAML")
    }
  }

  @Test func `the shape is refused as a profile`() throws {
    let error = #expect(throws: ProfileError.self) { try ProfileLibrary.profile(named: "core-data") }
    #expect(error?.description.hasPrefix("core-data: holds factors on costs that devices share") == true)
  }

  @Test(arguments: [
    ("name: [", ProfileError.Code.malformedText), ("name: mine", .missingKey), ("nmae: mine", .unknownKey),
    (phone.replacing("cores: 2", with: "cores: 0"), .invalidValue),
  ])
  func `a YAML error keeps its code`(text: String, code: ProfileError.Code) throws {
    let path = try folder.write(text, to: "mine.yaml")
    #expect(#expect(throws: ProfileError.self) { try ProfileLibrary.profile(named: path) }?.code == code)
  }
}
