import ContextEngine

/// A model for tests of derived attributes, with every kind of derivation. Its entities are Singer, Song and List.
package enum Shelf {
  package static let model = ManagedObjectModel([
    .init(
      "Singer",
      attributes: [
        .init("name", .string), .init("born", .integer64),
        .init("songCount", .integer64, isOptional: false, derivationExpression: "songs.@count"),
        .init("length", .integer64, derivationExpression: "songs.seconds.@sum"),
      ], relationships: [.init("songs", to: "Song", inverse: "singer", isToMany: true)]),
    .init(
      "Song",
      attributes: [
        .init("title", .string), .init("seconds", .integer64),
        .init("plain", .string, derivationExpression: "canonical:(title)"),
        .init("large", .string, derivationExpression: "uppercase:(title)"),
        .init("small", .string, derivationExpression: "lowercase:(title)"),
        .init("singerName", .string, derivationExpression: "singer.name"),
        .init("savedAt", .date, derivationExpression: "now()"),
      ],
      relationships: [
        .init("singer", to: "Singer", inverse: "songs"),
        .init("lists", to: "List", inverse: "songs", isToMany: true),
      ]),
    .init(
      "List",
      attributes: [
        .init("count", .integer16, derivationExpression: "songs.@count"),
        .init("length", .double, derivationExpression: "songs.seconds.@sum"),
      ], relationships: [.init("songs", to: "Song", inverse: "lists", isToMany: true)]),
  ])

  package static let singer = model.entity("Singer")
  package static let singerNameOfOwn = singer.path("name")
  package static let born = singer.path("born")
  package static let songCount = singer.path("songCount")
  package static let length = singer.path("length")
  package static let song = model.entity("Song")
  package static let title = song.path("title")
  package static let seconds = song.path("seconds")
  package static let plain = song.path("plain")
  package static let large = song.path("large")
  package static let small = song.path("small")
  package static let singerName = song.path("singerName")
  package static let savedAt = song.path("savedAt")
  package static let songSinger = song.path("singer")
  package static let songLists = song.path("lists")
  package static let list = model.entity("List")
  package static let listCount = list.path("count")
  package static let listLength = list.path("length")
  package static let listSongs = list.path("songs")
}

extension ManagedObjectContext {
  @discardableResult
  package func insertSinger(_ name: String) -> ManagedObject {
    let singer = insert(Shelf.singer)
    singer[Shelf.singerNameOfOwn] = .string(name)
    return singer
  }

  @discardableResult
  package func insertSong(_ title: String, seconds: Int64, by singer: ManagedObject?) -> ManagedObject {
    let song = insert(Shelf.song)
    song[Shelf.title] = .string(title)
    song[Shelf.seconds] = .integer(seconds)
    if let singer { song.relate(singer, at: Shelf.songSinger) }
    return song
  }
}
