/** Looked up by kysely, promises and JSON to find out what something is: it is none of these. */
const NEVER = new Set<string | symbol>([
  'then',
  'toOperationNode',
  'toJSON',
  'isRawBuilder',
  'expressionType',
])

/**
 * A value that stands for any argument: an array of one, a text, a Date, with every member. Good only where no value is ever
 * looked at in earnest, as where statements are described and not run.
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
