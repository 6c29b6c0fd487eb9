import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PurposeKeys } from './derived-keys.ts'

/** The claims of a link to a posting specification. */
export interface PostingSpecToken {
  source_id: string
  /** version of the source's links; a new version invalidates all earlier links */
  version: number
  expires_at: Date
}

const PREFIX = 'lw_spec_'
const [SOURCE, VERSION, EXPIRES, SIGNATURE] = [16, 4, 4, 32]
const SIGNED = SOURCE + VERSION + EXPIRES

/** Makes the text of a link: source, version and end in whole seconds, with HMAC-SHA256 over them. */
export function signPostingSpec(
  keys: PurposeKeys,
  { source_id, version, expires_at }: PostingSpecToken,
): string {
  const said = Buffer.alloc(SIGNED)
  said.write(source_id.replaceAll('-', ''), 'hex')
  said.writeUInt32BE(version, SOURCE)
  said.writeUInt32BE(Math.floor(expires_at.getTime() / 1000), SOURCE + VERSION)
  return PREFIX + Buffer.concat([said, sign(keys.current, said)]).toString('base64url')
}

/** Reads a link that was signed here and has not ended. Its source knows whether its version is still valid. */
export function readPostingSpec(keys: PurposeKeys, token: string, now: Date): PostingSpecToken | undefined {
  if (!token.startsWith(PREFIX)) return undefined
  const bytes = Buffer.from(token.slice(PREFIX.length), 'base64url')
  if (bytes.length !== SIGNED + SIGNATURE) return undefined
  const said = bytes.subarray(0, SIGNED)
  if (!keys.all.some((key) => timingSafeEqual(bytes.subarray(SIGNED), sign(key, said)))) return undefined
  const expires_at = new Date(said.readUInt32BE(SOURCE + VERSION) * 1000)
  if (expires_at <= now) return undefined
  const source_id = said
    .toString('hex', 0, SOURCE)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { source_id, version: said.readUInt32BE(SOURCE), expires_at }
}

function sign(key: Buffer, said: Buffer): Buffer {
  return createHmac('sha256', key).update(said).digest()
}
