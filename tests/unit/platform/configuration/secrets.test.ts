import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { nameKey } from '#core/secrets/derived-keys.ts'
import { createKeyring, keptKeys } from '#core/secrets/keyring.ts'
import { createSecretBox, SealError, sealValue } from '#core/secrets/secret-box.ts'

const { open, seal } = createSecretBox(randomBytes(32).toString('base64'))
const box = { open, seal: (plain: string) => seal('mails.sealed_data', plain) }

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

describe('a ring of keys', () => {
  const [older, newer] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const [oldText, newText] = [older.toString('base64'), newer.toString('base64')]
  const row = (key: Buffer, fields = {}) => ({
    id: nameKey(key),
    is_first: false,
    kept: null,
    is_retired: false,
    ...fields,
  })
  /** The database's record after a rotation from the older key to the newer one. */
  const rotated = {
    proof: sealValue(newer, nameKey(newer), 'leadwire'),
    keys: [
      row(newer),
      row(older, {
        is_first: true,
        kept: sealValue(newer, nameKey(newer), keptKeys({ id: nameKey(older), bytes: older })),
      }),
    ],
  }

  it('seals with the key of the proof until the database names the newer one', () => {
    const ring = createKeyring(`${newText}, ${oldText}`)
    ring.apply({ proof: sealValue(older, undefined, 'leadwire'), keys: [] })
    const before = ring.secrets.seal('mails.sealed_data', 'mail')
    expect(createSecretBox(oldText).open(before)).toBe('mail')
    expect(before).toMatch(/^v1\./)

    ring.apply(rotated)
    const after = ring.secrets.seal('mails.sealed_data', 'mail')
    expect(after).toMatch(new RegExp(`^v2\\.${nameKey(newer)}\\.[A-Za-z0-9+/]+=*$`))
    expect([before, after].map((sealed) => ring.secrets.open(sealed))).toEqual(['mail', 'mail'])
  })

  it('opens a value only with the key that it names', () => {
    const ring = createKeyring(`${newText},${oldText}`)
    ring.apply(rotated)
    const body = sealValue(newer, undefined, 'secret').slice(3)
    expect(ring.secrets.open(`v2.${nameKey(newer)}.${body}`)).toBe('secret')
    expect(() => ring.secrets.open(`v2.${nameKey(older)}.${body}`)).toThrow(SealError)
    expect(() => ring.secrets.open(`v1.${body}`)).toThrow(SealError)
    expect(() => createKeyring(oldText).secrets.open(`v2.${nameKey(newer)}.${body}`)).toThrow(
      `needs the key ${nameKey(newer)}, which SECRETS_KEY lacks`,
    )
  })

  it('keeps its state if the key that seals is not in it', () => {
    const ring = createKeyring(oldText)
    expect(() => ring.apply(rotated)).toThrow(`sealed with the key ${nameKey(newer)}`)
    expect(ring.sealing).toEqual({ id: nameKey(older), isNamed: false })
  })

  it('makes hashes and links with the key that seals, and knows those of every key, also of a dropped one', () => {
    const before = createKeyring(oldText)
    for (const text of [`${newText},${oldText}`, newText]) {
      const ring = createKeyring(text)
      ring.apply(rotated)
      for (const purpose of ['suppressions', 'codes', 'unsubscribe'] as const) {
        const { current, all } = ring.keysFor(purpose)
        expect(current).toEqual(createKeyring(newText).keysFor(purpose).current)
        expect(all).toEqual([current, before.keysFor(purpose).current])
      }
    }
    const alone = createKeyring(newText)
    alone.apply(rotated)
    expect(alone.keysFor('posting_specs').all).toEqual([alone.keysFor('posting_specs').current])
  })
})
