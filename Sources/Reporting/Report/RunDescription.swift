import Foundation
import Metrics

/// A description of a run and of the command that repeats it, made from the manifest.
struct RunDescription {
  let manifest: Manifest
  /// The roles of the settings that the manifest records.
  let roles: SettingRoles

  /// The parts of the command that repeats the run. A simulation gives the same bytes, a live run has the same settings.
  var command: [String] {
    guard let replay = manifest.replay else {
      let settings = manifest.flags.merging(["seed": "\(manifest.seed)"]) { given, _ in given }
      return PrintedCommand(repeating: settings, roles, ownTopologies: manifest.ownTopologies ?? [], map: manifest.map)
        .parts
    }
    let prefix = roles.words.settingPrefix
    return replay.split(separator: " \(prefix)").enumerated().map {
      $0 == 0 ? String($1) : prefix + $1
    }
  }

  /// The circumstances of the run, in the order in which readers ask for them.
  var facts: [Page.Fact] {
    let simulated = [
      manifest.profile.map { profile in
        Page.Fact("Profile", PageText(profile + (manifest.profileVersion.map { ", version \($0)" } ?? "")))
      },
      manifest.fingerprint.map { Page.Fact("Fingerprint", PageText($0)) },
      manifest.heap.map { Page.Fact("Heap", PageText($0)) },
    ]
    let always: [Page.Fact?] = [
      Page.Fact("Machine", PageText(manifest.machine)), Page.Fact("Seed", "\(manifest.seed)"),
    ]
    let host: [Page.Fact?] = [
      Page.Fact(
        "Host",
        PageText(
          "\(manifest.host.cpuModel), \(manifest.host.cores) core\(manifest.host.cores == 1 ? "" : "s"), "
            + "Linux \(manifest.host.kernel)")),
      Page.Fact("File system", PageText(fileSystem)),
      manifest.idleTicks.map { idle in
        let late = [idle.latenessNanosecondsP50, idle.latenessNanosecondsP99].map {
          MeasureText.of(Double($0), in: .nanoseconds)
        }
        return Page.Fact("Lateness of idle ticks", "\(late[0]) (p50), \(late[1]) (p99)")
      },
      Page.Fact("Build", PageText(manifest.configuration)),
      Page.Fact("Versions", PageText(versions)),
      Page.Fact("Started", PageText(Self.time(manifest.startedAt))),
      Page.Fact("Ended", PageText(Self.time(manifest.endedAt))),
    ]
    return (always + simulated + host).compactMap(\.self)
  }

  /// All flags that have a value, in the order of their names, each with the value that it had in the run.
  var flags: [Page.Fact] {
    manifest.flags.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
      .map { name, value in Page.Fact(roles.words.option(name), PageText(value)) }
  }

  private var fileSystem: String {
    let sync = manifest.fileSystem.fsyncNanoseconds.map {
      "; a sync takes \(MeasureText.of(Double($0), in: .nanoseconds))"
    }
    return manifest.fileSystem.type + (sync ?? "")
  }

  private var versions: String {
    let packages = manifest.versions.packages.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let own = manifest.versions
    let all = ["stackbench \(own.tool)", "Swift \(own.swift)", "SQLite \(own.sqlite)"] + packages
    return all.joined(separator: ", ")
  }

  /// Returns a time in ISO 8601, in UTC.
  private static func time(_ date: Date) -> String {
    date.formatted(.iso8601)
  }
}
