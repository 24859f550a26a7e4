import ContextEngine
import Testing

/// A model with attributes derived in every way.
enum Shelf {
  static let model = ManagedObjectModel([
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

  static let singer = model.entity("Singer")
  static let singerNameOfOwn = singer.path("name")
  static let born = singer.path("born")
  static let songCount = singer.path("songCount")
  static let length = singer.path("length")
  static let song = model.entity("Song")
  static let title = song.path("title")
  static let seconds = song.path("seconds")
  static let plain = song.path("plain")
  static let large = song.path("large")
  static let small = song.path("small")
  static let singerName = song.path("singerName")
  static let savedAt = song.path("savedAt")
  static let songSinger = song.path("singer")
  static let songLists = song.path("lists")
  static let list = model.entity("List")
  static let listCount = list.path("count")
  static let listLength = list.path("length")
  static let listSongs = list.path("songs")
}

extension ManagedObjectContext {
  @discardableResult
  func insertSinger(_ name: String) -> ManagedObject {
    let singer = insert(Shelf.singer)
    singer[Shelf.singerNameOfOwn] = .string(name)
    return singer
  }

  @discardableResult
  func insertSong(_ title: String, seconds: Int64, by singer: ManagedObject?) -> ManagedObject {
    let song = insert(Shelf.song)
    song[Shelf.title] = .string(title)
    song[Shelf.seconds] = .integer(seconds)
    if let singer { song.relate(singer, at: Shelf.songSinger) }
    return song
  }

  /// The only song of a title.
  func song(_ title: String) throws -> ManagedObject {
    try #require(try fetch(FetchRequest(Shelf.song, predicate: .equal(Shelf.title, .string(title)))).first)
  }

  /// The only singer of a name.
  func singer(_ name: String) throws -> ManagedObject {
    try #require(try fetch(FetchRequest(Shelf.singer, predicate: .equal(Shelf.singerNameOfOwn, .string(name)))).first)
  }
}
