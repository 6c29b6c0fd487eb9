import type { NotChosen } from '../orders/judge-order.ts'

/**
 * The reasons why orders did not get a lead, one letter each, because there is one for each order and lead. An order's
 * number gives its place: block `number / ORDERS_A_BLOCK`, and its letter there.
 */
export const LETTERS: Readonly<Record<NotChosen, string>> = {
  not_first: 'n',
  state: 'S',
  account_not_active: 'a',
  order_paused: 'p',
  not_started: 'b',
  ended: 'e',
  off_schedule: 'h',
  daily_cap: 'd',
  weekly_cap: 'w',
  monthly_cap: 'm',
  total_cap: 't',
  not_licensed: 'l',
  daily_budget: 'D',
  monthly_budget: 'M',
  funds: 'f',
  outside_area: 'z',
  age: 'y',
  age_unknown: 'u',
  source_excluded: 'x',
  too_old: 'o',
  sold_to_client_before: 'c',
  kept_from_client: 'k',
}
/** The letter of an order without a reason. */
export const NO_LETTER = '.'
export const ORDERS_A_BLOCK = 128

const NONE = NO_LETTER.charCodeAt(0)
const CODES = new Map(Object.entries(LETTERS).map(([reason, letter]) => [reason, letter.charCodeAt(0)]))
/** ASCII: one byte for each letter. */
const decoder = new TextDecoder('ascii')

export type Letters = Map<number, Uint8Array>

/** @param reason undefined for an order without a reason */
export function setLetter(letters: Letters, order: number, reason: NotChosen | undefined): void {
  const at = Math.floor(order / ORDERS_A_BLOCK)
  let block = letters.get(at)
  if (block === undefined) {
    block = new Uint8Array(ORDERS_A_BLOCK).fill(NONE)
    letters.set(at, block)
  }
  block[order % ORDERS_A_BLOCK] = reason === undefined ? NONE : (CODES.get(reason) ?? NONE)
}

/** Combines two texts; letters of `over` take precedence. */
export function overlayLetters(under: Letters, over: Letters | undefined): Letters {
  const both: Letters = new Map()
  for (const [at, block] of under) both.set(at, block.slice())
  for (const [at, block] of over ?? []) {
    const below = both.get(at)
    if (below === undefined) both.set(at, block.slice())
    else
      for (let place = 0; place < ORDERS_A_BLOCK; place += 1) {
        const code = block[place]
        if (code !== undefined && code !== NONE) below[place] = code
      }
  }
  return both
}

/** The letters by block; blocks without reasons are left out. */
export function spellLetters(letters: Letters): Record<string, string> {
  const told: Record<string, string> = {}
  for (const [at, block] of letters) {
    let end = block.length
    while (end > 0 && block[end - 1] === NONE) end -= 1
    if (end > 0) told[at] = decoder.decode(block.subarray(0, end))
  }
  return told
}
