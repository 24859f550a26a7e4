import Foundation

/// The cores of this computer that the process may run on.
package enum AllowedCores {
  /// The numbers of the cores in ascending order, at least one.
  package static var current: [Int] {
    let found = numbers(inStatus: HostFacts.text(of: "/proc/self/status") ?? "")
    return found.isEmpty ? Array(0..<ProcessInfo.processInfo.activeProcessorCount) : found
  }

  /// Returns the cores of a list such as `0-3,8` in the text of `/proc/self/status`, or no cores if it has no list.
  static func numbers(inStatus text: String) -> [Int] {
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Cpus_allowed_list:") }) else { return [] }
    return line.dropFirst("Cpus_allowed_list:".count).split(separator: ",").flatMap { part -> [Int] in
      let ends = part.split(separator: "-").compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
      guard let first = ends.first, let last = ends.last, first <= last else { return [] }
      return Array(first...last)
    }
  }
}
