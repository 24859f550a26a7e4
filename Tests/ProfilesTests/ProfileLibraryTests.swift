import Foundation
import InputFiles
import MachineCore
import MachineSimulated
import Testing

@Suite struct ProfileLibraryTests {
  @Test func `the default profile is shipped, and shipped names are unique`() {
    #expect(ProfileLibrary.shippedNames.first == ProfileLibrary.standardName)
    #expect(Set(ProfileLibrary.shippedNames).count == ProfileLibrary.shippedNames.count)
  }

  @Test func `every file of shipped profiles can be read under its name`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/InputFiles/Profiles/Shipped").standardizedFileURL.path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    let shared = [ProfileLibrary.referenceName, ProfileLibrary.shapeName]
    #expect(Set(files) == Set((ProfileLibrary.shippedNames + shared).map { "\($0).yaml" }))
    for name in ProfileLibrary.shippedNames {
      #expect(try ProfileLibrary.declaration(named: name).name == name)
      #expect(try ProfileLibrary.profile(named: "\(folder)/\(name).yaml") == ProfileLibrary.profile(named: name))
    }
  }

  @Test(arguments: ProfileLibrary.shippedNames)
  func `a shipped profile has every cost, with a range and a source`(name: String) throws {
    let profile = try ProfileLibrary.profile(named: name)
    for kind in Work.Kind.allCases {
      for component in kind.costComponents {
        let constant = try #require(profile.cost(kind, component), "\(kind).\(component)")
        #expect(0 <= constant.low && constant.low <= constant.value && constant.value <= constant.high)
        #expect(!constant.source.isEmpty)
      }
    }
    for factor in profile.speedFactors { #expect(factor.low <= factor.value && factor.value <= factor.high) }
    #expect(profile.hardware.favoursMain == (name != "host"))
    #expect(profile.hardware.refreshRate == (["iphone-15-pro", "iphone-14-pro"].contains(name) ? 120 : 60))
  }

  @Test(arguments: ProfileLibrary.shippedNames)
  func `a shipped profile round-trips through YAML and through JSON`(name: String) throws {
    let declaration = try ProfileLibrary.declaration(named: name)
    let text = ProfileWriter(declaration).text
    #expect(try ProfileReader(place: name).declaration(from: text) == declaration)
    let profile = try ProfileLibrary.profile(named: name)
    #expect(try JSONDecoder().decode(Profile.self, from: JSONEncoder().encode(profile)) == profile)
  }

  @Test(arguments: ProfileLibrary.shippedNames)
  func `draws of a shipped profile are reproducible and within its ranges`(name: String) throws {
    let profile = try ProfileLibrary.profile(named: name)
    var first = SeededRandom(seed: 7)
    var second = SeededRandom(seed: 7)
    let speed = profile.speed ?? ProfileConstant(value: 1, low: 1, high: 1, source: "")
    for _ in 0..<20 {
      let device = profile.device(sampling: &first)
      #expect(device == profile.device(sampling: &second))
      for part in CostPart.all {
        let price = try #require(profile.prices[part])
        var (low, high) = price.isScaled ? (speed.low, speed.high) : (1, 1)
        for group in profile.groups where price.isScaled && group.parts.contains(part) {
          // The bounds of a group with axes hold for nine devices in ten.
          let reach = group.axes.reduce(1) { $0 * max($1, 1 / $1) }
          low *= group.axes.isEmpty ? group.factor.low : group.factor.value / reach
          high *= group.axes.isEmpty ? group.factor.high : group.factor.value * reach
        }
        let range = (price.constant.low * low * 1_000 - 1)...(price.constant.high * high * 1_000 + 1)
        #expect(range.contains(Double(device.costs[part.kind][part.component])), "\(part.name)")
      }
    }
  }

  /// The journal, the pool and the handling of lost rows, by the release of the system.
  @Test(arguments: [
    (["iphone-4", "iphone-4s", "ipad-mini-ios-6"], "delete", false, false),
    (["iphone-5", "ipod-touch-5"], "wal", false, false),
    (["iphone-6-ios-9"], "wal", false, true),
    (
      [
        "iphone-6-ios-11", "iphone-6s", "iphone-6s-plus", "iphone-7-plus", "iphone-11-pro", "iphone-12-pro",
        "iphone-14-pro", "iphone-15-pro", "mac-2016",
      ], "wal", true, true
    ),
  ])
  func `profiles have WAL from iOS 7, deleted faults from 9, pools from 10`(
    names: [String], journal: String, isPooled: Bool, deletesFaults: Bool
  ) throws {
    for name in names {
      let era = try ProfileLibrary.profile(named: name).era
      #expect(era.journalMode == journal, "\(name)")
      #expect((era.connectionPool > 1) == isPooled, "\(name)")
      #expect(era.shouldDeleteInaccessibleFaults == deletesFaults, "\(name)")
    }
  }

  @Test func `every device but host has Core Data's shape and a relative speed`() throws {
    let fitted = try #require(try ProfileLibrary.profile(named: "iphone-6-ios-11").speed?.value)
    for name in ProfileLibrary.shippedNames where name != "host" {
      let declaration = try ProfileLibrary.declaration(named: name)
      #expect(declaration.costsOf == ProfileLibrary.referenceName && declaration.shape == ProfileLibrary.shapeName)
      guard name != "iphone-6-ios-11" else { continue }
      guard case .relative("iphone-6-ios-11", let factor) = declaration.speed else {
        Issue.record("the speed of \(name) is not relative to iphone-6-ios-11")
        continue
      }
      #expect(try ProfileLibrary.profile(named: name).speed?.value == fitted * factor.value)
    }
    #expect(try ProfileLibrary.declaration(named: "host").shape == nil)
  }

  @Test func `phones are listed from the newest and fastest to the oldest`() throws {
    // Published tables make the iPad mini faster, and the iPhone 11 Pro slower, than benchmarks do.
    let speeds = try ProfileLibrary.handheldNames.filter { !["ipad-mini-ios-6", "iphone-11-pro"].contains($0) }.map {
      try #require(try ProfileLibrary.profile(named: $0).speed?.value)
    }
    #expect(speeds.count == 12)
    // iPod touch and iPhone 4S have one processor, and the 5 % are the uncertainty of benchmarks.
    #expect(zip(speeds, speeds.dropFirst()).allSatisfy { $0 <= $1 * 1.06 })
  }

  @Test func `the reference and the shape round-trip through YAML`() throws {
    let reference = try ProfileLibrary.reference()
    #expect(try ProfileReader(place: "x").reference(from: ProfileWriter(reference).text) == reference)
    let shape = try ProfileLibrary.shape()
    #expect(try ProfileReader(place: "x").shape(from: ProfileWriter(shape).text) == shape)
  }

  @Test func `the yardstick of a profile round-trips through YAML and is printed`() throws {
    var declaration = try ProfileLibrary.declaration(named: "host")
    declaration.yardstick = 11_204_000
    #expect(try ProfileReader(place: "x").declaration(from: ProfileWriter(declaration).text) == declaration)
    let profile = try ProfileLibrary.resolved(declaration, place: "x")
    #expect(profile.yardstick == 11_204_000)
    #expect(ProfileSheet(profile: profile).text.contains("\n  measured at a yardstick of 11.2 ms\n"))
  }

  @Test func `a title with quotes and backslashes round-trips through YAML`() throws {
    var declaration = try ProfileLibrary.declaration(named: "host")
    declaration.title = #"a "quoted" \ title: # no comment"#
    #expect(try ProfileReader(place: "x").declaration(from: ProfileWriter(declaration).text) == declaration)
  }
}
