import type { PlaceholderValue } from '../placeholder-value.ts'
import { refuseFormat, type OpenFormat } from './format.ts'

const TWO_DIGITS = { minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: 'negative' } as const
const PLAIN = new Intl.NumberFormat('en-US', { ...TWO_DIGITS, useGrouping: false })
const DOLLARS = { style: 'currency', currency: 'USD', signDisplay: 'negative' } as const
const USD = new Intl.NumberFormat('en-US', DOLLARS)
const WHOLE = new Intl.NumberFormat('en-US', { ...DOLLARS, maximumFractionDigits: 0 })

const SHAPES = {
  usd: (amount: number) => USD.format(amount),
  plain: (amount: number) => PLAIN.format(amount),
  whole: (amount: number) => WHOLE.format(amount),
  cents: (amount: number) => Number(PLAIN.format(amount).replace('.', '')),
}
const AMOUNT = /^(-?)\$?(\d{1,3}(?:,\d{3})+|\d{1,13})(\.\d{1,9})?$/

const isShape = (name: string): name is keyof typeof SHAPES => Object.hasOwn(SHAPES, name)

/** `money` is $15,000.00; `money: plain` 15000.00, `money: whole` $15,000, `money: cents` the number 1500000. */
export const openMoney: OpenFormat = (shape = 'usd', kind) => {
  if (kind !== 'number' && kind !== 'any') return refuseFormat('money is for amounts')
  if (!isShape(shape))
    return refuseFormat(`There is no money shape "${shape}". There are ${Object.keys(SHAPES).join(', ')}`)
  const write = SHAPES[shape]
  return {
    ok: true,
    kind: shape === 'cents' ? 'number' : 'text',
    apply: (value) => {
      const amount = readAmount(value)
      return amount === undefined ? value : write(amount)
    },
  }
}

/** With more than 13 digits a double no longer holds the cents. */
function readAmount(value: PlaceholderValue): number | undefined {
  if (typeof value === 'number') return Math.abs(value) < 1e13 ? value : undefined
  if (typeof value !== 'string') return undefined
  const [, minus = '', whole = '', fraction = ''] = AMOUNT.exec(value.trim()) ?? []
  const amount = Number(`${minus}${whole.replaceAll(',', '')}${fraction}`)
  return whole === '' || Math.abs(amount) >= 1e13 ? undefined : amount
}
