import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatCents, parseCents } from '#core/domain/market/cents.ts'
import { findBreak, type ChainLink } from '#tests/support/given/check-chain.ts'

const CASES = { numRuns: 10_000 }
const amounts = fc.array(
  fc.integer({ min: -1_000_000, max: 1_000_000 }).filter((cents) => cents !== 0),
  {
    maxLength: 30,
  },
)

/** A slow, obvious ledger: whole cents of any size, and no debit above the balance. */
function keep(given: readonly number[]): { entries: ChainLink[]; balance: bigint } {
  const entries: ChainLink[] = []
  let balance = 0n
  for (const cents of given) {
    if (balance + BigInt(cents) < 0n) continue
    balance += BigInt(cents)
    entries.push({ amount: write(BigInt(cents)), balance_after: write(balance) })
  }
  return { entries, balance }
}

function write(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

// Ten thousand cases take a while on a busy machine.
describe('a ledger', { timeout: 180_000 }, () => {
  test('of any entries and refusals is sound, and ends at the sum of its amounts', () => {
    fc.assert(
      fc.property(amounts, (given) => {
        const { entries, balance } = keep(given)
        expect(findBreak(entries)).toBeUndefined()
        const sum = entries.reduce((total, { amount }) => total + (parseCents(amount) ?? Number.NaN), 0)
        expect(formatCents(sum)).toBe(write(balance))
        expect(entries.at(-1)?.balance_after ?? '0.00').toBe(write(balance))
      }),
      CASES,
    )
  })

  test('breaks where an entry was changed, removed or repeated', () => {
    fc.assert(
      fc.property(amounts, fc.nat(), fc.integer({ min: 1, max: 100_000 }), (given, where, cents) => {
        const { entries } = keep(given)
        fc.pre(entries.length > 1)
        const at = where % entries.length
        const link = entries[at] ?? { amount: '0.00', balance_after: '0.00' }
        const more = formatCents((parseCents(link.amount) ?? 0) + cents)
        expect(findBreak(entries.with(at, { ...link, amount: more }))).toBe(at)
        const fuller = formatCents((parseCents(link.balance_after) ?? 0) + cents)
        expect(findBreak(entries.with(at, { ...link, balance_after: fuller }))).toBe(at)
        expect(findBreak(entries.toSpliced(at, 0, link))).toBe(at + 1)
        if (at < entries.length - 1) expect(findBreak(entries.toSpliced(at, 1))).toBe(at)
      }),
      CASES,
    )
  })

  test('breaks where it was overdrawn', () => {
    expect(findBreak([{ amount: '-0.01', balance_after: '-0.01' }])).toBe(0)
    const debt = { amount: '-2.00', balance_after: '-2.00', entry_type: 'chargeback' }
    const paid = { amount: '1.00', balance_after: '-1.00' }
    expect(findBreak([debt, paid])).toBeUndefined()
    expect(findBreak([debt, paid, { amount: '-0.01', balance_after: '-1.01' }])).toBe(2)
  })
})

test('any number of cents is written and read back unchanged', () => {
  fc.assert(
    fc.property(fc.integer({ min: -999_999_999_999, max: 999_999_999_999 }), (cents) => {
      expect(formatCents(cents)).toBe(write(BigInt(cents)))
      expect(parseCents(formatCents(cents))).toBe(cents)
    }),
    CASES,
  )
})
