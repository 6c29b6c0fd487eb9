import { describe, expect, it } from 'vitest'
import { refusePort } from '#core/domain/webhooks/refuse-port.ts'
import { FREE_PORTS } from '#scripts/services/free-port.ts'
import { createAddressGuard } from '#core/endpoint/guard-address.ts'
import { hosts, REFUSED_URLS } from '#tests/support/given/refused-urls.ts'

const strict = createAddressGuard([])
// Allowed by `npm start`.
const local = createAddressGuard(['127.0.0.0/8', '::1/128'])

describe.each(Object.entries(REFUSED_URLS))('%s', (_what, texts) => {
  it.each(texts)('refuses %j with a sentence', (text) => {
    const reading = strict.checkUrl(text)
    expect(reading.ok).toBe(false)
    if (!reading.ok) expect(reading.reason).toMatch(/^[A-Z].{14,}\.$/)
  })
})

it.each([
  'https://crm.example.com/hook',
  'HTTPS://CRM.EXAMPLE.COM/hook',
  'https://crm.example.com./hook',
  'https://crm.example.com:443/hook?token=a%20b&x=[1]',
  'http://crm.example.com',
  'http://93.184.216.34:8080/x',
  'https://crm.example.com:8443/',
  'https://[2606:4700::1111]/',
  'https://[2606:4700::1111]:8443/',
  'https://xn--mnchen-3ya.example.com/',
  'https://münchen.example.com/',
  'https://hooks.example.co.uk/a@b',
  'https://localhost.example.com/',
  'https://internal.example.com/',
  'https://172.15.255.255/',
  'https://172.32.0.0/',
  'https://100.128.0.0/',
])('accepts %s', (text) => {
  expect(strict.checkUrl(text)).toMatchObject({ ok: true })
})

it.each([
  80, 443, 1024, 3000, 5000, 7001, 8000, 8008, 8080, 8081, 8088, 8090, 8123, 8443, 8888, 9000, 9090, 9443,
  10_000,
])('accepts port %i, where CRMs and web servers are', (port) => {
  expect(strict.checkUrl(`https://crm.example.com:${port}/`)).toMatchObject({ ok: true })
})

it('accepts every port that a machine assigns by itself', () => {
  const given = Array.from({ length: 65_536 - 32_768 }, (_, index) => 32_768 + index)
  expect(given.filter((port) => refusePort(port) !== undefined)).toEqual([])
})

it('accepts every port that our scripts choose for a receiver', () => {
  const { from, to } = FREE_PORTS
  const chosen = Array.from({ length: to - from }, (_, index) => from + index)
  expect(chosen.filter((port) => refusePort(port) !== undefined)).toEqual([])
})

describe('with loopback allowed, as with npm start', () => {
  it.each(
    hosts(
      '127.0.0.1:4010 127.1:4010 localhost:4010 LOCALHOST.:4010 crm.localhost:4010 [::1]:4010 [::ffff:127.0.0.1]',
    ),
  )('accepts %s', (text) => {
    expect(local.checkUrl(text)).toMatchObject({ ok: true })
  })

  it.each(
    hosts(`
      0.0.0.0 [::] 169.254.169.254 [::ffff:169.254.169.254] 10.0.0.1 192.168.1.1 172.16.0.1 [fd00::1]
      metadata.google.internal host.docker.internal intranet ip6-localhost printer.local [64:ff9b::7f00:1]
      127.0.0.1:6379 user@127.0.0.1`),
  )('still refuses %s', (text) => {
    expect(local.checkUrl(text)).toMatchObject({ ok: false })
  })
})

describe('with a private network allowed', () => {
  const office = createAddressGuard(['10.0.0.0/8'])

  it.each(hosts('10.1.2.3 crm crm.internal crm.lan'))('accepts %s', (text) => {
    expect(office.checkUrl(text)).toMatchObject({ ok: true })
  })

  it.each(hosts('192.168.0.1 127.0.0.1 localhost 169.254.169.254 crm.invalid'))(
    'still refuses %s',
    (text) => {
      expect(office.checkUrl(text)).toMatchObject({ ok: false })
    },
  )
})

it('localhost is accepted if an allowed network contains loopback', () => {
  expect(createAddressGuard(['0.0.0.0/0']).checkUrl('http://localhost:4010/')).toMatchObject({ ok: true })
})
