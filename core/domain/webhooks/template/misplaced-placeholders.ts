import { isKnownPlaceholder, PLACEHOLDER, placeholderName } from './placeholders.ts'
import { splitQuery } from './split-query.ts'

/** The placeholders in a text; in an address also those with escaped braces. */
export function findPlaceholders(text: string): string[] {
  return withBraces(text).match(PLACEHOLDER) ?? []
}

function withBraces(text: string): string {
  return text.replaceAll(/%7b/gi, '{').replaceAll(/%7d/gi, '}')
}

/** A placeholder that is not closed, such as `{{name` in `{{name}`: it would be sent as it is. */
export function findUnclosed(text: string): string | undefined {
  return /\{\{(?!\{)[^{}]{0,60}/.exec(text.replaceAll(PLACEHOLDER, ''))?.[0].trim()
}

/** The reason why a text that is sent as it is cannot be saved; undefined if no placeholder is in it. */
export function refusePlaceholders(text: string): string | undefined {
  const found = findPlaceholders(text)[0] ?? findUnclosed(withBraces(text))
  return found === undefined ? undefined : `${found} would be sent as it stands: ${ONLY_VALUES}`
}

const ONLY_VALUES =
  'placeholders are filled in only in values of Payload Template, in the query of Endpoint URL and in values of Custom Headers'

const SECRETS = new Set(['password', 'token', 'client_secret'])

/** Like {@link refusePlaceholders}, for a part of an authentication: a password may contain two adjacent braces. */
export function refuseInAuthentication(text: string, name: string): string | undefined {
  return SECRETS.has(name) && findPlaceholders(text).length === 0 ? undefined : refusePlaceholders(text)
}

/** Checks each value of a list of names; paths begin with that of the list. */
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

/**
 * Lists the faults of a stored configuration's placeholders, each name once, in the order in which they are written.
 */
export interface PlaceholderFaults {
  /** placeholders without a value in any lead, which are sent empty */
  unknown: string[]
  /** placeholders in places where nothing is filled in, which are sent as they are */
  misplaced: string[]
}

/**
 * Reads a configuration that may be older than the present rules of saving.
 * @param template the payload template as JSON.parse reads it
 */
export function findPlaceholderFaults(config: {
  endpoint_url: string
  payload_template: unknown
}): PlaceholderFaults {
  const unknown = new Set<string>()
  const { fixed, query } = splitQuery(config.endpoint_url)
  const misplaced = new Set(findPlaceholders(fixed + query.replaceAll(PLACEHOLDER, '')))
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
