import type { Random } from './random.ts'

/**
 * Object identifiers that change the kind of a key or signature: curves, kinds of keys, kinds of signatures.
 */
const IDENTIFIERS = [
  '2a8648ce3d030107', // P-256
  '2b81040022', // secp384r1
  '2b81040023', // secp521r1
  '2b8104000a', // secp256k1
  '2b2403030208010107', // brainpoolP256r1
  '2b240303020801010d', // brainpoolP512r1
  '2a811ccf5501822d', // SM2
  '2a8648ce3d0201', // id-ecPublicKey
  '2a864886f70d010101', // rsaEncryption
  '2a864886f70d01010a', // RSASSA-PSS
  '2a8648ce380401', // DSA
  '2b6570', // Ed25519
  '2b656e', // X25519
  '2a8648ce3d040302', // ecdsa-with-SHA256
  '608648016503040311', // ML-DSA-44
].map((hex) => Buffer.from(hex, 'hex'))

/** Tags of DER that may replace each other, validly or not. */
const TAGS = [
  0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0c, 0x13, 0x16, 0x17, 0x18, 0x1e, 0x30, 0x31, 0x82, 0x87, 0xa0,
]

/** Makes one to four random changes. @param spared no byte of this part is changed, if it is found */
export function mutate(der: Buffer, random: Random, spared?: Buffer): Buffer {
  let mutant = der
  for (let left = 1 + random.below(4); left > 0; left -= 1) {
    const changed = random.pick(CHANGES)(mutant, random)
    if (changed.length > 0 && (spared === undefined || changed.includes(spared))) mutant = changed
  }
  return mutant
}

type Change = (der: Buffer, random: Random) => Buffer

const flipBit: Change = (der, random) => {
  const copy = Buffer.from(der)
  const at = random.below(copy.length)
  copy.writeUInt8(copy.readUInt8(at) ^ (1 << random.below(8)), at)
  return copy
}
const setByte: Change = (der, random) => {
  const copy = Buffer.from(der)
  copy.writeUInt8(random.pick([0, 1, 0x7f, 0x80, 0x81, 0x82, 0x84, 0xff]), random.below(copy.length))
  return copy
}
const setTag: Change = (der, random) => {
  const copy = Buffer.from(der)
  const tags = [...copy.keys()].filter((at) => TAGS.includes(copy.readUInt8(at)))
  if (tags.length > 0) copy.writeUInt8(random.pick(TAGS), random.pick(tags))
  return copy
}
const cutOut: Change = (der, random) => {
  const at = random.below(der.length)
  return Buffer.concat([der.subarray(0, at), der.subarray(at + 1 + random.below(16))])
}
const putIn: Change = (der, random) => {
  const at = random.below(der.length)
  const from = random.below(der.length)
  return Buffer.concat([
    der.subarray(0, at),
    der.subarray(from, from + 1 + random.below(64)),
    der.subarray(at),
  ])
}
const cutOff: Change = (der, random) => der.subarray(0, 1 + random.below(der.length))
/** Swaps in another curve or kind of key; corrects the lengths around it if both are equally long. */
const swapIdentifier: Change = (der, random) => {
  const present = IDENTIFIERS.filter((identifier) => der.includes(identifier))
  if (present.length === 0) return der
  const old = random.pick(present)
  const at = der.indexOf(old)
  const mutant = Buffer.concat([der.subarray(0, at), random.pick(IDENTIFIERS), der.subarray(at + old.length)])
  mutant.writeUInt8(mutant.length - der.length + old.length, at - 1)
  return mutant
}

const CHANGES: readonly Change[] = [
  flipBit,
  flipBit,
  setByte,
  setByte,
  setTag,
  cutOut,
  putIn,
  cutOff,
  swapIdentifier,
  swapIdentifier,
]
