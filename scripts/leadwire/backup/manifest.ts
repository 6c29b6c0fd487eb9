import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { Config } from '#core/config/config.ts'
import { nameKey } from '#core/secrets/derived-keys.ts'
import { CommandError } from '../failures.ts'

/** The files of a backup's folder. */
export const PARTS = {
  manifest: 'manifest.json',
  database: 'database',
  files: 'files',
  list: 'files.txt',
} as const

const FORMAT = 1

const contentSchema = z.object({
  format: z.literal(FORMAT),
  /** of the product */
  version: z.string(),
  taken_at: z.iso.datetime(),
  postgres: z.number(),
  migrations: z.array(z.string()),
  /** what the database held: counts and sums as text, by name */
  contents: z.record(z.string(), z.string()),
  files: z.discriminatedUnion('kept', [
    z.object({ kept: z.literal('here'), count: z.number(), bytes: z.number(), missing: z.number() }),
    /** the bytes stay in the service, which has a backup of its own */
    z.object({ kept: z.literal('s3'), endpoint: z.string(), bucket: z.string(), count: z.number() }),
  ]),
  /** every file of the database's archive, and the list of stored files, by path */
  archive: z.record(z.string(), z.object({ bytes: z.number(), sha256: z.string() })),
})

const manifestSchema = contentSchema.extend({ key: z.string(), signature: z.string() })

export type Contents = z.infer<typeof contentSchema>
export type Manifest = z.infer<typeof manifestSchema>

/** Signs a manifest with the newest key of SECRETS_KEY, so that nobody without a key can make or change a backup. */
export function signManifest(content: Contents, keys: readonly Buffer[]): Manifest {
  const [key] = keys
  if (key === undefined) throw new CommandError('SECRETS_KEY is required: it signs the manifest')
  return { ...content, key: nameKey(key), signature: sign(content, key) }
}

/**
 * Reads a manifest and checks that a key of SECRETS_KEY signed it.
 * @throws CommandError if it is missing, not understood, changed, or signed by another key
 */
export async function readManifest(folder: string, keys: readonly Buffer[]): Promise<Manifest> {
  const file = path.join(folder, PARTS.manifest)
  if (!existsSync(file)) throw new CommandError(`${folder} is no backup: it has no ${PARTS.manifest}`)
  const parsed = manifestSchema.safeParse(readJson(await readFile(file, 'utf8')))
  if (!parsed.success)
    throw new CommandError(`${PARTS.manifest} is not understood: it is damaged, or of another version`)
  const { key: name, signature, ...content } = parsed.data
  const key = keys.find((one) => nameKey(one) === name)
  if (key === undefined)
    throw new CommandError(
      `SECRETS_KEY: is not the key ${name} that signed this backup; without it no stored secret could be opened`,
    )
  const wanted = Buffer.from(sign(content, key), 'hex')
  const given = Buffer.from(signature, 'hex')
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new CommandError(`${PARTS.manifest} was changed after the backup`)
  return parsed.data
}

/**
 * The keys of SECRETS_KEY, newest first, or the key that is stored in DATA_DIR.
 * @throws CommandError if there is none
 */
export function readBackupKeys({ secretsKey, dataDir }: Pick<Config, 'secretsKey' | 'dataDir'>): Buffer[] {
  const file = path.join(dataDir, 'secrets-key')
  const text = secretsKey ?? (existsSync(file) ? readFileSync(file, 'utf8') : undefined)
  if (text === undefined)
    throw new CommandError('SECRETS_KEY: is required; it signs backups, and opens what they hold')
  return text.split(',').map((part) => Buffer.from(part.trim(), 'base64'))
}

const sign = (content: Contents, key: Buffer): string =>
  createHmac('sha256', deriveSigningKey(key))
    .update(JSON.stringify(sorted(content)))
    .digest('hex')

/** The key that signs manifests, derived from a key of SECRETS_KEY: HKDF with SHA-256. */
const deriveSigningKey = (key: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', 'leadwire backups', 32))

/** With keys in one order, so that it does not matter how the file was written. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [two]) => (one < two ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
