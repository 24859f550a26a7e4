import MachineCore
import MachineSimulated
import Reporting

/// The table that `stackbench profiles` prints.
package struct ProfileList {
  private let profiles: [Profile]
  private let reference: CostReference
  private let shape: CostShape

  package init(profiles: [Profile], reference: CostReference, shape: CostShape) {
    self.profiles = profiles
    self.reference = reference
    self.shape = shape
  }

  /// The name of the profile whose speed is 1 in the table.
  private static let slowName = "iphone-4s"

  package var text: String {
    let table = PageTable(
      of: profiles,
      [
        PageColumn("profile") { $0.name }, PageColumn("stands for") { $0.title },
        PageColumn("cores", .right) { "\($0.hardware.cores)" },
        PageColumn("Hz", .right) { "\($0.hardware.refreshRate)" },
        PageColumn("pool", .right) { "\($0.era.connectionPool)" }, PageColumn("journal") { $0.era.journalMode },
        PageColumn("synchronous") { $0.era.synchronous }, PageColumn("CPU", .right) { speed($0) },
        PageColumn("sync ms", .right) { sync($0) },
      ])
    return TerminalTable(table).text + """

      CPU: speed of one core, iPhone 4S = 1; none where a profile lists its constants
        itself.
      sync: without a flush of the drive's cache, with its range. The first profile is
        the default.
      Devices share these; 'stackbench profiles NAME' shows one:
        \(reference.name): \(reference.title) (version \(reference.version))
        \(shape.name): \(shape.title) (version \(shape.version))
      """
  }

  /// Returns the speed relative to the slow profile, or `-` if one of them has no speed or the slow profile is not in
  /// the list.
  private func speed(_ profile: Profile) -> String {
    let slow = profiles.first { $0.name == ProfileList.slowName }?.speed?.value
    guard let slow, let speed = profile.speed?.value else { return "-" }
    return FigureText.short(slow / speed)
  }

  /// Returns the time of a sync in milliseconds with its range, or `-` if the profile has no such cost.
  private func sync(_ profile: Profile) -> String {
    guard let cost = profile.cost(.sync, .storage) else { return "-" }
    let figures = [cost.value, cost.low, cost.high].map { FigureText.short($0 / 1_000_000) }
    return "\(figures[0]) (\(figures[1])–\(figures[2]))"
  }
}
