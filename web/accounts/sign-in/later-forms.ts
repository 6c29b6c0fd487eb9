import { useEffect } from 'react'
import { lazyPart } from '#web/app/lazy-part.ts'
import { fetchPart } from '#web/app/reload-when-stale.ts'
import { listenForTouch } from '#web/session/listen-for-touch.ts'

// Most people sign in with a password; these forms need the client of the service, and that is fetched at the first touch, too.
const fetchSignUp = () => import('./SignUpForm.tsx')
const fetchCode = () => import('./EmailCodeForm.tsx')
const fetchForgot = () => import('./ForgotPasswordForm.tsx')
const fetchHalf = () => import('./HalfSignedIn.tsx')

export const SignUpForm = lazyPart('SignUpForm', async () => (await fetchSignUp()).SignUpForm)
export const EmailCodeForm = lazyPart('EmailCodeForm', async () => (await fetchCode()).EmailCodeForm)
export const ForgotPasswordForm = lazyPart(
  'ForgotPasswordForm',
  async () => (await fetchForgot()).ForgotPasswordForm,
)
export const HalfSignedIn = lazyPart('HalfSignedIn', async () => (await fetchHalf()).HalfSignedIn)

/** Fetches them as soon as somebody is there, so that none has to be waited for. */
export function useLaterForms(): void {
  useEffect(() => {
    const stop = listenForTouch(() => {
      stop()
      for (const fetchForm of [fetchSignUp, fetchCode, fetchForgot, fetchHalf])
        // Whoever opens it asks again, and is told.
        fetchPart<unknown>(fetchForm).catch(() => undefined)
    })
    return stop
  }, [])
}
