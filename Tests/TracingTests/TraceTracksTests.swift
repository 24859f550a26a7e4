import MachineCore
import Testing

@testable import TrialProcesses

/// The tracks of queues in a trace.
@Suite struct TraceTracksTests {
  @Test func `queues of one label share tracks, with one track per concurrent body`() {
    var tracks = TraceTracks()
    let first = tracks.take(ScheduleQueue(label: "worker", number: 1))
    let second = tracks.take(ScheduleQueue(label: "worker", number: 2))
    #expect(first.track != second.track)
    tracks.giveBack(first)
    let third = tracks.take(ScheduleQueue(label: "worker", number: 3))
    #expect(third.track == first.track)
    #expect(tracks.names.map(\.name).suffix(2) == ["worker", "worker (2)"])
  }

  @Test func `the names of tracks follow the order of their numbers`() {
    var tracks = TraceTracks()
    let core = tracks.track(ofCore: 0)
    let connection = tracks.track(ofConnection: "reader")
    let queue = tracks.take(ScheduleQueue(label: "main", number: 1)).track
    #expect(tracks.track(ofCore: 0) == core)
    #expect(tracks.track(ofConnection: "reader") == connection)
    #expect(tracks.names.suffix(3).map(\.track) == [queue, connection, core])
    #expect(tracks.names.suffix(3).map(\.name) == ["main", "reader", "core 0"])
  }
}
