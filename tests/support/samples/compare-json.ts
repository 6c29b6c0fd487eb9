/** What is new each time: two of the same kind are as good as equal. */
const KINDS: readonly RegExp[] = [
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/,
]

/**
 * Where printed JSON is not what the page shows; undefined where it is. Ids and moments are equal to any others, `…` stands for any text.
 * @param varying names whose values are another each time, but of the same type
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

/** Whether a text is what the page says, `…` standing for anything. */
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
