import { RestError, unsupported } from '../rest-error.ts'

/** The `Prefer` header (RFC 7240), as far as it means something here. */
export interface Preferences {
  return: 'minimal' | 'representation' | 'headers-only'
  count: 'exact' | 'planned' | undefined
  /** refuses a write of more rows, if `handling=strict` */
  maxAffected: number | undefined
  /** the header `Preference-Applied`; undefined if no preference was used */
  applied: string | undefined
}

/** The preferences that are known, by their kinds; of each kind the first counts. */
const KNOWN: Readonly<Record<string, RegExp>> = {
  return: /^(?:minimal|representation|headers-only)$/,
  count: /^(?:exact|planned|estimated)$/,
  handling: /^(?:strict|lenient)$/,
  missing: /^(?:default|null)$/,
  resolution: /^(?:merge-duplicates|ignore-duplicates)$/,
  tx: /^commit$/,
  'max-affected': /^\d{1,9}$/,
}
const APPLIED = ['missing', 'return', 'count', 'handling'] as const

/** Parses `Prefer`. Unknown preferences are ignored unless `handling=strict`. @throws RestError */
export function parsePrefer(header: string | undefined): Preferences {
  const given = new Map<string, string>()
  const unknown: string[] = []
  for (const one of (header ?? '').split(',').map((text) => text.trim())) {
    const [kind = '', value = ''] = one.split('=', 2)
    if (Object.hasOwn(KNOWN, kind) && KNOWN[kind]?.test(value) === true) {
      if (!given.has(kind)) given.set(kind, value)
    } else if (one !== '') unknown.push(one)
  }
  const isStrict = given.get('handling') === 'strict'
  if (isStrict && unknown.length > 0) {
    throw new RestError(400, 'PGRST122', 'Invalid preferences given with handling=strict', {
      details: `Invalid preferences: ${unknown.join(', ').slice(0, 200)}`,
    })
  }
  if (given.has('resolution')) throw unsupported('Upsert (resolution) is')
  const applied = APPLIED.flatMap((kind) => (given.has(kind) ? [`${kind}=${given.get(kind)}`] : []))
  const count = given.get('count')
  return {
    return: (given.get('return') ?? 'minimal') as Preferences['return'],
    count: count === undefined ? undefined : count === 'exact' ? 'exact' : 'planned',
    maxAffected: isStrict && given.has('max-affected') ? Number(given.get('max-affected')) : undefined,
    applied: applied.length === 0 ? undefined : applied.join(', '),
  }
}
