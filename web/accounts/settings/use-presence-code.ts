import { useState } from 'react'
import { authClient } from '#web/session/auth-client.ts'
import { requestMail } from '#web/session/credentials/request-mail.ts'

/** The code by which the service makes sure, before a password changes, that it is still the person who signed in. */
export function usePresenceCode() {
  const [isAsked, setAsked] = useState(false)
  return {
    isAsked,
    /** @returns why no code was sent; null where one was */
    send: async () => {
      const outcome = await requestMail(
        () => authClient.reauthenticate(),
        'Failed to send OTP. Please try again.',
      )
      // Refused for its haste, there is a code of a moment ago.
      setAsked(true)
      return outcome.result === 'refused' ? outcome.message : null
    },
    end: () => setAsked(false),
  }
}
