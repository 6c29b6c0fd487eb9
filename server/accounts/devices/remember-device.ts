import type { Request, Response } from 'express'
import { isDeviceCookie, readCookies } from '#server/identity/read-cookies.ts'
import type { AuthContext } from '../auth-context.ts'
import { hostPrefix, setCookie } from '../wire/set-cookie.ts'
import {
  DEVICE_SECONDS,
  mintDevice,
  readDeviceCookie,
  tagFor,
  tagsOf,
  writeDeviceCookie,
} from './device-cookie.ts'

/** Accounts that one browser remembers; the oldest is dropped. */
const MOST_ACCOUNTS = 8
/** A cookie younger than this is left alone, so that not each refresh sets one. */
const FRESH_SECONDS = 30 * 86_400

/**
 * Lets the browser of a sign-in prove later that this account has signed in with it, so that its wrong passwords are
 * counted by themselves. A browser keeps its id, and so its count.
 */
export function rememberDevice(
  context: Pick<AuthContext, 'config' | 'accounts'>,
  { request, response }: { request: Request; response: Response },
  userId: string,
): void {
  const { deviceKeys } = context.accounts
  const now = Math.floor(Date.now() / 1000)
  const tag = tagFor(deviceKeys, userId)
  const tags = tagsOf(deviceKeys, userId)
  const given = readCookies(request).filter(({ name }) => isDeviceCookie(name))
  const isOwn = (name: string): boolean => tags.some((one) => name.endsWith(one))
  const others = given.filter(({ name }) => !isOwn(name))
  const known = given
    .filter(({ name }) => isOwn(name))
    .flatMap((cookie) => readDeviceCookie(deviceKeys, cookie, now) ?? [])
    .at(0)
  if (known?.tag === tag && known.expires - now > DEVICE_SECONDS - FRESH_SECONDS) return
  const surplus = others.slice(0, Math.max(0, others.length - (MOST_ACCOUNTS - 1)))
  const outdated = given.filter(({ name }) => isOwn(name) && !name.endsWith(tag))
  for (const { name } of [...surplus, ...outdated])
    setCookie(context, response, { name, value: '', seconds: 0, site: 'Strict' })
  const device = known?.device ?? mintDevice()
  const { name, value } = writeDeviceCookie(deviceKeys, { tag, device, expires: now + DEVICE_SECONDS })
  const seconds = DEVICE_SECONDS
  setCookie(context, response, { name: hostPrefix(context) + name, value, seconds, site: 'Strict' })
}
