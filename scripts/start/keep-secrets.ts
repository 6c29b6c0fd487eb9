import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { validatePassword } from '#core/domain/accounts/validate-password.ts'
import { writeFileAtomically } from '#core/write-file-atomically.ts'
import { makeKeys } from '../services/make-keys.ts'

/** Variables of docs/contract.md §2 that the first start generates and later starts read. */
export type KeptSecrets = Record<
  | 'JWT_PRIVATE_JWK'
  | 'SECRETS_KEY'
  | 'SEED_ADMIN_EMAIL'
  | 'SEED_ADMIN_PASSWORD'
  | 'SEED_CLIENT_EMAIL'
  | 'SEED_CLIENT_PASSWORD',
  string
>

/** Reads `folder`/secrets.json and generates missing values; only its owner may read it. */
export async function keepSecrets(folder: string): Promise<KeptSecrets> {
  const file = path.join(folder, 'secrets.json')
  const kept = await readSecrets(file)
  const secrets = { ...(await makeSecrets()), ...kept }
  // Sealed data in the database is lost with these secrets, so they are written only if there is a new one.
  if (Object.keys(secrets).some((name) => !(name in kept)))
    await writeFileAtomically(file, `${JSON.stringify(secrets, null, 2)}\n`)
  else await chmod(file, 0o600)
  return secrets
}

/** @throws Error that says what to do if the file exists but cannot be read */
async function readSecrets(file: string): Promise<Partial<KeptSecrets>> {
  if (!existsSync(file)) return {}
  const text = await readFile(file, 'utf8')
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(text))
  } catch {
    throw new Error(
      `${file} is damaged: put it back from a backup. It holds the key without which the database's secrets cannot be opened.`,
    )
  }
}

async function makeSecrets(): Promise<KeptSecrets> {
  return {
    ...(await makeKeys()),
    SEED_ADMIN_EMAIL: 'admin@example.com',
    SEED_ADMIN_PASSWORD: makePassword(),
    SEED_CLIENT_EMAIL: 'client@example.com',
    SEED_CLIENT_PASSWORD: makePassword(),
  }
}

const UPPER = 'BCDFGHJKMNPRTVWXZ'
const LOWER = 'bcdfghjkmnprtvwxz'
const DIGITS = '23456789'

/**
 * Like `Kmtr-7294-wbxh`: about 50 random bits, easy to type, and valid by docs/product.md §5. No vowels, so
 * no words.
 */
export function makePassword(): string {
  const pick = (alphabet: string, count: number) =>
    Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('')
  for (;;) {
    const password = `${pick(UPPER, 1)}${pick(LOWER, 3)}-${pick(DIGITS, 4)}-${pick(LOWER, 4)}`
    if (validatePassword(password).length === 0 && !hasSequence(password)) return password
  }
}

function hasSequence(password: string): boolean {
  const codes = [...Buffer.from(password)]
  return codes.some((code, index) => codes[index + 1] === code + 1 && codes[index + 2] === code + 2)
}
