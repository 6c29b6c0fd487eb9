import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redactExchange, type Exchange } from '#core/domain/webhooks/answer/redact-exchange.ts'
import { redactJson, redactPairs, redactUrl } from '#core/domain/webhooks/answer/redact-text.ts'
import { startThreadClock } from '#tests/support/thread-time.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Returns the bytes of the heap that are in use. */
function held(): number {
  collect()
  return process.memoryUsage().heapUsed
}

describe('JSON text', () => {
  test.each([
    ['{"authToken":"abc123"}', '{"authToken":"••••"}'],
    ['{ "account": { "sid" : "AC1" , "n": 1.10 } }', '{ "account": { "sid" : "••••" , "n": 1.10 } }'],
    ['{"api_key":12345,"name":"Rosa"}', '{"api_key":"••••","name":"Rosa"}'],
    ['{"credentials":{"user":"u","list":[1,"}"]},"a":1}', '{"credentials":"••••","a":1}'],
    ['{"tokens":["a","b"],"x":"y"}', '{"tokens":"••••","x":"y"}'],
    ['{"pass\\u0077ord":"x y"}', '{"pass\\u0077ord":"••••"}'],
    ['{"password":"with \\"quote\\" and \\\\"}', '{"password":"••••"}'],
    ['{"password":"cut off he', '{"password":"••••"'],
    ['{"note":"sk_live_0123456789abcdef"}', '{"note":"••••"}'],
    ['["Bearer eyJhbGciOi.eyJzdWIi.sig"]', '["••••"]'],
  ])('%s becomes %s', (text, redacted) => {
    expect(redactJson(text)).toBe(redacted)
  })

  test.each([
    '{"name":"Rosa","comments":"Basic cover, key-person insurance","key":"zip","design":"inside"}',
    '{"password":null,"token":"","secret":{},"has_token":true}',
    '{"xxTrustedFormToken":"https://cert.trustedform.com/0123456789abcdef"}',
    '{"deal_size":1.10,"big":12345678901234567890,  "e":1e5}',
    'not JSON at all: "',
    '',
    '"',
    '{"a":"\\\\"}',
  ])('%s stays as it is', (text) => {
    expect(redactJson(text)).toBe(text)
  })

  test('long names from an endpoint are not remembered', () => {
    const before = held()
    for (let index = 0; index < 4000; index += 1) redactJson(`{"${index}${'x'.repeat(2000)}":1}`)
    expect(held() - before).toBeLessThan(4 * 2 ** 20)
  })

  test('a large text of quotes and slashes is read quickly', () => {
    const threadMs = startThreadClock()
    redactJson(`{"a":"${'\\\\"'.repeat(20_000)}`)
    redactJson('"'.repeat(40_000))
    redactJson('{"token":['.repeat(5000))
    expect(threadMs()).toBeLessThan(1000)
  })
})

test('form pairs with sensitive names lose their values and keep their encoding', () => {
  expect(redactPairs('name=Rosa%20M&api%5Fkey=abc&a=1&a=2&token=&flag')).toBe(
    'name=Rosa%20M&api%5Fkey=••••&a=1&a=2&token=&flag',
  )
})

test.each([
  ['https://crm.example.com/in?key=abc&list=7', 'https://crm.example.com/in?key=••••&list=7'],
  ['https://crm.example.com/in?list=7#part', 'https://crm.example.com/in?list=7#part'],
  ['https://u:p@crm.example.com/in', 'https://••••@crm.example.com/in'],
])('the URL %s becomes %s', (url, redacted) => {
  expect(redactUrl(url)).toBe(redacted)
})

describe('an exchange', () => {
  const exchange: Exchange = {
    url: 'https://crm.example.com/in?token=query-secret-1',
    requestHeaders: {
      'content-type': 'application/json',
      Authorization: 'Bearer header-secret-1',
      'webhook-id': 'event-1',
    },
    requestBody: '{"name":"Rosa Example","login":{"password":"template-secret"}}',
    responseHeaders: { 'set-cookie': 'session=abc', 'x-echo': 'query-secret-1', server: 'crm' },
    responseBody: 'No access for header-secret-1 (query-secret-1); Rosa Example was not stored',
    message: '401: No access for header-secret-1',
  }

  test('keeps the lead and hides every secret, even if the endpoint repeats one', () => {
    const kept = redactExchange(exchange)
    const all = JSON.stringify(kept)

    for (const secret of ['query-secret-1', 'header-secret-1', 'template-secret', 'session=abc'])
      expect(all).not.toContain(secret)
    expect(kept.requestBody).toBe('{"name":"Rosa Example","login":{"password":"••••"}}')
    expect(kept.responseBody).toBe('No access for •••• (••••); Rosa Example was not stored')
    expect(kept.requestHeaders['webhook-id']).toBe('event-1')
    expect(kept.responseHeaders?.['server']).toBe('crm')
  })

  test('is not changed itself: the exact bytes are sent', () => {
    const before = structuredClone(exchange)
    redactExchange(exchange)
    expect(exchange).toEqual(before)
  })

  test.each([
    ['a password', `Basic ${btoa('leadwire:password-one')}`, 'password-one'],
    ['a password in UTF-8', 'Basic bGVhZHdpcmU6cMOkc3N3b3JkLW9uZQ==', 'pässword-one'],
    ['a token', 'Bearer token-0123', 'token-0123'],
  ])('does not keep %s that the endpoint quotes', (_what, authorization, secret) => {
    const echoed = {
      ...exchange,
      requestHeaders: { authorization },
      responseBody: `No entry with ${secret}.`,
    }
    expect(redactExchange(echoed).responseBody).toBe('No entry with ••••.')
  })

  const key = 'q9X/f7Lr+aa83hZ/Kk20TtVb=='
  test.each([
    ['JSON', `{"message":"Bad key ${key.replaceAll('/', String.raw`\/`)}"}`, '{"message":"Bad key ••••"}'],
    ['codes of JSON', String.raw`Bad key q9X\u002ff7Lr\u002Baa83hZ/Kk20TtVb\u003d=`, 'Bad key ••••'],
    ['an address', `/retry?k=${encodeURIComponent(key)}&n=1`, '/retry?k=••••&n=1'],
    ['an address in lower case', '/retry?k=q9X/f7Lr%2baa83hZ%2fKk20TtVb%3d%3d&n=1', '/retry?k=••••&n=1'],
    ['HTML', `<b>Bad key ${key.replaceAll('/', '&#x2F;').replace('+', '&#43;')}</b>`, '<b>Bad key ••••</b>'],
  ])('does not keep a key that the endpoint quotes as %s writes it', (_what, said, kept) => {
    const quoted = redactExchange({
      ...exchange,
      requestHeaders: { 'x-api-key': key },
      responseHeaders: { location: said, server: 'crm' },
      responseBody: said,
      message: said,
    })
    expect(quoted.responseBody).toBe(kept)
    expect(quoted.responseHeaders).toEqual({ location: kept, server: 'crm' })
    expect(quoted.message).toBe(kept)
  })

  test.each([
    ['its quotes and slashes in JSON', String.raw`pa"ss\word/1`, String.raw`pa\"ss\\word\/1`],
    ['its other letters in JSON', 'pässword-one', String.raw`p\u00e4ssword-one`],
    ['its other letters in an address', 'pässword-one', 'p%C3%A4ssword-one'],
    ['its quotes in HTML', `pass'word"&<1>`, 'pass&#39;word&quot;&amp;&lt;1&gt;'],
    ['its spaces in an address', 'pass word one', 'pass%20word%20one'],
  ])('does not keep a password that comes back with %s', (_what, password, said) => {
    const bytes = String.fromCharCode(...new TextEncoder().encode(`leadwire:${password}`))
    const requestHeaders = { authorization: `Basic ${btoa(bytes)}` }
    expect(redactExchange({ ...exchange, requestHeaders, responseBody: `(${said})` }).responseBody).toBe(
      '(••••)',
    )
  })

  test.each(['se/cr+et 12345', 'se%2Fcr%2Bet+12345', 'se%2fcr%2bet%2012345', String.raw`se\/cr+et 12345`])(
    "does not keep a query's credential that comes back as %s",
    (said) => {
      const url = 'https://crm.example.com/in?token=se%2Fcr%2Bet+12345'
      const quoted = redactExchange({
        ...exchange,
        url,
        requestHeaders: {},
        responseBody: `Unknown: ${said}.`,
      })
      expect(quoted.responseBody).toBe('Unknown: ••••.')
    },
  )

  const coded = 'q9X/f7Lr+aa83hZ=='
  test.each([
    ['an address within an address', encodeURIComponent(encodeURIComponent(coded))],
    ['JSON within JSON', JSON.stringify(JSON.stringify(coded).replaceAll('/', String.raw`\/`)).slice(1, -1)],
    ['names of HTML', coded.replaceAll('/', '&sol;').replaceAll('+', '&plus;').replaceAll('=', '&equals;')],
    ['JavaScript', coded.replaceAll('/', String.raw`\x2F`)],
  ])('does not keep a key that is written as in %s', (_what, said) => {
    const requestHeaders = { 'X-Api-Key': coded }
    const { responseBody } = redactExchange({ ...exchange, requestHeaders, responseBody: `(${said})` })
    expect(responseBody).not.toMatch(/q9X|f7Lr|aa83hZ/)
  })

  test('does not keep a password with a space that a form writes', () => {
    const requestHeaders = { authorization: `Basic ${btoa('me:correct horse battery')}` }
    const responseBody = 'Unknown: correct+horse+battery.'
    expect(redactExchange({ ...exchange, requestHeaders, responseBody }).responseBody).toBe('Unknown: ••••.')
  })

  test('does not keep a key of any characters, however JSON, an address or HTML writes them', () => {
    const code = (character: string): string => character.charCodeAt(0).toString(16).padStart(4, '0')
    const json = (text: string): string => JSON.stringify(text).slice(1, -1)
    const writers: Array<(text: string) => string> = [
      (text) => text,
      json,
      (text) => json(text).replaceAll('/', String.raw`\/`),
      (text) => json(text).replaceAll(/[+&'<>=]/g, (one) => `\\u${code(one)}`),
      encodeURIComponent,
      (text) => encodeURIComponent(text).toLowerCase().replaceAll('z', 'Z'),
      (text) => text.replaceAll(/[\\&<>"'/=]/g, (one) => `&#${one.charCodeAt(0)};`),
    ]
    const characters = fc.constantFrom(...Array.from('aZ9/+=-"\\\'<>&%ä'))
    fc.assert(
      fc.property(
        fc.string({ unit: characters, minLength: 16, maxLength: 100 }),
        fc.constantFrom(...writers),
        (given, write) => {
          const requestHeaders = { 'x-api-key': given }
          const { message } = redactExchange({ ...exchange, requestHeaders, message: `|${write(given)}|` })
          expect(message).toBe('|••••|')
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('keeps every other escape, and hides nothing for a credential that has hardly any letters', () => {
    const said = String.raw`{"a":"\/ \u00e4 \u000a &amp; %2F%2F%2F %0A %zz %ff /// "}`
    const url = 'https://crm.example.com/in?token=%2F%2F%2F'
    const requestHeaders = { 'x-api-key': key }
    expect(redactExchange({ ...exchange, url, requestHeaders, responseBody: said }).responseBody).toBe(
      said.replace('%2F%2F%2F', '••••'),
    )
  })

  test('is kept if a header only looks like a password', () => {
    const requestHeaders = { authorization: 'Basic ====', 'x-plan': 'Basic A' }
    expect(() => redactExchange({ ...exchange, requestHeaders })).not.toThrow()
  })

  test('with a form hides its sensitive pairs', () => {
    const requestHeaders = { 'content-type': 'application/x-www-form-urlencoded' }
    const form = { ...exchange, requestHeaders, requestBody: 'name=Rosa&api_key=abc' }
    expect(redactExchange(form).requestBody).toBe('name=Rosa&api_key=••••')
  })

  const longKey = (end: string): string => `${'key-'.repeat(30)}${end}`
  test.each([
    ['that is cut off', [longKey('whole')], longKey('who'), '••••'],
    [
      'and the one that begins like it',
      [longKey('1'), longKey('22')],
      `${longKey('22')} ${longKey('1')}`,
      '•••• ••••',
    ],
    [
      'within another that is longer',
      ['0123456789', `before ${longKey('')}0123456789`],
      `before ${longKey('')}0123456789`,
      '••••',
    ],
    ['that another runs into', ['abcdefghij', 'ghijklmnop'], 'abcdefghijklmnop', '••••'],
    [
      'that begins inside of a part of itself',
      [`${'-'.repeat(70)}SECRET`],
      `${'-'.repeat(71)}SECRET`,
      '••••',
    ],
    ['that begins where a part of it ends', [`${longKey('')}k`], `${longKey('')}${longKey('')}k`, '••••'],
    ['twice, one behind the other', ['abcdefghij'], 'abcdefghijabcdefghij-', '••••-'],
    ['not even once', ['abcdefghij'], 'abcdefghi abcdefghi', 'abcdefghi abcdefghi'],
  ])('hides a secret %s', (_what, secrets, said, kept) => {
    const requestHeaders = Object.fromEntries(secrets.map((secret, index) => [`x-token-${index}`, secret]))
    expect(redactExchange({ ...exchange, requestHeaders, responseBody: said }).responseBody).toBe(kept)
    expect(redactExchange({ ...exchange, requestHeaders, message: said }).message).toBe(kept)
    expect(
      redactExchange({
        ...exchange,
        requestHeaders,
        responseHeaders: { 'x-before': 'yes', 'x-said': `it was ${said}`, server: 'crm' },
      }).responseHeaders,
    ).toEqual({ 'x-before': 'yes', 'x-said': `it was ${kept}`, server: 'crm' })
  })

  test('is redacted quickly with thirty credentials that nearly match at each position', () => {
    const long = 'a'.repeat(2000)
    const requestHeaders = Object.fromEntries(
      Array.from({ length: 30 }, (_header, index) => [`x-token-${index}`, `${long}${index}${long}`]),
    )
    const threadMs = startThreadClock()
    const said = 'a'.repeat(16_384)
    const kept = redactExchange({
      ...exchange,
      requestHeaders,
      requestBody: `"${said}${said}"`,
      responseBody: said,
    })

    // A slow implementation takes more than a second.
    expect(threadMs()).toBeLessThan(250)
    expect(kept.responseBody).toBe('••••')
  })
})
