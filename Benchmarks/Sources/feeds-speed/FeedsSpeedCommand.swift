import ArgumentParser
import Foundation
import Workloads

/// Measures the speed at which feeds are read, and the memory that it takes.
@main
struct FeedsSpeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feeds-speed",
    abstract: "Compares the reading of feeds with Foundation's JSONDecoder, and prints the peak memory.",
    discussion: "Generates feeds of records with eight members and 200 bytes each, and deletes them in the end. Ends "
      + "with 0 if all floors are met, 1 if one is missed, and 64 on bad usage.")

  @Option(help: "The size of the feed whose reading is timed, in MB.")
  var megabytes = 40

  @Option(help: "The number of rounds. In each round every subject reads the feed once.")
  var rounds = 7

  @Option(help: "The sizes of the feeds whose peak memory is printed, in MB and in increasing order.")
  var memory = [100, 1_000]

  @Option(help: "The folder in which the feeds are generated.")
  var folder = FileManager.default.temporaryDirectory.path

  func validate() throws {
    guard megabytes >= 1 else { throw ValidationError("--megabytes must be at least 1") }
    guard rounds >= 1 else { throw ValidationError("--rounds must be at least 1") }
    guard memory.allSatisfy({ $0 >= 1 }), memory == memory.sorted() else {
      throw ValidationError("--memory must be sizes of at least 1 in increasing order")
    }
  }

  func run() throws {
    let hasSmallPeaks = try printPeaks()
    let isFast = try printSpeeds()
    if !hasSmallPeaks || !isFast { throw ExitCode(1) }
  }

  // MARK: Memory

  /// Prints the peak memory after the reading of each feed. It comes before all other readings, because the peak of a
  /// process never falls.
  ///
  /// - Returns: True if the largest feed takes at most 10 % more than the smallest.
  private func printPeaks() throws -> Bool {
    var peaks: [Int] = []
    for size in memory {
      let feed = try GeneratedFeed(megabytes: size, folder: folder)
      let start = Stopwatch()
      let checksum = try ValueReading.checksum(of: feed.path)
      let seconds = start.seconds
      peaks.append(try peakKilobytes())
      print(
        String(
          format: "%5d MB: peak memory %.1f MB (VmHWM), %.0f MB/s, checksum %d", size, Double(peaks.last!) / 1_024,
          Double(feed.byteCount) / 1e6 / seconds, checksum))
    }
    guard let first = peaks.first, let last = peaks.last else { return true }
    return Double(last) <= Double(first) * 1.1
  }

  private func peakKilobytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kilobytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) })
    else { throw ValidationError("/proc/self/status has no line VmHWM") }
    return kilobytes
  }

  // MARK: Speed

  /// Prints the speeds of all subjects.
  ///
  /// - Returns: True if the reader keeps its floors.
  private func printSpeeds() throws -> Bool {
    let feed = try GeneratedFeed(megabytes: megabytes, folder: folder)
    var speeds: [Subject: [Double]] = [:]
    var checksums: Set<Int> = []
    for round in 0..<rounds {
      for subject in Subject.allCases {
        // The decoder needs many times the reader's time.
        if subject == .decoder, round >= 3 { continue }
        let start = Stopwatch()
        let checksum = try subject.read(feed.path)
        speeds[subject, default: []].append(Double(feed.byteCount) / 1e6 / start.seconds)
        if subject.readsValues { checksums.insert(checksum) }
      }
    }
    guard checksums.count == 1 else { throw ValidationError("the subjects have read different values") }
    for subject in Subject.allCases {
      let sorted = speeds[subject]!.sorted()
      print(
        String(
          format: "%@ %7.1f MB/s (%.1f to %.1f, %d rounds)",
          subject.title.padding(toLength: 44, withPad: " ", startingAt: 0), median(sorted), sorted[0], sorted.last!,
          sorted.count))
    }
    let reader = median(speeds[.reader]!.sorted())
    let ratio = reader / median(speeds[.decoder]!.sorted())
    print(String(format: "The reader is %.1f times as fast as JSONDecoder; the floors are 3 and 150 MB/s.", ratio))
    return ratio >= 3 && reader >= 150
  }

  private func median(_ sorted: [Double]) -> Double {
    (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}

/// Measures the time since its creation.
struct Stopwatch {
  private let start = Stopwatch.now

  var seconds: Double { Double(Stopwatch.now - start) / 1e9 }

  private static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
