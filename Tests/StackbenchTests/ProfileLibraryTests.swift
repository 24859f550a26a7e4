import Foundation
import MachineCore
import MachineSimulated
import Testing

@testable import stackbench

@Suite struct ProfileLibraryTests {
  @Test func `the default is a shipped profile, and shipped profiles have different names`() {
    #expect(ProfileLibrary.shippedNames.first == ProfileLibrary.standardName)
    #expect(Set(ProfileLibrary.shippedNames).count == ProfileLibrary.shippedNames.count)
  }

  @Test func `every file among the shipped ones is offered under the name that it gives itself`() throws {
    let folder = Repository.root.appendingPathComponent("Sources/stackbench/Profiles/Shipped").path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(Set(files) == Set(ProfileLibrary.shippedNames.map { "\($0).yaml" }))
    for name in ProfileLibrary.shippedNames {
      #expect(try ProfileLibrary.declaration(named: name).name == name)
      #expect(try ProfileLibrary.profile(named: "\(folder)/\(name).yaml") == ProfileLibrary.profile(named: name))
    }
  }

  @Test(arguments: ProfileLibrary.shippedNames)
  func `a shipped profile is complete, its ranges hold, and every figure has a source`(name: String) throws {
    let profile = try ProfileLibrary.profile(named: name)
    for kind in Work.Kind.allCases {
      for component in kind.costComponents {
        let constant = try #require(profile.cost(kind, component), "\(kind).\(component)")
        #expect(0 <= constant.low && constant.low <= constant.value && constant.value <= constant.high)
        #expect(!constant.source.isEmpty)
      }
    }
    for factor in profile.scaleFactors { #expect(factor.low <= factor.value && factor.value <= factor.high) }
    #expect(profile.hardware.favoursMain == (name != "host"))
    #expect(profile.hardware.refreshRate == (name == "iphone-15-pro" ? 120 : 60))
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
  func `draws of a shipped profile are reproducible and stay around its device`(name: String) throws {
    let profile = try ProfileLibrary.profile(named: name)
    var first = SeededRandom(seed: 7)
    var second = SeededRandom(seed: 7)
    let scale = profile.cpuScale ?? ProfileConstant(value: 1, low: 1, high: 1, source: "")
    for _ in 0..<20 {
      let device = profile.device(sampling: &first)
      #expect(device == profile.device(sampling: &second))
      for kind in Work.Kind.allCases {
        for component in kind.costComponents {
          let cost = try #require(profile.cost(kind, component))
          let isScaled = profile.prices[kind, component]?.isScaled == true
          let low = cost.low * (isScaled ? scale.low / scale.value : 1)
          let high = cost.high * (isScaled ? scale.high / scale.value : 1)
          let range = (low * 1_000 - 1)...(high * 1_000 + 1)
          #expect(range.contains(Double(device.costs[kind][component])))
        }
      }
    }
  }

  @Test func `before iOS 10 the coordinator is serial, and before iOS 7 the journal is none of WAL's`() throws {
    for name in ["ipad-mini-ios-6", "iphone-4s"] {
      let era = try ProfileLibrary.profile(named: name).era
      #expect(era.connectionPool == 1 && era.journalMode == "delete" && !era.shouldDeleteInaccessibleFaults)
    }
    for name in ["iphone-15-pro", "iphone-12-pro", "iphone-6s", "iphone-6-ios-11"] {
      let era = try ProfileLibrary.profile(named: name).era
      #expect(era.connectionPool > 1 && era.journalMode == "wal" && era.shouldDeleteInaccessibleFaults)
    }
  }

  @Test func `an unfitted phone's scale follows the fitted one's`() throws {
    func scale(_ name: String) throws -> Double {
      try #require(try ProfileLibrary.profile(named: name).cpuScale?.value)
    }
    let fitted = try scale("iphone-6-ios-11")
    for name in ["iphone-15-pro", "iphone-12-pro", "iphone-6s"] {
      guard case .relative("iphone-6-ios-11", let factor) = try ProfileLibrary.declaration(named: name).cpuScale else {
        Issue.record("\(name) follows nothing")
        continue
      }
      #expect(try scale(name) == fitted * factor.value)
    }
  }

  @Test func `the yardstick at which a profile was calibrated survives writing and is shown`() throws {
    var declaration = try ProfileLibrary.declaration(named: "host")
    declaration.yardstick = 11_204_000
    #expect(try ProfileReader(place: "x").declaration(from: ProfileWriter(declaration).text) == declaration)
    let profile = try declaration.resolved { _ throws(ProfileError) in nil }
    #expect(profile.yardstick == 11_204_000)
    #expect(ProfileSheet(profile: profile).text.contains("\n  measured at a yardstick of 11.2 ms\n"))
  }

  @Test func `a text with quotes and backslashes survives writing`() throws {
    var declaration = try ProfileLibrary.declaration(named: "host")
    declaration.title = #"a "quoted" \ title: # no comment"#
    #expect(try ProfileReader(place: "x").declaration(from: ProfileWriter(declaration).text) == declaration)
  }
}
