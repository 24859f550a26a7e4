/// Assigns names to the attributes of an entity that are safe and unique as columns of a store.
///
/// A store makes a column from an attribute's name in upper case. Every character except ASCII letters, digits and
/// underscores becomes an underscore, and an empty name becomes `_`. A name whose upper-case form is taken gets `_2`,
/// `_3`, and so on. Some names are taken from the start: `NOTE`, which belongs to the user, and `_PK`, `_ENT` and `_OPT`,
/// which with a Z before them belong to the store.
struct AttributeNames {
  private var taken: Set<String> = ["NOTE", "_PK", "_ENT", "_OPT"]

  /// Returns the name of the attribute of a member.
  mutating func take(_ member: String) -> String {
    let bytes = member.unicodeScalars.map { scalar in
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      return isPlain ? Character(scalar) : "_"
    }
    let plain = bytes.isEmpty ? "_" : String(bytes)
    var name = plain
    var number = 1
    while !taken.insert(name.uppercased()).inserted {
      number += 1
      name = "\(plain)_\(number)"
    }
    return name
  }
}
