/** Values that differ each time: two of one kind count as equal. */
const KINDS: readonly RegExp[] = [
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/,
]

/**
 * Returns the difference between printed JSON and the page; undefined if they match. Ids and times match any
 * others, and `…` matches any text.
 * @param varying names whose values differ each time but keep their type
 */
export function compareJson(
  shown: unknown,
  printed: unknown,
  varying: ReadonlySet<string>,
): string | undefined {
  return differ(shown, printed, varying, '')
}

function differ(
  shown: unknown,
  printed: unknown,
  varying: ReadonlySet<string>,
  at: string,
): string | undefined {
  const difference = `${at === '' ? 'it' : at} is ${JSON.stringify(printed)}, and ${JSON.stringify(shown)} on the page`
  if (isObject(shown) && isObject(printed)) {
    const [wanted, found] = [Object.keys(shown), Object.keys(printed)]
    if (wanted.join() !== found.join())
      return `${at === '' ? 'it' : at} has ${found.join(', ')}, and ${wanted.join(', ')} on the page`
    return first(wanted, (name) => {
      const path = at === '' ? name : `${at}.${name}`
      const isSameType = kindOf(shown[name]) === kindOf(printed[name])
      return varying.has(name) && isSameType ? undefined : differ(shown[name], printed[name], varying, path)
    })
  }
  if (Array.isArray(shown) && Array.isArray(printed)) {
    if (shown.length !== printed.length) return difference
    return first([...shown.keys()], (index) =>
      differ(shown[index], printed[index], varying, `${at}[${index}]`),
    )
  }
  if (typeof shown === 'string' && typeof printed === 'string')
    return isSameText(shown, printed) ? undefined : difference
  return shown === printed ? undefined : difference
}

function isSameText(shown: string, printed: string): boolean {
  return KINDS.some((kind) => kind.test(shown) && kind.test(printed)) || fits(shown, printed)
}

/** Returns true if a text matches the page; `…` matches anything. */
export function fits(shown: string, printed: string): boolean {
  const parts = shown.split('…').map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^]*?')}$`).test(printed)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return kindOf(value) === 'object'
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function first<Item>(items: readonly Item[], find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
