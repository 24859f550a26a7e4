import Foundation
import InputFiles
import MachineSimulated
import Metrics

/// The shipped devices, before and after a fit of Core Data's shape and of their speeds.
struct FittedDevices: Sendable {
  let shape: CostShape

  /// Returns the relative speeds that benchmarks give for shipped devices, by name. Devices without benchmarks are left
  /// out.
  ///
  /// - Throws: `ProfileError` if a shipped profile cannot be read.
  func benchmarks() throws(ProfileError) -> [String: ProfileConstant] {
    var benchmarks: [String: ProfileConstant] = [:]
    for name in ProfileLibrary.shippedNames {
      benchmarks[name] = try ProfileLibrary.shippedDeclaration(name)?.benchmarks
    }
    return benchmarks
  }

  /// Returns the devices with these names, with the speeds of benchmarks and a shape whose factors are all 1.
  func unfitted(_ names: [String]) throws -> [String: Profile] {
    let ones = shape.groups.map { _ in ProfileConstant(value: 1, low: 1, high: 1, source: "before a fit") }
    return try profiles(names, shape.with(factors: ones)) { $0.benchmarks?.value }
  }

  /// Returns the devices with these names, with the factors and speeds of a fit.
  func fitted(_ names: [String], by fit: ShapeFit) throws -> [String: Profile] {
    try profiles(names, fit.fittedShape()) { fit.speed(of: $0.name) }
  }

  private func profiles(
    _ names: [String], _ shape: CostShape, speed: (ProfileDeclaration) -> Double?
  ) throws -> [String: Profile] {
    var profiles: [String: Profile] = [:]
    for name in names {
      guard let declaration = try ProfileLibrary.shippedDeclaration(name) else { continue }
      var profile = try ProfileLibrary.resolved(declaration, place: name)
      if declaration.benchmarks != nil, let last = profile.speedFactors.indices.last, let speed = speed(declaration) {
        profile.speedFactors[last].value = speed
      }
      // The groups of a shape come first.
      profile.groups.replaceSubrange(..<shape.groups.count, with: shape.groups)
      profiles[name] = profile
    }
    return profiles
  }

  /// Returns the file names and the YAML of the fitted shape, and of every shipped device whose speed is relative.
  ///
  /// A device without a table has the speed of benchmarks. The range of every speed is as wide as the error of tables
  /// that are left out of the fit. Numbers have four significant digits.
  func files(of fit: ShapeFit) throws -> [(name: String, text: String)] {
    let spread = exp(1.645 * fit.scatterBetweenTables)
    let fitted = fit.fittedShape()
    let rounded = fitted.with(
      factors: fitted.groups.map(\.factor.rounded), axes: fitted.groups.map { $0.axes.map(\.withFourDigits) })
    var files = [(name: "\(shape.name).yaml", text: ProfileWriter(rounded).text)]
    for name in ProfileLibrary.shippedNames {
      guard var declaration = try ProfileLibrary.shippedDeclaration(name), let benchmarks = declaration.benchmarks,
        case .relative(let other, _)? = declaration.speed
      else { continue }
      let tables = fit.tables(of: name).joined(separator: ", ")
      let origin = tables.isEmpty ? "as benchmarks say" : "benchmarks, fitted to \(tables)"
      let value = fit.speed(of: name) ?? benchmarks.value
      declaration.speed = .relative(
        to: other,
        ProfileConstant(
          value: value, low: value / spread, high: value * spread,
          source: "\(origin); range: as far as tables are off that are left out of the fit"
        ).rounded)
      files.append((name: "\(name).yaml", text: ProfileWriter(declaration).text))
    }
    return files
  }
}

extension ProfileConstant {
  /// The constant with its value and bounds rounded to four significant digits.
  var rounded: ProfileConstant {
    ProfileConstant(
      value: value.withFourDigits, low: low.withFourDigits, high: high.withFourDigits, source: source)
  }
}

extension Double {
  /// The number rounded to four significant digits.
  fileprivate var withFourDigits: Double { Double(String(format: "%.4g", self)) ?? self }
}
