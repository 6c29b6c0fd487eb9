/**
 * The first space of a name, with invisible characters around it; a character that changes the letter before it (in an
 * emoji, for example) stays with that letter.
 */
const FIRST_SPACE =
  /^(\S+?)[[\p{Default_Ignorable_Code_Point}\p{Cc}\u2800\uFFF9-\uFFFB]--[\u200C\u200D\p{Variation_Selector}\u{E0020}-\u{E007F}]]*\s[\s\p{Default_Ignorable_Code_Point}\p{Cc}\u2800\uFFF9-\uFFFB]*([^]+)$/v

/**
 * Fills the name from its parts, or the parts from the name, split at the first space. Undefined if there is none of
 * them.
 */
export function readNames(given: {
  name?: string | undefined
  first_name?: string | undefined
  last_name?: string | undefined
}): { name: string; first_name: string | null; last_name: string | null } | undefined {
  const { first_name, last_name } = given
  const name =
    given.name ?? ([first_name, last_name].filter((part) => part !== undefined).join(' ') || undefined)
  if (name === undefined) return undefined
  if (first_name !== undefined || last_name !== undefined) {
    return { name, first_name: first_name ?? null, last_name: last_name ?? null }
  }
  const [, first = name, last] = FIRST_SPACE.exec(name) ?? []
  return { name, first_name: first, last_name: last ?? null }
}
