import { useState } from 'react'
import { authClient } from '../../auth/auth-client.ts'
import { describeAccountError } from '../../auth/describe-account-error.ts'
import type { TotpEnrolment } from './EnrolTotp.tsx'
import { nextFactorName } from './next-factor-name.ts'

/** Begins the set-up of an authenticator app, and drops it where it is not finished. */
export function useTotpEnrolment() {
  const [enrolment, setEnrolment] = useState<TotpEnrolment | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  return {
    enrolment,
    refusal,
    busy,
    begin: async () => {
      setBusy(true)
      setRefusal(null)
      const friendlyName = await clearTheWay()
      const { data, error } = await authClient.mfa.enroll({ factorType: 'totp', friendlyName })
      setBusy(false)
      if (error === null) setEnrolment({ id: data.id, totp: data.totp })
      else setRefusal(describeAccountError(error))
    },
    cancel: async () => {
      const id = enrolment?.id
      setEnrolment(null)
      // Where this fails the service forgets the unfinished factor by itself after five minutes.
      if (id !== undefined) await authClient.mfa.unenroll({ factorId: id })
    },
    done: () => setEnrolment(null),
  }
}

/** Drops what an earlier try left unfinished; answers a name that is free. */
async function clearTheWay() {
  const { data } = await authClient.mfa.listFactors()
  const factors = data?.all ?? []
  const unfinished = factors.filter(
    ({ status, factor_type: type }) => status === 'unverified' && type === 'totp',
  )
  for (const { id } of unfinished) await authClient.mfa.unenroll({ factorId: id })
  return nextFactorName(factors.filter((factor) => !unfinished.includes(factor)))
}
