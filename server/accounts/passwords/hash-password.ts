import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { tooManyRequests } from '../wire/auth-error.ts'
import { limitParallel } from '#core/concurrency/limit-parallel.ts'

const deriveKey = promisify(argon2)

/** Cost of Argon2id (RFC 9106): KiB, passes over them, lanes (docs/decisions/0017-password-hashing.md). */
export interface HashCost {
  memory: number
  passes: number
  parallelism: number
}

const SALT_BYTES = 16
/**
 * In characters. NFC normalisation of a long combining sequence takes minutes, and nobody's password
 * is longer.
 */
const LONGEST_NORMALISED = 1024
const KEY_BYTES = 32

/**
 * Two at once: 92 MiB and two of libuv's four threads, so a flood of sign-ins exhausts neither memory nor
 * file and DNS work. 256 waiting requests are some seconds of work; later ones are refused with 429.
 */
const inTurn = limitParallel(2, 256, () => tooManyRequests(10))

/** Hashes a password to a PHC string, `$argon2id$v=19$m=…,t=…,p=…$salt$key`. */
export async function hashPassword(password: string, cost: HashCost): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await inTurn(() => derive(password, salt, cost, KEY_BYTES))
  return `${prefix(cost)}${unpadded(salt)}$${unpadded(key)}`
}

/**
 * Checks in constant time. Without a stored hash it takes as long as with one and answers false, so that the
 * duration does not reveal accounts.
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
  newCost: HashCost,
): Promise<boolean> {
  // bcrypt: the hash of an imported account, until its next sign-in.
  if (stored?.startsWith('$2') === true) {
    const { default: bcrypt } = await import('bcryptjs')
    return await inTurn(() => bcrypt.compare(password, stored))
  }
  const { cost, salt, key } = stored === null ? nobody(newCost) : decode(stored)
  const derived = await inTurn(() => derive(password, salt, cost, key.length))
  return timingSafeEqual(derived, key) && stored !== null
}

/**
 * Whether the hash was made elsewhere, or at another cost than new ones. Such a hash is made again when the password is
 * known.
 */
export function isOutdated(stored: string, cost: HashCost): boolean {
  return !stored.startsWith(prefix(cost))
}

interface Stored {
  cost: HashCost
  salt: Buffer
  key: Buffer
}

function nobody(cost: HashCost): Stored {
  return { cost, salt: randomBytes(SALT_BYTES), key: randomBytes(KEY_BYTES) }
}

function derive(password: string, salt: Buffer, cost: HashCost, keyBytes: number): Promise<Buffer> {
  // NFC, so that é typed on one system equals é typed on another (NIST SP 800-63B, 3.1.1.2).
  const message = password.length > LONGEST_NORMALISED ? password : password.normalize('NFC')
  return deriveKey('argon2id', { message, nonce: salt, tagLength: keyBytes, ...cost })
}

function prefix({ memory, passes, parallelism }: HashCost): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$`
}

function decode(phc: string): Stored {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(phc)
  if (parts === null) throw new Error('a stored password hash is not an argon2id PHC string')
  const [, memory, passes, parallelism, salt = '', key = ''] = parts
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
