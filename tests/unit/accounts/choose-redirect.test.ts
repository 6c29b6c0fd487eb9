import { describe, expect, it } from 'vitest'
import { chooseRedirect } from '#server/accounts/wire/choose-redirect.ts'

const SITE = 'https://leads.example.com'
const choose = (wanted: string | undefined, ...allowed: string[]) =>
  chooseRedirect(wanted, { siteUrl: SITE, allowed })

describe('the redirect for a user', () => {
  it.each([undefined, '', 'dashboard', '/dashboard'])('is the site for %j', (wanted) => {
    expect(choose(wanted, '**')).toBe(SITE)
  })

  it.each([
    ['https://leads.example.com/dashboard?tab=2#top'],
    ['https://LEADS.example.com:443/'],
    ['https://app.example.com/a/b', 'https://app.example.com/**'],
    ['https://one.preview.example.com', 'https://*.preview.example.com'],
    ['https://one.preview.example.com/', 'https://*.preview.example.com'],
    ['https://a.b.example.com/x', 'https://**.example.com/*'],
    ['myapp://callback', 'myapp://callback'],
    ['myapp://callback/deep?x=1', 'myapp://**'],
    ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000/'],
  ])('is %s', (wanted, ...allowed) => {
    expect(choose(wanted, ...allowed)).toBe(wanted)
  })

  it.each([
    ['http://leads.example.com/'],
    ['https://leads.example.com:8443/'],
    ['https://leads.example.com@evil.example/'],
    ['https://leads.example.com.evil.example/'],
    ['https://evil%2eexample?.preview.example.com', 'https://*.preview.example.com'],
    ['https://evil。example?.preview.example.com', 'https://*.preview.example.com'],
    ['https://evil.example/?.preview.example.com', 'https://**.preview.example.com'],
    ['https://evil.example/x.preview.example.com', 'https://**.preview.example.com'],
    ['https://a.b.preview.example.com/', 'https://*.preview.example.com'],
    ['https://app.example.com/a/b', 'https://app.example.com/*'],
    ['https://app.example.com/../b', 'https://app.example.com/./*/b'],
    ['javascript:alert(1)', '**'],
    ['JavaScript://leads.example.com/%0aalert(1)', '**'],
    ['data:text/html,x', '**'],
    ['http://2130706433/', '**'],
    ['http://0x7f.1/', '**'],
    ['http://93.184.216.34/', '**'],
    ['http://[2606:2800:220:1::1]/', '**'],
    ['https:\\\\evil.example', '**'],
    ['https://evil.example/\t', '**'],
  ])('is never %s', (wanted, ...allowed) => {
    expect(choose(wanted, ...allowed)).toBe(SITE)
  })
})
