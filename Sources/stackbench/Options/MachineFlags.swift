import ArgumentParser
import MachineSimulated

/// What runs the trials: this computer, or a simulated device.
struct MachineFlags: ParsableArguments {
  private static let standard = MachineKind.live
  /// How many devices a simulated run draws unless told otherwise.
  static let standardDraws = 20

  @Option(
    help: ArgumentHelp(
      "What runs the trials: live (real threads, real time) or simulated (virtual time on a device's profile). "
        + "(default: \(standard.rawValue))", valueName: "name"),
    completion: .list(MachineKind.allCases.map(\.rawValue)),
    transform: OptionValue.name(of: MachineKind.allCases.map(\.rawValue)))
  var machine = standard.rawValue

  @OptionGroup var device: DeviceFlags

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Simulates that many devices drawn from the profile's ranges, the same for every stack, and prints the median of "
        + "each measure over them; 0 simulates one device exactly as the profile says. (default: \(standardDraws))",
      valueName: "n"),
    transform: OptionValue.integer(in: 0...10_000))
  var draws: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Draws devices from that many per cent around the profile's values in place of its ranges, to see what hangs on "
        + "chance alone. (default: the profile's ranges)", valueName: "percent"),
    transform: OptionValue.percent)
  var drawsWithin: Double?

  @Flag(help: "Write the first trial of each stack for Perfetto: trace.json.")
  var trace = false

  @Flag(
    help: "Simulate everything twice more, in other processes, and fail unless every result is the same byte for byte.")
  var checkDeterminism = false
}

/// The two machines, as flags name them.
enum MachineKind: String, CaseIterable, Sendable {
  case live
  case simulated
}

// MARK: - Meaning

extension MachineFlags {
  var kind: MachineKind { MachineKind(rawValue: machine) ?? MachineFlags.standard }

  /// The simulated device and how it is run; nil = the live machine.
  ///
  /// - Throws: `CommandFailure` for a profile that cannot be read, and for flags that the live machine does not have.
  func simulation(seed: UInt64) throws -> Simulation? {
    guard kind == .simulated else {
      try refuseOnLiveMachine()
      return nil
    }
    return Simulation(
      profile: try device.namedProfile(), scheduleSeed: device.scheduleSeed, seed: seed, isTraced: trace,
      drawPercent: drawsWithin)
  }

  private func refuseOnLiveMachine() throws {
    let given: [(String, Bool)] = [
      ("--profile \(device.profile ?? "")", device.profile != nil),
      ("--schedule-seed \(device.scheduleSeed ?? 0)", device.scheduleSeed != nil),
      ("--draws \(draws ?? 0)", draws ?? 0 > 0), ("--draws-within \(drawsWithin ?? 0)", drawsWithin != nil),
      ("--check-determinism", checkDeterminism),
    ]
    if let flag = given.first(where: \.1)?.0 {
      throw CommandFailure.usage("\(flag): concerns simulated devices only; add --machine simulated")
    }
  }
}
