import { setTimeout as sleep } from 'node:timers/promises'
import { SEALED_COLUMNS, type SealedColumn, type SealedPlace } from '../../data/secrets/sealed-columns.ts'
import { findSealedOtherwise, replaceSealed, type SealedRow } from '../../data/secrets/sealed-values.ts'
import {
  lockStoredKeys,
  nameSealingKey,
  readSealingAge,
  readStoredKeys,
  retireKeys,
} from '../../data/secrets/stored-keys.ts'
import type { Db } from '../../data/database.ts'
import { keptKeys, type Keyring } from '../../secrets/keyring.ts'
import { SealError, sealValue } from '../../secrets/secret-box.ts'
import { KEYRING_REFRESH_MS } from '../../secrets/watch-keyring.ts'
import {
  ALL_SEALED,
  countSealedValues,
  judgeKeys,
  type KeyStanding,
  type SealedCount,
} from './count-sealed-values.ts'

/** Values that are replaced in one statement. */
const BATCH = 100
/** Rows that others hold locked are tried again after this, for at most so many passes. */
const AGAIN_MS = 500
const MOST_PASSES = 60
/** After this every running process seals with the newest key. */
const SETTLE_MS = 2 * KEYRING_REFRESH_MS

export interface Rotation {
  /** the key that seals now */
  sealing: string
  /** values that were sealed again by this call */
  resealed: number
  /** values by column that no key opens */
  unreadable: Array<{ column: SealedColumn; count: number }>
  counts: SealedCount[]
  keys: KeyStanding[]
  /** no value is sealed with an older key */
  is_done: boolean
}

interface RotationContext {
  db: Db
  keyring: Keyring
}

/** Counts the values that a rotation would seal again, by column and key. It changes nothing. */
export async function planRotation({ db, keyring }: RotationContext): Promise<Rotation> {
  const stored = await readStoredKeys(db)
  keyring.apply(stored)
  return await report(db, keyring, { resealed: 0, unreadable: [] })
}

/**
 * Makes the newest key of SECRETS_KEY the one that seals, and seals every value again with it, while all processes run:
 * in small batches that wait for no lock, and only where the value is still the one that was read. A run that was
 * interrupted is repeated. All processes must have the newest key before (docs/operations/keys.md).
 * @param settleMs time for running processes to learn which key seals; only tests use less
 * @throws SealError if the key that seals now is not in SECRETS_KEY
 */
export async function rotateSecrets(
  context: RotationContext,
  { settleMs = SETTLE_MS, tell = () => undefined }: { settleMs?: number; tell?: (line: string) => void } = {},
): Promise<Rotation> {
  const { db, keyring } = context
  if (await nameNewest(context)) tell(`New values are sealed with the key ${keyring.sealing.id}`)
  let resealed = await resealUntilDone(context, tell)
  const restMs = settleMs - (await readSealingAge(db))
  if (restMs > 0) {
    tell('Waiting until every process seals with this key')
    await sleep(restMs)
    resealed += await resealUntilDone(context, tell)
  }
  const { unreadable } = await resealAll(context)
  const done = await report(db, keyring, { resealed, unreadable })
  await retireKeys(
    db,
    done.keys.filter(({ needed_because }) => needed_because === null).map(({ id }) => id),
  )
  return done
}

/** @returns whether another key sealed before */
async function nameNewest({ db, keyring }: RotationContext): Promise<boolean> {
  const [newest] = keyring.keys
  if (newest === undefined) return false
  const isChanged = await db.transaction().execute(async (trx) => {
    keyring.apply(await lockStoredKeys(trx))
    const { id, isNamed } = keyring.sealing
    if (id === newest.id && isNamed) return false
    const seal = (plain: string): string => sealValue(newest.bytes, newest.id, plain)
    const kept = new Map(keyring.keys.map((key) => [key.id, seal(keptKeys(key))]))
    await nameSealingKey(trx, { id: newest.id, proof: seal('leadwire'), first: id, kept })
    return true
  })
  keyring.apply(await readStoredKeys(db))
  return isChanged
}

async function resealUntilDone(context: RotationContext, tell: (line: string) => void): Promise<number> {
  let resealed = 0
  for (let pass = 1; pass <= MOST_PASSES; pass += 1) {
    const done = await resealAll(context)
    resealed += done.resealed
    if (done.resealed > 0) tell(`${resealed} values sealed again`)
    if (done.missed === 0) break
    await sleep(AGAIN_MS)
  }
  return resealed
}

interface Pass {
  resealed: number
  /** rows that others had locked or changed meanwhile */
  missed: number
  unreadable: Rotation['unreadable']
}

async function resealAll(context: RotationContext): Promise<Pass> {
  const pass: Pass = { resealed: 0, missed: 0, unreadable: [] }
  for (const column of ALL_SEALED) {
    const place: SealedPlace = SEALED_COLUMNS[column]
    let after: string | null = null
    let unreadable = 0
    do {
      const piece: Awaited<ReturnType<typeof findSealedOtherwise>> = await findSealedOtherwise(
        context.db,
        place,
        { after, keyId: context.keyring.sealing.id },
      )
      after = piece.last
      const changes = piece.rows.flatMap((row) => sealAgain(context.keyring, column, row) ?? [])
      unreadable += piece.rows.length - changes.length
      for (let at = 0; at < changes.length; at += BATCH) {
        const batch = changes.slice(at, at + BATCH)
        const replaced = await replaceSealed(context.db, place, batch)
        pass.resealed += replaced
        pass.missed += batch.length - replaced
      }
    } while (after !== null)
    if (unreadable > 0) pass.unreadable.push({ column, count: unreadable })
  }
  return pass
}

/** @returns undefined if the value does not open */
function sealAgain({ secrets }: Keyring, column: SealedColumn, row: SealedRow) {
  const again = (value: unknown): string => {
    if (typeof value !== 'string') throw new SealError('a sealed value is no text')
    return secrets.seal(column, secrets.open(value))
  }
  try {
    const place: SealedPlace = SEALED_COLUMNS[column]
    if (place.form === 'text') return { ...row, resealed: again(row.value) }
    const values = Object.entries(JSON.parse(row.value) as Record<string, unknown>)
    const resealed = Object.fromEntries(values.map(([name, value]) => [name, again(value)]))
    return { ...row, resealed: JSON.stringify(resealed) }
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}

async function report(
  db: Db,
  { sealing }: Keyring,
  done: Pick<Rotation, 'resealed' | 'unreadable'>,
): Promise<Rotation> {
  const counts = await countSealedValues(db)
  const is_done = sealing.isNamed && counts.every(({ key }) => key === sealing.id)
  const keys = judgeKeys(await readStoredKeys(db), sealing, counts)
  return { sealing: sealing.id, ...done, counts, keys, is_done }
}
