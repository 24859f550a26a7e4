import Foundation
import Metrics

/// Numbers of published tables as texts.
enum PublishedNumber {
  /// Returns the amount of a figure, with about three digits that count: a time in seconds or milliseconds, or megabytes
  /// of 1,000,000 bytes.
  static func amount(_ amount: Int64, by clock: PublishedClock) -> String {
    guard clock == .memory else { return time(amount) }
    let megabytes = Double(amount) / 1_000_000
    return String(format: megabytes < 10 ? "%.2f MB" : "%.1f MB", megabytes)
  }

  static func time(_ nanoseconds: Int64) -> String {
    let seconds = Double(nanoseconds) / 1_000_000_000
    if seconds < 1 { return String(format: seconds < 0.01 ? "%.2f ms" : "%.1f ms", seconds * 1_000) }
    return String(format: seconds < 10 ? "%.2f s" : "%.1f s", seconds)
  }

  static func error(_ partsPerMillion: Int64) -> String {
    String(format: "%+.0f %%", Double(partsPerMillion) / 10_000)
  }

  static func ratio(_ partsPerMillion: Int64) -> String {
    String(format: "%.3f", Double(partsPerMillion) / 1_000_000)
  }
}
