/// The resources that a process uses at one instant.
package struct ProcessResources: Codable, Hashable, Sendable {
  /// The bytes of the heap that are in use, or 0 if they are not known.
  package var heapBytes: Int64
  /// The open file descriptors.
  package var descriptorsCount: Int64
  package var threadsCount: Int64
  /// The objects that are registered in contexts.
  package var registeredObjectsCount: Int64

  package init(heapBytes: Int64, descriptorsCount: Int64, threadsCount: Int64, registeredObjectsCount: Int64) {
    self.heapBytes = heapBytes
    self.descriptorsCount = descriptorsCount
    self.threadsCount = threadsCount
    self.registeredObjectsCount = registeredObjectsCount
  }

  /// Returns what two processes use together.
  package static func + (first: ProcessResources, second: ProcessResources) -> ProcessResources {
    ProcessResources(
      heapBytes: first.heapBytes + second.heapBytes,
      descriptorsCount: first.descriptorsCount + second.descriptorsCount,
      threadsCount: first.threadsCount + second.threadsCount,
      registeredObjectsCount: first.registeredObjectsCount + second.registeredObjectsCount)
  }
}
