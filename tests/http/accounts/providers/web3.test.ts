import { generateKeyPairSync, sign } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { post, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer({ AUTH_WEB3_SOLANA: '1', AUTH_WEB3_ETHEREUM: '1' })
})
afterAll(() => server.close())

function makeSolanaWallet() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const address = base58.encode(key)
  return { key, address, sign: (bytes: Uint8Array) => new Uint8Array(sign(null, bytes, privateKey)) }
}

function makeEthereumWallet() {
  const secret = secp256k1.utils.randomSecretKey()
  const key = secp256k1.getPublicKey(secret, false)
  const address = `0x${Buffer.from(keccak_256(key.subarray(1)).subarray(-20)).toString('hex')}`
  const signText = (text: string) => {
    const plain = Buffer.from(text)
    const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${plain.length}`, 'latin1')
    const made = secp256k1.sign(keccak_256(Buffer.concat([prefix, plain])), secret, {
      prehash: false,
      format: 'recovered',
    })
    return `0x${Buffer.from(made.subarray(1)).toString('hex')}${((made[0] ?? 0) + 27).toString(16)}`
  }
  return { address, sign: signText }
}

const here = () => new URL(`${new URL(server.url).origin}/login`)

/** Writes the message that a wallet is asked to sign. */
function write(chain: 'Solana' | 'Ethereum', address: string, change: Record<string, string> = {}) {
  const fields = {
    URI: here().href,
    Version: '1',
    ...(chain === 'Ethereum' ? { 'Chain ID': '1' } : {}),
    'Issued At': new Date().toISOString(),
    ...change,
  }
  const { domain = here().host, ...others } = fields as Record<string, string>
  const lines = Object.entries(others).map(([key, value]) => `${key}: ${value}`)
  return [`${domain} wants you to sign in with your ${chain} account:`, address, '', ...lines].join('\n')
}

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const grant = (body: object) => post(server, '/token?grant_type=web3', body)
const refusal = (error_description: string) => ({
  status: 400,
  body: { error: 'invalid_grant', error_description },
})

describe('sign-in by a Solana wallet', () => {
  it('creates an account without an address, and uses it again', async () => {
    const wallet = makeSolanaWallet()
    const forClient = {
      publicKey: { toBase58: () => wallet.address },
      signMessage: (bytes: Uint8Array) => Promise.resolve(wallet.sign(bytes)),
    }
    const ask = (statement: string) =>
      server.newClient().signInWithWeb3({
        chain: 'solana',
        wallet: forClient,
        statement,
        options: { url: here().href },
      })
    const { data, error } = await ask('I accept the terms')
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ email: '', app_metadata: { provider: 'web3', providers: ['web3'] } })
    const [identity] = data.user?.identities ?? []
    expect(identity).toMatchObject({
      id: `web3:solana:${wallet.address}`,
      provider: 'web3',
      identity_data: {
        custom_claims: {
          address: wallet.address,
          chain: 'solana',
          domain: here().host,
          statement: 'I accept the terms',
        },
      },
    })
    expect((await ask('I still do')).data.user?.id).toBe(data.user?.id)
  })

  it('accepts the signature of a Ledger', async () => {
    const { address, key, sign: signBytes } = makeSolanaWallet()
    const message = write('Solana', address)
    const length = Buffer.alloc(2)
    length.writeUInt16LE(message.length)
    // By Solana's rule a message of several lines is not plain ASCII: format 1.
    const head = [
      Buffer.from('\xffsolana offchain\0', 'latin1'),
      Buffer.alloc(32),
      Buffer.from([1, 1]),
      key,
      length,
    ]
    const signature = Buffer.from(signBytes(Buffer.concat([...head, Buffer.from(message)])))
    expect((await grant({ chain: 'solana', message, signature: signature.toString('base64') })).status).toBe(
      200,
    )
  })

  it('refuses the signature of another wallet', async () => {
    const message = write('Solana', makeSolanaWallet().address)
    const signature = Buffer.from(makeSolanaWallet().sign(Buffer.from(message))).toString('base64url')
    const answer = await grant({ chain: 'solana', message, signature })
    expect(answer).toMatchObject(refusal('Signature does not match address in message'))
  })
})

describe('sign-in by an Ethereum wallet', () => {
  it('creates an account with the client library', async () => {
    const wallet = makeEthereumWallet()
    const forClient = {
      request: ({ method, params }: { method: string; params?: unknown[] }) => {
        if (method === 'eth_requestAccounts') return Promise.resolve([wallet.address])
        if (method === 'eth_chainId') return Promise.resolve('0x1')
        const text = Buffer.from(String(params?.[0]).slice(2), 'hex').toString('utf8')
        return Promise.resolve(wallet.sign(text))
      },
    }
    const { data, error } = await server.newClient().signInWithWeb3({
      chain: 'ethereum',
      wallet: forClient as never,
      options: { url: here().href },
    })
    expect(error).toBeNull()
    expect(data.user?.identities).toMatchObject([{ id: `web3:ethereum:${wallet.address}`, provider: 'web3' }])
  })

  it('accepts a message once, even ten times at once and in either form of its signature', async () => {
    const wallet = makeEthereumWallet()
    const message = write('Ethereum', wallet.address)
    const signature = wallet.sign(message)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => grant({ chain: 'ethereum', message, signature })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const again = refusal('Signed message has already been used')
    expect(await grant({ chain: 'ethereum', message, signature })).toMatchObject(again)
    const s = BigInt(`0x${signature.slice(66, 130)}`)
    const other = (secp256k1.Point.Fn.ORDER - s).toString(16).padStart(64, '0')
    const v = signature.endsWith('1b') ? '1c' : '1b'
    const twin = `${signature.slice(0, 66)}${other}${v}`
    expect((await grant({ chain: 'ethereum', message, signature: twin })).status).toBe(400)
    const upper = `0x${signature.slice(2).toUpperCase()}`
    expect(await grant({ chain: 'ethereum', message, signature: upper })).toMatchObject(again)
  })

  it.each([
    ['an hour old', { 'Issued At': inMinutes(-60) }, 'Signed message was issued too long ago'],
    ['of the future', { 'Issued At': inMinutes(60) }, 'Signed message was issued too far in the future'],
    ['expired', { 'Expiration Time': inMinutes(-1) }, 'Signed message has expired'],
    ['too early', { 'Not Before': inMinutes(5) }, 'Signed message cannot be used before its Not Before time'],
    [
      'for another site',
      { URI: 'https://evil.example.com/', domain: 'evil.example.com' },
      'Signed message is using URI which is not allowed on this server',
    ],
    [
      'for another domain',
      { domain: 'evil.example.com' },
      'Signed message is using a domain that does not match its URI',
    ],
    ['without TLS', { URI: 'http://evil.example.com/' }, 'Signed message must use a secure URI'],
  ])('refuses a message that is %s', async (_name, change, message) => {
    const wallet = makeEthereumWallet()
    const text = write('Ethereum', wallet.address, change)
    const answer = await grant({ chain: 'ethereum', message: text, signature: wallet.sign(text) })
    expect(answer).toMatchObject(refusal(message))
  })

  it('refuses a changed message and every malformed signature', async () => {
    const wallet = makeEthereumWallet()
    const message = write('Ethereum', wallet.address)
    const signature = wallet.sign(message)
    const mismatch = refusal('Signature does not match address in message')
    const changed = message.replace('Chain ID: 1', 'Chain ID: 5')
    expect(await grant({ chain: 'ethereum', message: changed, signature })).toMatchObject(mismatch)
    for (const bad of [
      '',
      '0x',
      `0x${'0'.repeat(130)}`,
      `0x${'f'.repeat(130)}`,
      `${signature.slice(0, -2)}63`,
    ])
      expect(await grant({ chain: 'ethereum', message, signature: bad })).toMatchObject(mismatch)
  })
})

describe('web3 sign-in', () => {
  it('refuses an invalid message', async () => {
    expect(await grant({ chain: 'solana', message: 'x', signature: '' })).toMatchObject({
      status: 400,
      body: { error_code: 'validation_failed', msg: 'siws: message must be 64 to 20480 characters long' },
    })
    expect(await grant({ chain: 'dogecoin' })).toMatchObject({
      status: 400,
      body: { error_code: 'web3_unsupported_chain', msg: 'Unsupported chain' },
    })
  })

  it('is off until configured', async () => {
    const [off, half] = [await startAuthServer(), await startAuthServer({ AUTH_WEB3_SOLANA: '1' })]
    try {
      const ask = (at: AuthServer, chain: string) => post(at, '/token?grant_type=web3', { chain })
      expect(await ask(off, 'solana')).toMatchObject({
        status: 422,
        body: { error_code: 'web3_provider_disabled', msg: 'Web3 provider is disabled' },
      })
      expect(await ask(half, 'ethereum')).toMatchObject({
        status: 422,
        body: { error_code: 'web3_provider_disabled', msg: 'Ethereum Web3 provider is disabled' },
      })
    } finally {
      await Promise.all([off.close(), half.close()])
    }
  })
})
