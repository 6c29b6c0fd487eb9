import { describe, expect, it } from 'vitest'
import { isAppPath } from '#server/http/web/name-app-path.ts'
import { HOME_AFTER_SIGN_IN, returnPath, signInPath } from '#web/paths.ts'

const ORIGIN = 'https://leads.example.com'
const follow = (wanted: string) => returnPath(new URLSearchParams({ return_to: wanted }), ORIGIN)

describe('the way back after signing in', () => {
  it('leads to the requested screen, with its query and fragment', () => {
    const search = new URL(signInPath('/leads?state=CA&search=a b#top'), ORIGIN).searchParams
    expect(returnPath(search, ORIGIN)).toBe('/leads?state=CA&search=a%20b#top')
  })

  it('leads home if no screen was requested', () => {
    expect(returnPath(new URLSearchParams(), ORIGIN)).toBe(HOME_AFTER_SIGN_IN)
  })

  it.each([
    '//evil.example.com/leads',
    '/\\evil.example.com',
    '/.//evil.example.com',
    '/..//evil.example.com',
    '/leads/..//evil.example.com',
    '/\t/evil.example.com',
    'https://evil.example.com',
    'javascript:alert(1)',
    'leads',
    '/auth?return_to=/auth',
    '/auth/',
    '/AUTH',
  ])('never follows %j', (wanted) => {
    expect(follow(wanted)).toBe(HOME_AFTER_SIGN_IN)
  })
})

describe("the app's paths", () => {
  it.each([
    '/auth',
    '/leads',
    '/leads/',
    '/leads/018f',
    '/LEADS',
    '/client-integrations',
    '/admin/clients',
    '/Admin/Clients/018f',
  ])('has a screen at %s', (path) => {
    expect(isAppPath(path)).toBe(true)
  })

  it.each([
    '/',
    '/nowhere',
    '/leads/018f/more',
    '/admin/nowhere',
    '/admin/nowhere/018f',
    '/leads//',
    '/authx',
    '//',
    '/assets/x.js',
  ])('has none at %s', (path) => {
    expect(isAppPath(path)).toBe(false)
  })
})
