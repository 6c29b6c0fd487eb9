import { describe, expect, it } from 'vitest'
import { formatMovement } from '#web/format/money.ts'
import { findAmountFault, readAmount } from '#web/market/billing/read-amount.ts'

describe('an amount that is typed', () => {
  it.each([
    ['250', '250.00'],
    [' $1,000 ', '1000.00'],
    ['10,000.5', '10000.50'],
    ['0.07', '0.07'],
  ])('%j is %s', (text, amount) => {
    expect(readAmount(text)).toBe(amount)
  })

  it.each(['', 'a lot', '-50', '25.001', '1e3', '1,00', '10.', '€50', '5 0', '1,000,00'])(
    '%j is refused',
    (text) => {
      expect(readAmount(text)).toBeUndefined()
      expect(findAmountFault(text, 50, 10_000)).toBe('Enter dollars, with at most two decimals')
    },
  )

  it.each([
    ['49.99', 'Must be at least $50'],
    ['50', undefined],
    ['10,000', undefined],
    ['10000.01', 'Must be at most $10,000'],
  ])('%j from $50 to $10,000: %s', (text, fault) => {
    expect(findAmountFault(text, 50, 10_000)).toBe(fault)
  })
})

it.each([
  ['-25.00', '−$25.00'],
  ['1000.00', '+$1,000.00'],
  ['0.00', '$0.00'],
])('a balance that changed by %s shows %s', (amount, text) => {
  expect(formatMovement(amount)).toBe(text)
})
