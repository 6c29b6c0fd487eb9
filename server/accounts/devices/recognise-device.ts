import type { Caller } from '#server/identity/caller.ts'
import type { AuthContext } from '../auth-context.ts'
import { readDeviceCookie, tagsOf } from './device-cookie.ts'

/**
 * The id of the caller's browser, if the account has signed in with it before.
 * @param readUser finds the account; asked only if the browser has a cookie that we signed
 */
export async function recogniseDevice(
  { accounts: { deviceKeys } }: Pick<AuthContext, 'accounts'>,
  { devices = [] }: Caller,
  readUser: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const now = Math.floor(Date.now() / 1000)
  const known = devices.flatMap((cookie) => readDeviceCookie(deviceKeys, cookie, now) ?? [])
  if (known.length === 0) return undefined
  const userId = await readUser()
  if (userId === undefined) return undefined
  const tags = tagsOf(deviceKeys, userId)
  return known.find((one) => tags.includes(one.tag))?.device
}
