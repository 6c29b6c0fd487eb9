import { createHash, randomUUID } from 'node:crypto'

/** The code that a client trades, with its verifier, for the session of a flow. */
export function mintFlowCode(): { code: string; code_hash: Buffer } {
  const code = randomUUID()
  return { code, code_hash: hashFlowCode(code) }
}

export function hashFlowCode(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}
