/** Members that kysely, promises and JSON look up to find a value's type; the value has none of them. */
const NEVER = new Set<string | symbol>([
  'then',
  'toOperationNode',
  'toJSON',
  'isRawBuilder',
  'expressionType',
])

/**
 * Returns a value that stands for any argument: an array of one, a text, a Date, with every member. Use it
 * only if values do not matter, for example if statements are described and not run.
 */
export function anything(): unknown {
  const known = new Map<string | symbol, unknown>()
  return new Proxy(
    {},
    {
      has: () => true,
      get: (_target, key) => {
        if (NEVER.has(key)) return undefined
        if (key === Symbol.toPrimitive) return (hint: string) => (hint === 'number' ? 1 : '1')
        if (key === Symbol.iterator) return () => [anything()][Symbol.iterator]()
        if (key === 'length' || key === 'size') return 1
        if (typeof key === 'symbol') return undefined
        if (!known.has(key)) known.set(key, memberOf(key))
        return known.get(key)
      },
    },
  )
}

function memberOf(key: string): unknown {
  if (key in Array.prototype) {
    const list = [anything()]
    const method: unknown = list[key as 'map']
    if (typeof method === 'function') return method.bind(list)
  }
  const isMethod = [String.prototype, Date.prototype, Map.prototype].some((prototype) => key in prototype)
  return isMethod ? anything : anything()
}
