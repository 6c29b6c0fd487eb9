import { z } from 'zod'
import type { StoredKeys } from '../data/secrets/stored-keys.ts'
import { readStoredJson } from '../read-stored.ts'
import { deriveKey, nameKey, PURPOSES, type Purpose, type PurposeKeys } from './derived-keys.ts'
import { openBody, readSealed, SealError, sealValue, type SecretBox } from './secret-box.ts'

/** A key of SECRETS_KEY. */
export interface RingKey {
  id: string
  /** 32 bytes */
  bytes: Buffer
}

/**
 * The keys of SECRETS_KEY and what the database says about them: which one seals, and which were used before.
 * `secrets` seals with the key that the database names, not with the newest at once: during a rolling restart some
 * processes do not have the newest yet (docs/operations/keys.md).
 */
export interface Keyring {
  secrets: SecretBox
  /** newest first, as the variable has them */
  keys: readonly RingKey[]
  keysFor: (purpose: Purpose) => PurposeKeys
  /** the id of the key that seals, and whether values name it */
  readonly sealing: { id: string; isNamed: boolean }
  /**
   * Takes over what the database says now.
   * @throws SealError if the key that seals is not here; then the ring stays as it was
   */
  apply: (stored: StoredKeys) => void
}

const keptSchema = z.record(z.string(), z.string())

interface State {
  current: RingKey
  isNamed: boolean
  /** opens values that do not name their key; undefined if it is not here any more */
  first: RingKey | undefined
  derived: Map<Purpose, PurposeKeys>
}

/** @param text one or several keys of 32 bytes in base64, separated by commas, newest first (SECRETS_KEY) */
export function createKeyring(text: string): Keyring {
  const keys = text.split(',').map((part): RingKey => {
    const bytes = Buffer.from(part.trim(), 'base64')
    return { id: nameKey(bytes), bytes }
  })
  const [newest] = keys
  if (newest === undefined) throw new SealError('SECRETS_KEY is empty')
  const byId = new Map(keys.map((key) => [key.id, key]))
  let state: State = { current: newest, isNamed: false, first: newest, derived: new Map() }

  const open = (sealed: string): string => {
    const { keyId, body } = readSealed(sealed)
    const key = keyId === undefined ? state.first : byId.get(keyId)
    if (key === undefined)
      throw new SealError(
        `a sealed value needs the ${keyId === undefined ? 'first key' : `key ${keyId}`}, which SECRETS_KEY lacks`,
      )
    return openBody(key.bytes, body)
  }
  const openKept = ({ keys: rows }: StoredKeys): ReadonlyArray<Record<string, string>> =>
    rows.flatMap(({ id, kept }) =>
      kept === null || byId.has(id) ? [] : [readStoredJson(keptSchema, open(kept), 'kept keys')],
    )

  return {
    keys,
    secrets: {
      seal: (_column, plain) =>
        sealValue(state.current.bytes, state.isNamed ? state.current.id : undefined, plain),
      open,
    },
    get sealing() {
      return { id: state.current.id, isNamed: state.isNamed }
    },
    keysFor: (purpose) => {
      const read = (): PurposeKeys => {
        const derived = state.derived.get(purpose) ?? deriveAll(state, keys, [], purpose)
        state.derived.set(purpose, derived)
        return derived
      }
      return {
        get current() {
          return read().current
        },
        get all() {
          return read().all
        },
      }
    },
    apply: (stored) => {
      if (stored.proof === undefined) return
      const firstId = stored.keys.find(({ is_first }) => is_first)?.id
      const { current, isNamed } = findSealing(stored.proof, keys, byId)
      const first = firstId === undefined ? current : byId.get(firstId)
      const next: State = { current, isNamed, first, derived: new Map() }
      const kept = openKept(stored)
      for (const purpose of Object.keys(PURPOSES) as Purpose[])
        next.derived.set(purpose, deriveAll(next, keys, kept, purpose))
      state = next
    },
  }
}

/** The derived keys that outlive a key, as JSON text to be sealed. */
export function keptKeys({ bytes }: RingKey): string {
  const kept = (Object.keys(PURPOSES) as Purpose[]).filter((purpose) => PURPOSES[purpose].isKept)
  return JSON.stringify(
    Object.fromEntries(kept.map((purpose) => [purpose, deriveKey(bytes, purpose).toString('base64')])),
  )
}

function deriveAll(
  { current }: Pick<State, 'current'>,
  keys: readonly RingKey[],
  kept: ReadonlyArray<Record<string, string>>,
  purpose: Purpose,
): PurposeKeys {
  const own = deriveKey(current.bytes, purpose)
  const others = keys.filter((key) => key !== current).map(({ bytes }) => deriveKey(bytes, purpose))
  const older = kept.flatMap((one) => {
    const derived = one[purpose]
    return derived === undefined ? [] : [Buffer.from(derived, 'base64')]
  })
  return { current: own, all: [own, ...others, ...older] }
}

/** Finds the key of the proof. A proof that names none is tried with each key: it was made before any rotation. */
function findSealing(
  proof: string,
  keys: readonly RingKey[],
  byId: ReadonlyMap<string, RingKey>,
): { current: RingKey; isNamed: boolean } {
  const { keyId, body } = readSealed(proof)
  const candidates = keyId === undefined ? keys : [byId.get(keyId)].filter((key) => key !== undefined)
  const current = candidates.find((key) => {
    try {
      openBody(key.bytes, body)
      return true
    } catch {
      return false
    }
  })
  if (current === undefined)
    throw new SealError(
      keyId === undefined
        ? 'a sealed value does not open with this SECRETS_KEY'
        : `new values are sealed with the key ${keyId}, which SECRETS_KEY lacks`,
    )
  return { current, isNamed: keyId !== undefined }
}
