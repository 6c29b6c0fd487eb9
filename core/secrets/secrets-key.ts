import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../config/config.ts'
import type { Db } from '../data/database.ts'
import { keepSealedProof } from '../data/secrets-key-check.ts'
import { createSecretBox } from './secret-box.ts'

/**
 * SECRETS_KEY, or where it is unset the key kept in DATA_DIR, made there on first use (readable by its owner only).
 * Processes on several machines need the variable: they do not share DATA_DIR.
 * @returns 32 bytes in base64
 */
export function loadSecretsKey(config: Config): string {
  if (config.secretsKey !== undefined) return config.secretsKey
  const file = path.join(config.dataDir, 'secrets-key')
  mkdirSync(config.dataDir, { recursive: true })
  try {
    // 'wx' decides a race between two processes: the second reads what the first wrote.
    writeFileSync(file, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readFileSync(file, 'utf8').trim()
}

/**
 * Proves that this process holds the key under which the database's secrets were sealed; the first process to ask leaves
 * the proof.
 * @throws SealError when the key is another
 */
export async function checkSecretsKey(db: Db, key: string): Promise<void> {
  const box = createSecretBox(key)
  box.open(await keepSealedProof(db, box.seal('leadwire')))
}
