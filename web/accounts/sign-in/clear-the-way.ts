import { authClient } from '#web/session/auth-client.ts'
import { nextFactorName } from '../factors/next-factor-name.ts'

/** Removes unfinished factors of this type; returns a free name. */
export async function clearTheWay(wanted: 'totp' | 'phone') {
  const { data } = await authClient.mfa.listFactors()
  const factors = data?.all ?? []
  const unfinished = factors.filter(
    ({ status, factor_type: type }) => status === 'unverified' && type === wanted,
  )
  for (const { id } of unfinished) await authClient.mfa.unenroll({ factorId: id })
  const kept = factors.filter((factor) => !unfinished.includes(factor))
  return nextFactorName(kept, wanted === 'totp' ? 'Authenticator app' : 'Phone')
}
