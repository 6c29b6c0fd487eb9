import { describe, expect, test } from 'vitest'
import { cutContacts, readContact } from '#core/domain/market/read-contact.ts'
import { createKeyring } from '#core/secrets/keyring.ts'
import { hashContact } from '#core/secrets/suppression-hash.ts'

describe('a contact', () => {
  test.each([
    ['(202) 555-0143', 'phone', '+12025550143'],
    ['+1 202 555 0143', 'phone', '+12025550143'],
    [' Jane.Doe@Example.COM ', 'email', 'jane.doe@example.com'],
  ])('%s is read in the same way as in a posted lead', (text, kind, value) => {
    expect(readContact(text)).toEqual({ ok: true, contact: { kind, value } })
  })

  test.each(['jane', '911', '1-800-555-0143', 'jane@', 'a b@example.com', '00000000000000000000'])(
    '%s is refused',
    (text) => {
      expect(readContact(text).ok).toBe(false)
    },
  )
})

test('a formula or an apostrophe that a spreadsheet puts around a contact is removed', () => {
  const pasted = `="2025550143"\n"=""2025550144"""\n'+12025550145,x`
  const values = cutContacts(pasted).map(({ value }) => value)
  expect(values).toEqual(['2025550143', '2025550144', '+12025550145', 'x'])
})

test('a pasted list is split into lines and cells, whatever program it was copied from', () => {
  expect(cutContacts('\uFEFF"a@example.com",2025550143\r\n\r\n;b@example.com\t\r c@example.com')).toEqual([
    { line: 1, value: 'a@example.com' },
    { line: 1, value: '2025550143' },
    { line: 3, value: 'b@example.com' },
    { line: 4, value: 'c@example.com' },
  ])
})

describe('an entry of the suppression list', () => {
  const key = createKeyring(Buffer.alloc(32, 1).toString('base64')).keysFor('suppressions')

  test('is a hash of 32 bytes that differs by key, by kind and by person', () => {
    const other = createKeyring(Buffer.alloc(32, 2).toString('base64')).keysFor('suppressions')
    const kept = [
      hashContact(key, 'phone', '+12025550143'),
      hashContact(key, 'phone', '+12025550144'),
      hashContact(key, 'email', '+12025550143'),
      hashContact(other, 'phone', '+12025550143'),
    ].flat()
    expect(new Set(kept.map((hash) => hash.toString('hex'))).size).toBe(4)
    expect(kept.map((hash) => hash.length)).toEqual([32, 32, 32, 32])
  })

  test('stays the same in every version', () => {
    expect(hashContact(key, 'phone', '+12025550143')[0]?.toString('hex')).toMatchInlineSnapshot(
      `"d2532bdd94eae9eff6257ee4cf99236a446cbbf95c4bb9109b76cafc4b536f2d"`,
    )
  })
})
