import { createPublicKey, verify } from 'node:crypto'
import type { Web3Chain } from './parse-message.ts'

/**
 * Whether the owner of the address signed the text; false for a malformed signature. The libraries are loaded
 * with the first use.
 */
export async function isSignedBy(
  chain: Web3Chain,
  address: string,
  signed: { text: string; signature: string },
): Promise<boolean> {
  return await (chain === 'solana' ? isSignedBySolana(address, signed) : isSignedByEthereum(address, signed))
}

async function isSignedBySolana(
  address: string,
  { text, signature }: { text: string; signature: string },
): Promise<boolean> {
  if (!/^[\w+/-]{86}(==)?$/.test(signature)) return false
  const { base58 } = await import('@scure/base')
  const bytes = Buffer.from(signature, 'base64')
  const key = base58.decode(address)
  if (bytes.length !== 64 || key.length !== 32) return false
  const publicKey = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key).toString('base64url') },
    format: 'jwk',
  })
  const plain = Buffer.from(text)
  return [plain, ledgerEnvelope(plain, key)].some((message) => verify(null, message, publicKey, bytes))
}

/**
 * A Ledger does not sign bare text but Solana's off-chain message, version 0: domain, application, format,
 * signers, length.
 * https://docs.anza.xyz/proposals/off-chain-message-signing
 */
function ledgerEnvelope(text: Buffer, signer: Uint8Array): Buffer {
  const isAscii = /^[\x20-\x7e]*$/.test(text.toString('utf8'))
  const format = isAscii ? 0 : text.length <= 1212 ? 1 : 2
  const length = Buffer.alloc(2)
  length.writeUInt16LE(Math.min(text.length, 0xff_ff))
  return Buffer.concat([
    Buffer.from('\xffsolana offchain', 'latin1'),
    Buffer.from([0]),
    Buffer.alloc(32),
    Buffer.from([format, 1]),
    signer,
    length,
    text,
  ])
}

/** EIP-191 personal_sign: recovers the key from the signature and compares its address. */
async function isSignedByEthereum(
  address: string,
  { text, signature }: { text: string; signature: string },
): Promise<boolean> {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return false
  const { keccak_256 } = await import('@noble/hashes/sha3.js')
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const v = bytes[64] ?? 0
  const recovery = v >= 27 ? v - 27 : v
  if (recovery !== 0 && recovery !== 1) return false
  const plain = Buffer.from(text)
  const digest = keccak_256(
    Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${plain.length}`, 'latin1'), plain]),
  )
  const key = await recoverKey(Buffer.concat([Buffer.from([recovery]), bytes.subarray(0, 64)]), digest)
  if (key === undefined) return false
  const made = Buffer.from(keccak_256(key.subarray(1)).subarray(-20)).toString('hex')
  return made === address.slice(2).toLowerCase()
}

async function recoverKey(signature: Uint8Array, digest: Uint8Array): Promise<Uint8Array | undefined> {
  const { secp256k1 } = await import('@noble/curves/secp256k1.js')
  try {
    const point = secp256k1.Signature.fromBytes(signature, 'recovered').recoverPublicKey(digest)
    return point.toBytes(false)
  } catch {
    // The numbers are outside the curve: no key made this signature.
    return undefined
  }
}
