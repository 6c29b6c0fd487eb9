import { validationFailed } from '../wire/auth-error.ts'

/** Limits of what one sign-in may cost, the same for every imported hash. */
const LARGEST_BCRYPT_COST = 15
const LARGEST_MEMORY_KIB = 262_144
const MOST_PASSES = 20
const MOST_LANES = 16

const BCRYPT = /^\$2[aby]\$(\d{2})\$[./A-Za-z0-9]{53}$/
const ARGON2ID =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/

/**
 * Reads a password hash that was made elsewhere: bcrypt, or argon2id as a PHC string without padding.
 * @throws AuthError validation_failed for any other, and for one that would cost too much to check
 */
export function readImportedHash(hash: string): string {
  const bcryptCost = BCRYPT.exec(hash)?.[1]
  if (bcryptCost !== undefined) {
    if (Number(bcryptCost) < 4 || Number(bcryptCost) > LARGEST_BCRYPT_COST) throw tooCostly()
    return hash
  }
  const parts = ARGON2ID.exec(hash)
  if (parts === null)
    throw validationFailed('password_hash must be a bcrypt hash or an argon2id hash in PHC form')
  const [memory = 0, passes = 0, lanes = 0] = parts.slice(1).map(Number)
  const isTooLarge = memory > LARGEST_MEMORY_KIB || passes > MOST_PASSES || lanes > MOST_LANES
  // RFC 9106 §3.1: each lane has at least eight blocks.
  if (isTooLarge || passes < 1 || lanes < 1 || memory < 8 * lanes) throw tooCostly()
  return hash
}

function tooCostly() {
  return validationFailed('password_hash has parameters that this service does not accept')
}
