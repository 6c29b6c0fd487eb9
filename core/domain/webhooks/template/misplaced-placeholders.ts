import { isKnownPlaceholder, PLACEHOLDER, placeholderName } from './placeholders.ts'

/** The placeholders in a text; in an address also those whose braces are escaped. */
export function findPlaceholders(text: string): string[] {
  return withBraces(text).match(PLACEHOLDER) ?? []
}

function withBraces(text: string): string {
  return text.replaceAll(/%7b/gi, '{').replaceAll(/%7d/gi, '}')
}

/** A placeholder that is not closed, as `{{name` in `{{name}`: it would be sent as it stands. */
export function findUnclosed(text: string): string | undefined {
  return /\{\{(?!\{)[^{}]{0,60}/.exec(text.replaceAll(PLACEHOLDER, ''))?.[0].trim()
}

/** Why a text that goes out as it stands cannot be saved; undefined where no placeholder is in it. */
export function refusePlaceholders(text: string): string | undefined {
  const found = findPlaceholders(text)[0] ?? findUnclosed(withBraces(text))
  return found === undefined ? undefined : `${found} would be sent as it stands: ${ONLY_VALUES}`
}

const ONLY_VALUES = 'placeholders are filled in only in the values of Payload Template'

const SECRETS = new Set(['password', 'token', 'client_secret'])

/** The same for a part of an authentication: a password may have two braces beside each other. */
export function refuseInAuthentication(text: string, name: string): string | undefined {
  return SECRETS.has(name) && findPlaceholders(text).length === 0 ? undefined : refusePlaceholders(text)
}

/** Asks each value of a list of names; paths begin with that of the list. */
export function refusePlaceholdersIn(
  path: string,
  values: Readonly<Record<string, unknown>>,
  refuse: (text: string, name: string) => string | undefined = refusePlaceholders,
): { path: string; message: string }[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const message = typeof value === 'string' ? refuse(value, name) : undefined
    return message === undefined ? [] : [{ path: `${path}.${name}`, message }]
  })
}

/** Lists the faults of a stored configuration's placeholders, each name once, in the order in which it is written. */
export interface PlaceholderFaults {
  /** no lead has a value of this name, so it is sent empty */
  unknown: string[]
  /** they stand where nothing is filled in, and are sent as they are */
  misplaced: string[]
}

/**
 * Reads a configuration that may be older than the rules by which it would be saved now.
 * @param template the payload template as JSON.parse reads it
 */
export function findPlaceholderFaults(config: {
  endpoint_url: string
  payload_template: unknown
}): PlaceholderFaults {
  const unknown = new Set<string>()
  const misplaced = new Set(findPlaceholders(config.endpoint_url))
  const read = (value: unknown): void => {
    if (typeof value === 'string') {
      for (const [whole, inner = ''] of value.matchAll(PLACEHOLDER)) {
        const [name = ''] = inner.split('|')
        if (!isKnownPlaceholder(placeholderName(name.trim()))) unknown.add(whole)
      }
    } else if (Array.isArray(value)) {
      for (const item of value) read(item)
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        for (const found of findPlaceholders(key)) misplaced.add(found)
        read(member)
      }
    }
  }
  read(config.payload_template)
  return { unknown: [...unknown], misplaced: [...misplaced] }
}
