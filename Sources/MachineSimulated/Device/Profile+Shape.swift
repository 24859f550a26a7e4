import MachineCore

extension Profile {
  /// The profile of the same device for a program that does not use the framework of the profile's shape.
  package var withoutShape: Profile {
    guard shape != nil else { return self }
    var profile = self
    profile.shape = nil
    // The groups of a shape come first, and each part that follows the speed belongs to exactly one of them.
    var partCount = 0
    while partCount < CostPart.cpu.count, !profile.groups.isEmpty {
      partCount += profile.groups.removeFirst().parts.count
    }
    return profile
  }
}
