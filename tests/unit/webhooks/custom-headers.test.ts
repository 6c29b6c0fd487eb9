import { describe, expect, it } from 'vitest'
import { checkCustomHeaders, maskHeaders } from '#core/domain/webhooks/custom-headers.ts'

const faults = (headers: Record<string, string>): string[] =>
  checkCustomHeaders(headers).map(({ path }) => path)

describe('checkCustomHeaders', () => {
  it.each([
    ['Authorization', 'Bearer abc'],
    ['X-Api-Key', ''],
    ['x-tab', 'a\tb'],
    ['X-Latin', 'Müller £'],
    ['Cookie', 'a=b; c=d'],
    ['User-Agent', 'Mine/1'],
    ['Accept', 'application/json'],
    ["!#$%&'*+-.^_`|~09aZ", 'every character of a token'],
    ['X-Webhook-Id', 'close to ours, yet free'],
    ['constructor', 'a name like any other'],
    ['X-Long', 'v'.repeat(4096)],
    ['n'.repeat(128), 'v'],
  ])('accepts %j: %j', (name, value) => {
    expect(checkCustomHeaders(Object.fromEntries([[name, value]]))).toEqual([])
  })

  it.each([
    'Host',
    'CONTENT-LENGTH',
    'Content-Type',
    'content-encoding',
    'Transfer-Encoding',
    'Connection',
    'Keep-Alive',
    'TE',
    'Trailer',
    'Upgrade',
    'Expect',
    'Accept-Encoding',
    'Webhook-Id',
    'webhook-timestamp',
    'WEBHOOK-SIGNATURE',
    'Leadwire-Event',
    'leadwire-anything',
    'Proxy-Authorization',
    'Proxy-Connection',
    'Sec-Fetch-Mode',
  ])('refuses %s, which the client may not set', (name) => {
    expect(checkCustomHeaders({ [name]: 'x' })).toEqual([
      { path: `custom_headers.${name}`, message: 'Leadwire sets this header itself' },
    ])
  })

  it.each([
    '',
    ' ',
    'X Key',
    'X-Key ',
    'X:Key',
    'X-Key\r\n',
    'X\0',
    'Schlüssel',
    'X(1)',
    'a@b',
    '😀',
    'n'.repeat(129),
  ])('refuses the name %j', (name) => {
    expect(checkCustomHeaders({ [name]: 'x' })).toMatchObject([
      { message: 'This is not a valid header name' },
    ])
  })

  it.each([
    'a\r\nX-Evil: 1',
    'a\n',
    '\r',
    'a\0b',
    '\u007f',
    '\u001b[31m',
    'Łódź',
    '“quoted”',
    '😀',
    '\ud800',
    '\u2028',
  ])('refuses the value %j', (value) => {
    const errors = checkCustomHeaders({ 'X-Key': value })
    expect(errors).toEqual([
      { path: 'custom_headers.X-Key', message: 'The value must be one line of Latin-1 characters' },
    ])
  })

  it('refuses values of more than 16,384 characters in total', () => {
    const headers = (last: number) => ({
      ...Object.fromEntries(Array.from({ length: 4 }, (_value, index) => [`X-${index}`, 'v'.repeat(4000)])),
      'X-Last': 'v'.repeat(last),
    })
    expect(checkCustomHeaders(headers(384))).toEqual([])
    expect(checkCustomHeaders(headers(385))).toEqual([
      { path: 'custom_headers', message: 'All values together are too long (at most 16,384 characters)' },
    ])
  })

  it('refuses a value above 4,096 characters and more than 30 headers', () => {
    expect(faults({ 'X-Key': 'v'.repeat(4097) })).toEqual(['custom_headers.X-Key'])
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${index}`, 'v']))
    expect(faults(many(30))).toEqual([])
    expect(faults(many(31))).toEqual(['custom_headers'])
    // Too many headers are one fault; their single faults are not listed.
    expect(faults({ ...many(60_000), 'no token': 'v', Host: 'v' })).toEqual(['custom_headers'])
  })

  it('reports the second of two headers whose names differ only by case', () => {
    expect(checkCustomHeaders({ 'X-Key': 'a', 'x-KEY': 'b' })).toEqual([
      { path: 'custom_headers.x-KEY', message: 'This header is given twice' },
    ])
  })

  it('lists every fault at once and quotes no value', () => {
    const errors = checkCustomHeaders({
      Host: 'secret-1',
      'a b': 'secret-2',
      'X-Key': 'secret-3\n',
      Ok: 'secret-4',
    })
    expect(errors.map(({ path }) => path)).toEqual([
      'custom_headers.Host',
      'custom_headers.a b',
      'custom_headers.X-Key',
    ])
    expect(JSON.stringify(errors)).not.toContain('secret')
  })
})

describe('maskHeaders', () => {
  it('hides every value except ours, and shows the scheme and the end of long ones', () => {
    const masked = maskHeaders({
      'content-type': 'application/json',
      'Webhook-Signature': 'v1,abc',
      Authorization: 'Bearer 0123456789abcdef01234567',
      'X-Api-Key': 'twelve-chars',
      'X-Empty': '',
    })
    expect(masked).toEqual({
      'content-type': 'application/json',
      'Webhook-Signature': 'v1,abc',
      Authorization: 'Bearer ••••4567',
      'X-Api-Key': '••••',
      'X-Empty': '••••',
    })
  })
})
