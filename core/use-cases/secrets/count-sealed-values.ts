import { SEALED_COLUMNS, type SealedColumn } from '../../data/secrets/sealed-columns.ts'
import { countSealed } from '../../data/secrets/sealed-values.ts'
import type { Db } from '../../data/database.ts'
import type { StoredKeys } from '../../data/secrets/stored-keys.ts'

/** Sealed values of one column that have one key. */
export interface SealedCount {
  column: SealedColumn
  /** null: they name no key, because they were sealed before the first rotation */
  key: string | null
  count: number
}

export const ALL_SEALED = Object.keys(SEALED_COLUMNS) as SealedColumn[]

/** Counts all sealed values of the database by column and key. */
export async function countSealedValues(db: Db): Promise<SealedCount[]> {
  const counts: SealedCount[] = []
  for (const column of ALL_SEALED)
    for (const count of await countSealed(db, SEALED_COLUMNS[column])) counts.push({ column, ...count })
  return counts
}

/** A key that was ever in use, and whether SECRETS_KEY still needs it. */
export interface KeyStanding {
  id: string
  /** new values are sealed with it */
  is_sealing: boolean
  /** values that are still sealed with it */
  values: number
  /** why it must stay in SECRETS_KEY; null: it may be removed */
  needed_because: string | null
}

/** @param counts of the same moment */
export function judgeKeys(
  { keys }: StoredKeys,
  sealing: { id: string; isNamed: boolean },
  counts: readonly SealedCount[],
): KeyStanding[] {
  const first = keys.find(({ is_first }) => is_first)?.id ?? sealing.id
  const known = new Set([sealing.id, ...keys.map(({ id }) => id), ...counts.map(({ key }) => key ?? first)])
  return [...known].map((id) => {
    const values = counts.reduce((sum, one) => sum + ((one.key ?? first) === id ? one.count : 0), 0)
    const is_sealing = id === sealing.id
    const needed_because = is_sealing
      ? 'new values are sealed with it'
      : values > 0
        ? `${values} values are sealed with it`
        : null
    return { id, is_sealing, values, needed_because }
  })
}
