import { describe, expect, it } from 'vitest'
import { errors } from 'undici'
import { ERROR_CLASSES } from '#core/contract/webhooks/delivery.ts'
import { explainFailure } from '#core/endpoint/explain-failure.ts'
import { CertificateError } from '#core/endpoint/tls/certificate-error.ts'
import type { CertificateParts } from '#core/endpoint/tls/read-certificate.ts'
import { BlockedAddressError, BlockedPortError } from '#core/endpoint/guard-address.ts'

const coded = (code: string, message = 'boom'): Error => Object.assign(new Error(message), { code })
const explain = (error: unknown, answered = false) => explainFailure(error, 15_000, answered)

it('reports an open connection that fails as broken, even if our memory ran out: the request may have been read', () => {
  const failed = (syscall: string) => Object.assign(coded('ENOBUFS'), { syscall })
  expect(explain(failed('connect')).errorClass).toBe('internal_error')
  expect([explain(failed('write')).errorClass, explain(failed('read'), true).errorClass]).toEqual([
    'reset',
    'reset',
  ])
})

it('distinguishes a name without an address from a missing name, although both have the same code', () => {
  const failure = (errno: number) =>
    Object.assign(new Error('getaddrinfo ENOTFOUND crm.example.com'), { code: 'ENOTFOUND', errno })
  expect(explainFailure(failure(-3007), 15_000, false).detail).toBe(
    'The host name has no address. Check Endpoint URL.',
  )
  expect(explainFailure(failure(-3008), 15_000, false).detail).toBe(
    'The host name does not exist. Check Endpoint URL.',
  )
})

it.each([
  ['ENOTFOUND', 'dns'],
  ['ENODATA', 'dns'],
  ['EAI_AGAIN', 'dns'],
  ['EMFILE', 'internal_error'],
  ['ENOBUFS', 'internal_error'],
  ['EAI_FAIL', 'dns'],
  ['EAI_NODATA', 'dns'],
  ['ECONNREFUSED', 'connect'],
  ['EHOSTUNREACH', 'connect'],
  ['ENETUNREACH', 'connect'],
  ['EHOSTDOWN', 'connect'],
  ['EADDRNOTAVAIL', 'connect'],
  ['EACCES', 'connect'],
  ['EPERM', 'connect'],
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['ERR_DEADLINE', 'timeout'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['CERT_NOT_YET_VALID', 'tls'],
  ['CERT_REVOKED', 'tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'tls'],
  ['EPROTO', 'tls'],
  ['ECONNRESET', 'reset'],
  ['EPIPE', 'reset'],
  ['UND_ERR_SOCKET', 'reset'],
  ['HPE_INVALID_CONSTANT', 'reset'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'reset'],
  ['UND_ERR_HEADERS_OVERFLOW', 'too_large'],
  ['HPE_HEADER_OVERFLOW', 'too_large'],
  ['ERR_BLOCKED_ADDRESS', 'blocked_address'],
  ['UND_ERR_INVALID_ARG', 'invalid_request'],
  ['ERR_INVALID_CHAR', 'invalid_request'],
  ['ERR_INTERRUPTED', 'reset'],
  ['SOMETHING_NEW', 'reset'],
])('explains %s as %s, in a sentence', (code, errorClass) => {
  const { detail, ...explanation } = explain(
    coded(code, 'connect 10.0.0.1 https://crm.example.com/?token=abc'),
  )
  expect(explanation).toEqual({ errorClass })
  expect(ERROR_CLASSES).toContain(errorClass)
  expect(detail).toMatch(/^[A-Z].{15,}\.$/)
  expect(detail).not.toMatch(/token|10\.0\.0\.1/)
})

describe('the error code', () => {
  it('is found inside the errors of undici and of parallel connection attempts', () => {
    const refused = coded('ECONNREFUSED')
    expect(explain(new AggregateError([refused, coded('ENETUNREACH')], 'both families'))).toMatchObject({
      errorClass: 'connect',
    })
    expect(explain(new Error('fetch failed', { cause: refused }))).toMatchObject({ errorClass: 'connect' })
    expect(explain(new errors.SocketError('other side closed'))).toMatchObject({ errorClass: 'reset' })
    expect(explain(new errors.HTTPParserError('bad')).detail).toContain('not HTTP')
    expect(explain(new BlockedAddressError('10.0.0.1'))).toMatchObject({ errorClass: 'blocked_address' })
  })

  it('may be missing', () => {
    for (const nothing of [new Error('plain'), new AggregateError([], 'none'), 'text', undefined, null, 7]) {
      expect(explain(nothing)).toMatchObject({ errorClass: 'reset' })
    }
  })
})

it.each([
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'asks for a client certificate'],
  ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', 'may ask for a client certificate'],
  ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', 'has no certificate for this host name'],
  ['ERR_SSL_TLSV1_UNRECOGNIZED_NAME', 'has no certificate for this host name. Check Endpoint URL'],
  ['ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', 'may have no certificate for this host name'],
  ['ERR_SSL_TLSV1_ALERT_INSUFFICIENT_SECURITY', 'has no cipher with ECDHE or RSA'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'did not accept the client certificate'],
  // Go and Java report a missing certificate like this.
  ['ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', 'did not accept the client certificate, or asks for one'],
  ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED', 'did not accept the client certificate'],
])('explains %s: the endpoint %s', (code, words) => {
  expect(explain(coded(code))).toMatchObject({
    errorClass: 'tls',
    detail: expect.stringContaining(words) as string,
  })
})

it('reports a connection that breaks during the TLS handshake as a TLS fault', () => {
  const words = 'Client network socket disconnected before secure TLS connection was established'
  expect(explain(coded('ECONNRESET', words))).toMatchObject({ errorClass: 'tls' })
})

it('distinguishes an answer that broke off from no answer', () => {
  expect(explain(coded('ECONNRESET'), false).detail).toContain('without an answer')
  expect(explain(coded('ECONNRESET'), true).detail).toContain('before the end of its answer')
  expect(explain(coded('ERR_DEADLINE'), false).detail).toContain('did not answer within 15 s. Let it')
  expect(explain(coded('ERR_DEADLINE'), true).detail).toContain('did not finish its answer within 15 s.')
})

it.each([
  ['10.0.0.5', '10.0.0.5 is private, and'],
  ['192.168.1.1', '192.168.1.1 is private, and'],
  ['fd00::1', 'fd00::1 is private, and'],
  ['127.0.0.1', '127.0.0.1 is this machine itself (loopback), and'],
  ['::ffff:127.0.0.1', 'is this machine itself (loopback), and'],
  ['169.254.169.254', '169.254.169.254 is link-local, and'],
  ['100.64.0.1', 'carrier-grade NAT'],
  ['198.51.100.7', '198.51.100.7 is not on the public internet, and'],
  ['168.63.129.16', '168.63.129.16 is not on the public internet, and'],
])('explains why no connection is made to %s', (address, words) => {
  const { errorClass, detail } = explain(new BlockedAddressError(address))
  expect(errorClass).toBe('blocked_address')
  expect(detail).toContain(words)
})

it('explains why no connection is made to a port, and names the field', () => {
  const refused = new Error('connect', {
    cause: new BlockedPortError('Port 5900 cannot be used for webhooks.'),
  })
  expect(explain(refused)).toEqual({
    errorClass: 'blocked_address',
    detail: 'Port 5900 cannot be used for webhooks. Nothing was sent. Check the port in Endpoint URL.',
  })
})

describe('a certificate', () => {
  const now = new Date('2026-01-31T12:00:00Z')
  const say = (code: string, valid: CertificateParts) =>
    explainFailure(new CertificateError(code, valid), 15_000, false, now).detail

  it.each([
    ['Jan 31 11:59:30 2026 GMT', 'expired 1 minute ago'],
    ['Jan 31 11:00:00 2026 GMT', 'expired 1 hour ago'],
    ['Jan 28 11:00:00 2026 GMT', 'expired 3 days ago'],
    ['Jan  1 00:00:00 2030 GMT', 'one in its chain has expired'],
    ['nonsense', 'has expired, or one in its chain has'],
  ])('that was valid until %s is explained: %s', (until, words) => {
    expect(say('CERT_HAS_EXPIRED', { validToDate: new Date(until) })).toContain(words)
  })

  it.each([
    ['UNSPECIFIED', 'has a key that is too short'],
    ['CERT_REVOKED', 'is not trusted (CERT_REVOKED)'],
    ['PATH_LENGTH_EXCEEDED', 'is not trusted (PATH_LENGTH_EXCEEDED)'],
  ])('with another fault (%s) is named as the cause', (code, words) => {
    expect(explainFailure(new CertificateError(code, {}), 15_000, false, now)).toEqual({
      errorClass: 'tls',
      detail: expect.stringContaining(words) as string,
    })
  })

  it('is described with at most five of its host names, and only with valid ones', () => {
    const subjectAltName = [
      'DNS:a.example.com',
      'DNS:*.b.example.com',
      'DNS:"<script>"',
      'IP Address:192.0.2.1',
      'URI:https://example.com/?token',
      'DNS:c.example.com',
      'DNS:d.example.com',
      'DNS:e.example.com',
    ].join(', ')
    expect(say('ERR_TLS_CERT_ALTNAME_INVALID', { subjectAltName })).toContain(
      '(it names a.example.com, *.b.example.com, 192.0.2.1, c.example.com, d.example.com)',
    )
  })
})

it.each([
  ['ENOTFOUND', 'The host name of the token address does not exist. Check Token URL.'],
  [
    'ECONNREFUSED',
    'The token address refused the connection. Check that it runs, the port in Token URL, and that your firewall lets us in.',
  ],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    "TLS: the token address's certificate is for another host name. Put that name in Token URL, or get a certificate for this one.",
  ],
  [
    'HPE_INVALID',
    'The token address sent something that is not HTTP. Check the port in Token URL, and look into its log.',
  ],
])('describes another peer than the endpoint by its own name: %s', (code, sentence) => {
  const peer = {
    name: 'the token address',
    many: 'token addresses',
    host: 'The host name of the token address',
    field: 'Token URL',
  } as const
  expect(explainFailure(coded(code), 15_000, false, new Date(), peer).detail).toBe(sentence)
})
