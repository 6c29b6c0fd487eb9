import { useState } from 'react'
import { authClient } from '#web/session/auth-client.ts'
import { requestMail } from '#web/session/credentials/request-mail.ts'

/**
 * Sends the code that the service asks for before a password changes, to prove that the user is still
 * present.
 */
export function usePresenceCode() {
  const [isAsked, setAsked] = useState(false)
  return {
    isAsked,
    /** @returns the reason why no code was sent; null if one was sent */
    send: async () => {
      const outcome = await requestMail(
        () => authClient.reauthenticate(),
        'Failed to send OTP. Please try again.',
      )
      // The form also opens after a refusal: the code of a moment ago is still valid.
      setAsked(true)
      return outcome.result === 'refused' ? outcome.message : null
    },
    end: () => setAsked(false),
  }
}
