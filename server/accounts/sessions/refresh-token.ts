import { createHash, createHmac, randomBytes } from 'node:crypto'

/** The stored part of a token. */
export interface MintedToken {
  token: string
  token_hash: Buffer
  salt: Buffer
}

/** The first token of a session: 256 random bits. */
export function mintFirstToken(): MintedToken {
  const token = randomBytes(32).toString('base64url')
  return { token, token_hash: hashToken(token), salt: Buffer.alloc(0) }
}

/**
 * Derives the next token from its parent and a fresh salt. A client that lost the answer and shows the parent
 * again can get the same child, although only hashes are stored. A copy of the table without a token derives
 * nothing.
 */
export function mintChildToken(parent: string): MintedToken {
  const salt = randomBytes(32)
  const token = deriveToken(parent, salt)
  return { token, token_hash: hashToken(token), salt }
}

/** The child of `parent` whose row holds `salt`. */
export function deriveToken(parent: string, salt: Buffer): string {
  return createHmac('sha256', parent).update(salt).digest('base64url')
}

/** SHA-256 is enough for 256 random bits, and a lookup by hash leaks no timing. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
