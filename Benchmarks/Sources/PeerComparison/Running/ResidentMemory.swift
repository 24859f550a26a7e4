import CJemalloc
import Foundation

/// The memory of this process that is in RAM, as Linux counts it.
enum ResidentMemory {
  /// Runs `body` and adds to its sample the most bytes that were resident beyond those before it.
  static func peak(_ body: () async throws -> Sample) async throws -> Sample {
    let before = try reset()
    var sample = try await body()
    sample.peakBytes = try max(0, bytes(of: "VmHWM") - before)
    return sample
  }

  /// Does this for a body that does not wait.
  static func peak(_ body: () throws -> Sample) throws -> Sample {
    let before = try reset()
    var sample = try body()
    sample.peakBytes = try max(0, bytes(of: "VmHWM") - before)
    return sample
  }

  /// Returns free memory to the system, begins a new peak and returns the resident bytes.
  private static func reset() throws(PeerError) -> Int {
    // All arenas have the number 4096.
    _ = mallctl("arena.4096.purge", nil, nil, nil, 0)
    guard let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs"),
      (try? file.write(contentsOf: Data("5".utf8))) != nil
    else {
      throw PeerError(.failed, "/proc/self/clear_refs cannot be written, so peaks of memory cannot be measured")
    }
    return try bytes(of: "VmRSS")
  }

  private static func bytes(of name: String) throws(PeerError) -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name + ":") }),
      let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
    else {
      throw PeerError(.failed, "/proc/self/status has no \(name)")
    }
    return 1_024 * kilobytes
  }
}
