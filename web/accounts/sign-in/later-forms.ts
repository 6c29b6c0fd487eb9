import { useEffect } from 'react'
import { lazyPart } from '#web/app/lazy-part.ts'
import { fetchPart } from '#web/app/reload-when-stale.ts'
import { listenForTouch } from '#web/session/listen-for-touch.ts'

// Most people sign in with a password. The other forms need the auth client, which is also loaded at the
// first touch.
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

/** Loads the other forms at the user's first touch, so that opening one needs no wait. */
export function useLaterForms(): void {
  useEffect(() => {
    const stop = listenForTouch(() => {
      stop()
      for (const fetchForm of [fetchSignUp, fetchCode, fetchForgot, fetchHalf])
        // Opening a form loads it again and reports the failure.
        fetchPart<unknown>(fetchForm).catch(() => undefined)
    })
    return stop
  }, [])
}
