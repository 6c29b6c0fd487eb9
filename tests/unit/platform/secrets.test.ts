import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { SealError, createSecretBox } from '#core/secrets/secret-box.ts'

const box = createSecretBox(randomBytes(32).toString('base64'))

it.each(['whsec_abc', '', ' ', '{"Authorization":"Bearer Zoë 😀"}', 'v'.repeat(100_000)])(
  'opens a value that it sealed (%#)',
  (plain) => {
    expect(box.open(box.seal(plain))).toBe(plain)
  },
)

it('seals the same text differently each time, without a trace of it', () => {
  const sealed = Array.from({ length: 50 }, () => box.seal('whsec_the-same-secret'))
  expect(new Set(sealed).size).toBe(50)
  for (const text of sealed) {
    expect(text).toMatch(/^v1\.[A-Za-z0-9+/]+=*$/)
    expect(Buffer.from(text.slice(3), 'base64').includes('whsec')).toBe(false)
  }
})

it('refuses another key', () => {
  const other = createSecretBox(randomBytes(32).toString('base64'))
  expect(() => other.open(box.seal('whsec_abc'))).toThrow(SealError)
})

it('refuses a value with one flipped bit', () => {
  const bytes = Buffer.from(box.seal('secret').slice(3), 'base64')
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const damaged = Buffer.from(bytes)
    damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(() => box.open(`v1.${damaged.toString('base64')}`)).toThrow(SealError)
  }
})

it('refuses a value of any shorter length', () => {
  const bytes = Buffer.from(box.seal('').slice(3), 'base64')
  expect(bytes).toHaveLength(28)
  for (let length = 0; length < bytes.length; length += 1) {
    expect(() => box.open(`v1.${bytes.subarray(0, length).toString('base64')}`)).toThrow(SealError)
  }
})

it.each(['', 'v1', 'v1.', 'v2.AAAA', 'whsec_abc', '{}', 'v1.%%%%', 'v1.AAAA'])('refuses %j', (sealed) => {
  expect(() => box.open(sealed)).toThrow(SealError)
})

it('refuses a value with extra bytes', () => {
  const sealed = box.seal('secret')
  expect(() => box.open(`${sealed}.more`)).toThrow(SealError)
  expect(() => box.open(` ${sealed}`)).toThrow(SealError)
})

it('reveals nothing of the value when it fails', () => {
  const sealed = box.seal('whsec_abc')
  const other = createSecretBox(randomBytes(32).toString('base64'))
  expect(() => other.open(sealed)).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining(sealed) as string }),
  )
})
