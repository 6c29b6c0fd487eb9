import { describe, expect, test } from 'vitest'
import { isLandingFragment, readLanding } from '#web/auth/landing.ts'

const read = (hash: string, search = '') => readLanding({ hash, search })

describe('how a link led here', () => {
  test('a link that worked names its type', () => {
    expect(read('#access_token=a&refresh_token=b&type=recovery')).toEqual({
      type: 'recovery',
      token: 'a',
      error: null,
      message: null,
    })
  })

  test('a type alone, without a session, means nothing', () => {
    expect(read('#type=recovery').type).toBeNull()
  })

  test('known failures are named, in the fragment or in the query', () => {
    const known = 'Email link is invalid or has expired'
    expect(read('#error=access_denied&error_code=otp_expired&error_description=x').error).toBe(known)
    expect(read('', '?error=access_denied&error_code=otp_expired').error).toBe(known)
  })

  test.each(['#error_description=Call+me', '#error_code=constructor', '#error_code=__proto__'])(
    'another failure gets our own words: %s',
    (hash) => {
      expect(read(hash).error).toMatch(/^An error occurred\. Please try again/)
    },
  )

  test('only the one message that the service writes is shown', () => {
    const half = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'
    expect(read(`#message=${half.replaceAll(' ', '+')}&sb=`).message).toBe(half)
    expect(read('#message=Call+me').message).toBeNull()
  })

  test('a place on a page is no word of a link', () => {
    expect(isLandingFragment('#webhooks')).toBe(false)
    expect(isLandingFragment('#error=x')).toBe(true)
    expect(isLandingFragment('#a=b&sb=')).toBe(true)
  })
})
