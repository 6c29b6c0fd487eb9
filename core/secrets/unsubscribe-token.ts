import { createHmac, timingSafeEqual } from 'node:crypto'
import { noticesSchema, type AccountNotices } from '../contract/market/client-account.ts'
import type { PurposeKeys } from './derived-keys.ts'

/** The values that a link to end a kind of mail names. */
export interface Unsubscription {
  user_id: string
  notice: keyof AccountNotices
}

/** Makes the text of a link: client and kind, with HMAC-SHA256 over them. It does not end, as a mail may be read late. */
export function signUnsubscription(keys: PurposeKeys, { user_id, notice }: Unsubscription): string {
  const said = `${user_id}.${notice}`
  return `${said}.${sign(keys.current, said).toString('base64url')}`
}

/** Reads a link that was signed here; undefined for any other text. */
export function readUnsubscription(keys: PurposeKeys, token: string): Unsubscription | undefined {
  const [user_id, notice, signature, rest] = token.split('.')
  if (user_id === undefined || signature === undefined || rest !== undefined) return undefined
  const given = Buffer.from(signature, 'base64url')
  const isRight = keys.all.some((key) => {
    const right = sign(key, `${user_id}.${notice}`)
    return given.length === right.length && timingSafeEqual(given, right)
  })
  if (!isRight) return undefined
  const known = noticesSchema.keyof().safeParse(notice)
  return known.success ? { user_id, notice: known.data } : undefined
}

function sign(key: Buffer, said: string): Buffer {
  return createHmac('sha256', key).update(said).digest()
}
