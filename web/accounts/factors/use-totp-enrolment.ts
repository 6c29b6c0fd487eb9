import { useState } from 'react'
import { authClient } from '#web/session/auth-client.ts'
import { describeAccountError } from '#web/session/credentials/describe-account-error.ts'
import { clearTheWay } from '../sign-in/clear-the-way.ts'
import type { TotpEnrolment } from './EnrolTotp.tsx'

/** Sets up an authenticator app, and removes the factor if the set-up is cancelled. */
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
      const friendlyName = await clearTheWay('totp')
      const { data, error } = await authClient.mfa.enroll({ factorType: 'totp', friendlyName })
      setBusy(false)
      if (error === null) setEnrolment({ id: data.id, totp: data.totp })
      else setRefusal(describeAccountError(error))
    },
    cancel: async () => {
      const id = enrolment?.id
      setEnrolment(null)
      // If this call fails, the service drops the unfinished factor after five minutes.
      if (id !== undefined) await authClient.mfa.unenroll({ factorId: id })
    },
    done: () => setEnrolment(null),
  }
}
