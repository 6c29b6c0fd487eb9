import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ConfigError, type Config } from '../config/config.ts'
import type { Db } from '../data/database.ts'
import { keepSealedProof, readStoredKeys } from '../data/secrets/stored-keys.ts'
import { createKeyring, type Keyring } from './keyring.ts'

/**
 * Returns the keys of SECRETS_KEY or, if it is unset, the key stored in DATA_DIR, which is made there on first use
 * (readable by its owner only). Processes on several machines need the variable, because they do not share DATA_DIR. A
 * sealed proof shows that it is the key under which the database's secrets were sealed; the first process stores the
 * proof.
 * @throws ConfigError if there is none and the database's secrets are sealed already (nothing is written then), or if
 * stored values name a key that is not here
 * @throws SealError if the key is another one
 */
export async function takeKeyring(
  { secretsKey, dataDir }: Pick<Config, 'secretsKey' | 'dataDir'>,
  db: Db,
): Promise<Keyring> {
  const file = path.join(dataDir, 'secrets-key')
  // The key is looked for first: a process that stores the proof has stored its key before.
  const isSealed = (await readStoredKeys(db)).proof !== undefined
  const given = secretsKey ?? (existsSync(file) ? readKey(file) : undefined)
  if (given === undefined && isSealed)
    throw new ConfigError([
      "SECRETS_KEY: is required: DATA_DIR does not hold the key of the database's secrets",
    ])
  const keyring = createKeyring(given ?? makeKey(file))
  if (!isSealed) await keepSealedProof(db, keyring.secrets.seal('secrets_key_check.sealed', 'leadwire'))
  const stored = await readStoredKeys(db)
  const ids = new Set(keyring.keys.map(({ id }) => id))
  const missing = stored.keys.filter(({ id, is_retired }) => !is_retired && !ids.has(id))
  if (missing.length > 0)
    throw new ConfigError(
      missing.map(
        ({ id }) =>
          `SECRETS_KEY: lacks the key ${id}, with which stored values are sealed; add it at the end`,
      ),
    )
  keyring.apply(stored)
  return keyring
}

function makeKey(file: string): string {
  mkdirSync(path.dirname(file), { recursive: true })
  try {
    // 'wx' decides a race between two processes: the second reads the key that the first wrote.
    writeFileSync(file, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readKey(file)
}

function readKey(file: string): string {
  return readFileSync(file, 'utf8').trim()
}
