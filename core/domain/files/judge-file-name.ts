/** The characters of the wire's keys, which every S3 service takes unchanged. */
const KEY = /^[\w/!\-.*'() &$@=;:+,?]*$/

/**
 * Whether this text can name a file: characters that every store takes, and no folder that is empty or that climbs.
 * @param mostBytes of the whole name
 */
export function isFileName(name: string, mostBytes: number): boolean {
  // All characters of a key are ASCII, so its length counts its bytes.
  if (name.length === 0 || name.length > mostBytes || !KEY.test(name)) return false
  return name.split('/').every((part) => part.trim() !== '' && part !== '.' && part !== '..')
}

/** The first folder of a name, which is its owner's user id; undefined if the name has no folder. */
export function ownerFolder(name: string): string | undefined {
  const end = name.indexOf('/')
  return end === -1 ? undefined : name.slice(0, end)
}
