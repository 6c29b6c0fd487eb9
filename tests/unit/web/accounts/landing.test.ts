import { describe, expect, test } from 'vitest'
import type { ProviderFlow } from '#web/session/providers/kept-flow.ts'
import { isLandingFragment, readLanding, withoutLanding } from '#web/session/landing.ts'

const read = (hash: string, search = '', flow: ProviderFlow | null = null, isReturnPath = true) =>
  readLanding({ hash, search }, isReturnPath, () => flow)
const FLOW: ProviderFlow = { verifier: 'v', provider: 'google', purpose: 'sign_in' }

describe('the parameters of a link', () => {
  test('name the type of a link that worked', () => {
    expect(read('#access_token=a&refresh_token=b&type=recovery')).toEqual({
      type: 'recovery',
      token: 'a',
      code: null,
      flow: null,
      error: null,
      message: null,
    })
  })

  test('have no effect with a type but no session', () => {
    expect(read('#type=recovery').type).toBeNull()
  })

  test('name a known failure, in the fragment or in the query', () => {
    const known = 'Email link is invalid or has expired'
    expect(read('#error=access_denied&error_code=otp_expired&error_description=x').error).toBe(known)
    expect(read('', '?error=access_denied&error_code=otp_expired').error).toBe(known)
  })

  test.each(['#error_description=Call+me', '#error_code=constructor', '#error_code=__proto__'])(
    'are described in our own words for another failure: %s',
    (hash) => {
      expect(read(hash).error).toMatch(/^An error occurred\. Please try again/)
    },
  )

  test('contain a code only where the service sends one', () => {
    expect(read('', '?code=abc', FLOW)).toMatchObject({ code: 'abc', flow: FLOW, error: null })
    expect(read('', '?code=abc', FLOW, false)).toMatchObject({ code: null, flow: null })
  })

  test('name the provider for its refusal, and never quote it', () => {
    const refused = read('#error=access_denied&error_description=Call+me', '?error=access_denied', FLOW)
    expect(refused.error).toBe('Google did not confirm it: you or the provider refused.')
    const late = read('', '?error=server_error&error_code=bad_oauth_state', FLOW)
    expect(late.error).toBe('It took too long, or was begun in another window. Please try again.')
    expect(read('#error=strange', '', FLOW).error).toMatch(/^An error occurred\. Please try again/)
  })

  test('report a failed link of a mail as such, even if a provider flow was left unfinished', () => {
    const { error } = read('#error=access_denied&error_code=otp_expired', '', FLOW)
    expect(error).toBe('Email link is invalid or has expired')
  })

  test('are removed from the query, and no others are', () => {
    expect(withoutLanding('?return_to=%2Fleads&code=abc')).toBe('?return_to=%2Fleads')
    expect(withoutLanding('?error=a&error_code=b&error_description=c')).toBe('')
    expect(withoutLanding('?q=a%20b')).toBe('?q=a%20b')
  })

  test('show a message only if the service wrote it', () => {
    const half = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'
    expect(read(`#message=${half.replaceAll(' ', '+')}&sb=`).message).toBe(half)
    expect(read('#message=Call+me').message).toBeNull()
  })

  test('do not include the anchor of a place on the page', () => {
    expect(isLandingFragment('#webhooks')).toBe(false)
    expect(isLandingFragment('#error=x')).toBe(true)
    expect(isLandingFragment('#a=b&sb=')).toBe(true)
  })
})
