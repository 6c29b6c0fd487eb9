import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ConfigError, type Config } from '../config/config.ts'
import type { Db } from '../data/database.ts'
import { findSealedProof, keepSealedProof } from '../data/secrets-key-check.ts'
import { createSecretBox } from './secret-box.ts'

/**
 * Returns SECRETS_KEY or, if it is unset, the key stored in DATA_DIR, which is made there on first use (readable by its
 * owner only). Processes on several machines need the variable, because they do not share DATA_DIR. A sealed proof
 * shows that it is the key under which the database's secrets were sealed; the first process stores the proof.
 * @returns 32 bytes in base64
 * @throws ConfigError if there is none and the database's secrets are sealed already; nothing is written then
 * @throws SealError if the key is another one
 */
export async function takeSecretsKey({ secretsKey, dataDir }: Config, db: Db): Promise<string> {
  const file = path.join(dataDir, 'secrets-key')
  // The key is looked for first: a process that stores the proof has stored its key before.
  const isSealed = (await findSealedProof(db)) !== undefined
  const given = secretsKey ?? (existsSync(file) ? readKey(file) : undefined)
  if (given === undefined && isSealed)
    throw new ConfigError([
      "SECRETS_KEY: is required: DATA_DIR does not hold the key of the database's secrets",
    ])
  const key = given ?? makeKey(file)
  const box = createSecretBox(key)
  box.open(await keepSealedProof(db, box.seal('leadwire')))
  return key
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
