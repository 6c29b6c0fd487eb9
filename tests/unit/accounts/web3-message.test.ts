import { describe, expect, it } from 'vitest'
import { parseMessage } from '#server/accounts/providers/web3/parse-message.ts'

const ADDRESS = `0x${'Ab'.repeat(20)}`
const HEADER = 'app.example.com wants you to sign in with your Ethereum account:'
const FIELDS = [
  'URI: https://app.example.com/login',
  'Version: 1',
  'Chain ID: 1',
  'Issued At: 2026-11-21T12:00:00.000Z',
]

function build(change: { header?: string; address?: string; between?: string[]; fields?: string[] } = {}) {
  const { header = HEADER, address = ADDRESS, between = [''], fields = FIELDS } = change
  return [header, address, ...between, ...fields].join('\n')
}

describe('a sign-in message of a wallet', () => {
  it('names the site, the wallet’s address and the time', () => {
    expect(parseMessage('ethereum', build())).toEqual({
      ok: true,
      message: {
        domain: 'app.example.com',
        address: ADDRESS,
        statement: undefined,
        uri: 'https://app.example.com/login',
        chainId: '1',
        nonce: undefined,
        issuedAt: new Date('2026-11-21T12:00:00Z'),
        expiresAt: undefined,
        notBefore: undefined,
      },
    })
  })

  it('may contain a statement, a nonce, times and resources', () => {
    const fields = [
      ...FIELDS,
      'Nonce: 12345678',
      'Expiration Time: 2026-11-21T13:00:00+01:00',
      'Not Before: 2026-11-21T11:00:00Z',
      'Request ID: 7',
      'Resources:',
      '- https://app.example.com/terms',
    ]
    const parsed = parseMessage('ethereum', build({ between: ['', 'URI: not a field here', ''], fields }))
    expect(parsed).toMatchObject({
      ok: true,
      message: {
        statement: 'URI: not a field here',
        nonce: '12345678',
        expiresAt: new Date('2026-11-21T12:00:00Z'),
        notBefore: new Date('2026-11-21T11:00:00Z'),
      },
    })
  })

  it('may have two empty lines in place of the statement', () => {
    expect(parseMessage('ethereum', build({ between: ['', ''] })).ok).toBe(true)
  })

  it('has an address and networks of Solana’s own format', () => {
    const solana = {
      header: 'app.example.com wants you to sign in with your Solana account:',
      address: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
    }
    const fields = FIELDS.filter((line) => !line.startsWith('Chain ID'))
    expect(parseMessage('solana', build({ ...solana, fields })).ok).toBe(true)
    expect(
      parseMessage('solana', build({ ...solana, fields: [...fields, 'Chain ID: solana:mainnet'] })).ok,
    ).toBe(true)
    expect(parseMessage('solana', build({ ...solana, fields: [...fields, 'Chain ID: 1'] })).ok).toBe(false)
    expect(parseMessage('ethereum', build({ ...solana, fields })).ok).toBe(false)
    expect(parseMessage('solana', build()).ok).toBe(false)
  })

  it.each([
    ['too short', 'x wants you', 'message must be 64 to 20480 characters long'],
    [
      'too long',
      build({ between: ['', 'x'.repeat(20_480), ''] }),
      'message must be 64 to 20480 characters long',
    ],
    ['of few lines', `${HEADER}\n${ADDRESS}\n\n`, 'message needs at least 6 lines'],
    [
      'with another header',
      build({ header: 'Please sign here, it is safe:' }),
      'first line is not a sign-in header',
    ],
    ['without an address', build({ address: '0x12' }), 'second line is not an address'],
    ['with text in the third line', build({ between: ['x'] }), 'third line must be empty'],
    ['of version 2', build({ fields: FIELDS.with(1, 'Version: 2') }), 'Version must be 1'],
    [
      'without a chain',
      build({ fields: FIELDS.toSpliced(2, 1, 'Nonce: 12345678') }),
      'Chain ID is not one of the chain',
    ],
    [
      'without a URI',
      build({ fields: FIELDS.toSpliced(0, 1, 'Nonce: 12345678') }),
      'URI is missing or not valid',
    ],
    ['without a time', build({ fields: FIELDS.with(3, 'Nonce: 12345678') }), 'Issued At is missing'],
    [
      'with a loose time',
      build({ fields: FIELDS.with(3, 'Issued At: yesterday') }),
      'a moment is not RFC 3339',
    ],
    ['with a key twice', build({ fields: [...FIELDS, 'Version: 1'] }), 'Version stands twice'],
    ['with an unknown key', build({ fields: [...FIELDS, 'Evil: 1'] }), 'a line is not a known field'],
    [
      'with bare text at its end',
      build({ fields: [...FIELDS, 'Resources:', 'evil'] }),
      'a resource is not valid',
    ],
  ])('is refused when it is %s', (_name, text, fault) => {
    expect(parseMessage('ethereum', text)).toEqual({ ok: false, fault })
  })
})
