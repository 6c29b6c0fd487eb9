import { useState } from 'react'
import { authClient } from '#web/session/auth-client.ts'
import { challengePhone } from '#web/session/credentials/challenge-phone.ts'
import { describeAccountError } from '#web/session/credentials/describe-account-error.ts'
import { clearTheWay } from '../sign-in/clear-the-way.ts'
import { normaliseCode } from '#web/format/normalise-code.ts'
import { normalisePhone } from '../fields/phone-rule.ts'

interface Enrolment {
  factorId: string
  phone: string
  /** null until a code has been sent */
  challengeId: string | null
}

/** Sets a phone up as a second factor, and removes the factor if the set-up is cancelled. */
export function usePhoneEnrolment() {
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)

  const send = async (factorId: string, phone: string, previous: string | null) => {
    const challenge = await challengePhone(factorId)
    setRefusal(challenge.result === 'refused' ? challenge.message : null)
    // If the service refuses because a code was sent a moment ago, that code is still valid.
    setEnrolment({ factorId, phone, challengeId: challenge.result === 'sent' ? challenge.id : previous })
    return challenge.result === 'sent'
  }

  return {
    /** Number that the code was sent to; null before the first code. */
    phone: enrolment?.phone ?? null,
    refusal,
    begin: async (typed: string) => {
      setRefusal(null)
      const phone = normalisePhone(typed)
      const friendlyName = await clearTheWay('phone')
      const { data, error } = await authClient.mfa.enroll({ factorType: 'phone', phone, friendlyName })
      if (error !== null) setRefusal(describeAccountError(error))
      else if (!(await send(data.id, phone, null))) {
        // No code was sent, so the user can still correct the number.
        setEnrolment(null)
        await authClient.mfa.unenroll({ factorId: data.id })
      }
    },
    /** @returns true if another code was sent */
    resend: async () => {
      if (enrolment === null) return false
      return await send(enrolment.factorId, enrolment.phone, enrolment.challengeId)
    },
    verify: async (typed: string) => {
      setRefusal(null)
      const { factorId, challengeId } = enrolment ?? { factorId: '', challengeId: null }
      const code = normaliseCode(typed)
      const { error } = await authClient.mfa.verify({ factorId, challengeId: challengeId ?? '', code })
      if (error !== null) setRefusal(describeAccountError(error, 'phone'))
      return error === null
    },
    cancel: async () => {
      // If this call fails, the service drops the unfinished factor after five minutes.
      if (enrolment !== null) await authClient.mfa.unenroll({ factorId: enrolment.factorId })
    },
  }
}
