import MachineCore

/// The tracks of one process of a trace. Their numbers are in the order in which a viewer shows them.
///
/// Queues with the same label share tracks, as many as run bodies at the same time. A context that lives as long as its
/// payload has its own queue, and a run has hundreds of payloads.
package struct TraceTracks {
  /// The track number of slices that are not written.
  static let none = -1
  /// The track number of counters, which belong to the process and not to a track.
  static let counters = 0
  static let payloads = 1
  static let edits = 2
  package static let expectedFrames = 3
  package static let actualFrames = 4
  static let firstQueue = 10
  static let firstConnection = 500
  static let firstCore = 800

  /// The track that shows a body of a queue.
  struct Place: Hashable {
    var label: String
    var index: Int
    var track: Int
  }

  private struct Lane {
    var track: Int
    /// The number of the queue whose body the track shows, or 0 if the track is free.
    var queue = 0
  }

  private var lanes: [String: [Lane]] = [:]
  private var connections: [String: Int] = [:]
  private var queueCount = 0
  /// The numbers and names of all tracks, sorted by number.
  private(set) var names: [(track: Int, name: String)] = [
    (payloads, "payloads"), (edits, "edits"), (expectedFrames, "expected frames"), (actualFrames, "actual frames"),
  ]

  /// Returns a free track for a body of the queue, and makes one if there is no free track. The second track of a label
  /// is called `LABEL (2)`. Give the track back with `giveBack(_:)`.
  mutating func take(_ queue: ScheduleQueue) -> Place {
    let all = lanes[queue.label] ?? []
    if let index = all.firstIndex(where: { $0.queue == 0 }) {
      lanes[queue.label]?[index].queue = queue.number
      return Place(label: queue.label, index: index, track: all[index].track)
    }
    let track = TraceTracks.firstQueue + queueCount
    queueCount += 1
    lanes[queue.label, default: []].append(Lane(track: track, queue: queue.number))
    name(track, as: all.isEmpty ? queue.label : "\(queue.label) (\(all.count + 1))")
    return Place(label: queue.label, index: all.count, track: track)
  }

  /// Frees the track of a body that has ended.
  mutating func giveBack(_ place: Place) {
    lanes[place.label]?[place.index].queue = 0
  }

  mutating func track(ofConnection label: String) -> Int {
    if let track = connections[label] { return track }
    let track = TraceTracks.firstConnection + connections.count
    connections[label] = track
    name(track, as: label)
    return track
  }

  mutating func track(ofCore core: Int) -> Int {
    let track = TraceTracks.firstCore + core
    if !names.contains(where: { $0.track == track }) { name(track, as: "core \(core)") }
    return track
  }

  private mutating func name(_ track: Int, as text: String) {
    let place = names.firstIndex { $0.track > track } ?? names.endIndex
    names.insert((track, text), at: place)
  }
}
