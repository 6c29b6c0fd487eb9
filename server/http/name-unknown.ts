import type { z } from 'zod'
import type { FieldError } from '#core/contract/problem.ts'
import { suggestName } from '#core/domain/suggest-name.ts'
import { MOST_FAULTS } from '#core/domain/with-further.ts'

/**
 * A fault for each unknown field, with its path, and a suggestion if a known name is close; at most as many
 * as are reported.
 */
export function nameUnknown(
  schema: z.core.$ZodType,
  path: readonly PropertyKey[],
  keys: readonly string[],
): FieldError[] {
  const known = namesAt(schema, path)
  return keys.slice(0, MOST_FAULTS).map((key) => {
    // Also suggests for a longer word: `monday` for `mon`.
    const meant = suggestName(key, known) ?? known.find((name) => name.length > 2 && key.startsWith(name))
    const message = `There is no such field${meant === undefined ? '' : `. Did you mean ${meant}?`}`
    return { path: [...path, key].join('.'), message }
  })
}

/** The field names of the object at this path. */
function namesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  const [first, ...rest] = path
  switch (def.type) {
    case 'object': {
      if (first === undefined) return Object.keys(def.shape)
      const member = def.shape[String(first)]
      return member === undefined ? [] : namesAt(member, rest)
    }
    case 'record':
      return first === undefined ? entriesOf(def.keyType) : namesAt(def.valueType, rest)
    case 'array':
      return namesAt(def.element, rest)
    case 'union':
      return def.options.flatMap((option) => namesAt(option, path))
    case 'pipe':
      return namesAt(def.out._zod.def.type === 'transform' ? def.in : def.out, path)
    case 'optional':
    case 'nullable':
    case 'default':
      return namesAt(def.innerType, path)
    default:
      return []
  }
}

/** The allowed names of a record, if they are listed. */
function entriesOf(keys: z.core.$ZodType): string[] {
  const { def } = (keys as z.core.$ZodTypes)._zod
  return def.type === 'enum' ? Object.values(def.entries).map(String) : []
}
