import { describe, expect, it } from 'vitest'
import { EMAIL_WORDS, normaliseEmail, validateEmail } from '#core/domain/accounts/validate-email.ts'
import { startThreadClock } from '#tests/support/thread-time.ts'

const FORMAT = 'Invalid email format'
const CHARACTERS = 'Email contains invalid characters'

describe('validateEmail', () => {
  it.each([
    'buyer@example.com',
    "o'brien+leads@mail.example.co.uk",
    'a@b.co',
    `${'x'.repeat(64)}@example.com`,
  ])('accepts %s', (email) => {
    expect(validateEmail(email)).toEqual([])
  })

  it.each([
    ['', ['Email is required']],
    ['buyer', [FORMAT]],
    ['buyer@localhost', [FORMAT]],
    ['buyer@example..com', [FORMAT]],
    ['.buyer@example.com', [FORMAT]],
    ['buyer.@example.com', [FORMAT]],
    ['buyer@-example.com', [FORMAT]],
    ['bu yer@example.com', [CHARACTERS, FORMAT]],
    ['<b>@example.com', [CHARACTERS, FORMAT]],
    ['javascript:a@example.com', [CHARACTERS, FORMAT]],
    ['data:a@example.com', [CHARACTERS, FORMAT]],
    ['büyer@example.com', [CHARACTERS, FORMAT]],
    ['buyer\u0000@example.com', [CHARACTERS, FORMAT]],
    [`${'x'.repeat(243)}@example.com`, ['Email too long']],
  ])('reports for %j the fault that a person can act on first', (email, messages) => {
    expect(validateEmail(email).map((fault) => EMAIL_WORDS[fault])).toEqual(messages)
  })

  it('accepts 254 characters and no more', () => {
    expect(validateEmail(`${'x'.repeat(242)}@example.com`)).toEqual([])
  })

  it('judges a hostile address quickly', () => {
    const spent = startThreadClock()
    validateEmail(`a@${'a-'.repeat(50_000)}!`)
    validateEmail('.'.repeat(100_000))
    expect(spent()).toBeLessThan(500)
  })
})

it('an address is trimmed and lower-cased', () => {
  expect(normaliseEmail('  Buyer@Example.COM\n')).toBe('buyer@example.com')
})
