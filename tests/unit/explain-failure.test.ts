import { describe, expect, it } from 'vitest'
import { errors } from 'undici'
import { ERROR_CLASSES } from '#core/contract/delivery.ts'
import { explainFailure } from '#core/webhook/explain-failure.ts'
import { BlockedAddressError } from '#core/webhook/guard-address.ts'

const coded = (code: string, message = 'boom'): Error => Object.assign(new Error(message), { code })
const explain = (error: unknown, answered = false) => explainFailure(error, 15_000, answered)

it.each([
  ['ENOTFOUND', 'dns'],
  ['ENODATA', 'dns'],
  ['EAI_AGAIN', 'dns'],
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

describe('the code that tells', () => {
  it('is found under what undici and the race of address families wrap around it', () => {
    const refused = coded('ECONNREFUSED')
    expect(explain(new AggregateError([refused, coded('ENETUNREACH')], 'both families'))).toMatchObject({
      errorClass: 'connect',
    })
    expect(explain(new Error('fetch failed', { cause: refused }))).toMatchObject({ errorClass: 'connect' })
    expect(explain(new errors.SocketError('other side closed'))).toMatchObject({ errorClass: 'reset' })
    expect(explain(new errors.HTTPParserError('bad')).detail).toContain('not HTTP')
    expect(explain(new BlockedAddressError('10.0.0.1'))).toMatchObject({ errorClass: 'blocked_address' })
  })

  it('is not needed', () => {
    for (const nothing of [new Error('plain'), new AggregateError([], 'none'), 'text', undefined, null, 7]) {
      expect(explain(nothing)).toMatchObject({ errorClass: 'reset' })
    }
  })
})

it('tells an answer that broke off from none at all', () => {
  expect(explain(coded('ECONNRESET'), false).detail).toContain('without an answer')
  expect(explain(coded('ECONNRESET'), true).detail).toContain('before the end of its answer')
  expect(explain(coded('ERR_DEADLINE'), false).detail).toBe('Your endpoint did not answer within 15 s.')
  expect(explain(coded('ERR_DEADLINE'), true).detail).toBe(
    'Your endpoint did not finish its answer within 15 s.',
  )
})
