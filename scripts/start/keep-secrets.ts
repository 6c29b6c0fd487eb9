import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { validatePassword } from '#core/domain/accounts/validate-password.ts'
import { makeKeys } from '../services/make-keys.ts'

/** Variables of docs/contract.md §2 that a first start makes up and later starts find again. */
export type KeptSecrets = Record<
  | 'JWT_PRIVATE_JWK'
  | 'SECRETS_KEY'
  | 'SEED_ADMIN_EMAIL'
  | 'SEED_ADMIN_PASSWORD'
  | 'SEED_CLIENT_EMAIL'
  | 'SEED_CLIENT_PASSWORD',
  string
>

/** Reads `folder`/secrets.json, and makes what it lacks; only its owner may read it. */
export async function keepSecrets(folder: string): Promise<KeptSecrets> {
  const file = path.join(folder, 'secrets.json')
  const kept = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Partial<KeptSecrets>) : {}
  const secrets = { ...(await makeSecrets()), ...kept }
  await writeFile(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  await chmod(file, 0o600)
  return secrets
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

/** Like `Kmtr-7294-wbxh`: about 50 random bits, easy to type, and good by docs/product.md §5. No vowels, so no words. */
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
