import { base58 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { isSignedBy } from '#server/accounts/providers/web3/verify-signature.ts'

describe('a wallet’s signature', () => {
  // EIP-191, from another implementation: the example of the web3.js documentation (eth.accounts.sign).
  const text = 'Some data'
  const address = '0x2c7536E3605D9C16a7a3D7b1898e529396a65c23'
  const signature =
    '0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c'

  it('of another implementation is accepted, with either form of its last byte', async () => {
    expect(await isSignedBy('ethereum', address, { text, signature })).toBe(true)
    expect(await isSignedBy('ethereum', address, { text, signature: `${signature.slice(0, -2)}01` })).toBe(
      true,
    )
    expect(await isSignedBy('ethereum', address, { text: 'Some date', signature })).toBe(false)
    expect(await isSignedBy('ethereum', `0x${'0'.repeat(40)}`, { text, signature })).toBe(false)
  })

  it('of Solana is judged false, without an error, for invalid keys and arbitrary bytes', async () => {
    const zeros = Buffer.alloc(64).toString('base64')
    const keys = [Buffer.alloc(32, 0xff), Buffer.alloc(32, 2), Buffer.alloc(31, 7), Buffer.alloc(33, 7)]
    for (const key of keys)
      expect(await isSignedBy('solana', base58.encode(key), { text: '\ud800\u0000', signature: zeros })).toBe(
        false,
      )
  })
})
