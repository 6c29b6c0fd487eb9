import type { Kind } from './read-row-type.ts'

/**
 * The driver's JavaScript type for a PostgreSQL type (core/data/database.ts): int8, numeric, date and json
 * arrive as text; `jsonb` may contain anything.
 */
export function kindOfColumn(typeName: string): Kind {
  if (typeName.startsWith('_')) return 'object'
  if (['int2', 'int4', 'float4', 'float8', 'oid'].includes(typeName)) return 'number'
  if (typeName === 'bool') return 'boolean'
  if (typeName === 'bytea') return 'object'
  if (typeName === 'timestamptz') return 'Date'
  return typeName === 'jsonb' ? 'unknown' : 'string'
}

/** True if a declared type is right for a column, apart from null. */
export function isTrue(declared: ReadonlySet<Kind>, actual: Kind): boolean {
  const kinds = [...declared].filter((kind) => kind !== 'null' && kind !== 'undefined')
  return actual === 'unknown' || kinds.every((kind) => kind === 'unknown' || kind === actual)
}
