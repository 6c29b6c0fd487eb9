import { isDeepStrictEqual } from 'node:util'
import { decideLeads, type Decision, type OfferedLead } from '#core/domain/market/decide-leads.ts'
import { localMoment } from '#core/domain/market/local-moment.ts'
import { readTally } from '#core/domain/market/tally.ts'
import { failpoint } from '#core/failpoints.ts'
import type { Db } from '#core/data/database.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { lockCandidates, unlockCandidates } from '#core/data/market/sale/candidate-orders.ts'
import { lockLeadTypes } from '#core/data/market/sale/offered-leads.ts'
import {
  markOffersTaken,
  recordDecisions,
  recordSales,
  type Sale,
} from '#core/data/market/sale/record-decisions.ts'
import { lockOffered } from './lock-offered.ts'
import { readCandidates, type CandidateOrder, type Candidates } from './read-candidates.ts'

/** What the market needs beside its leads. */
export interface Market {
  db: Db
  /** of the suppression list */
  suppressionKey: Buffer
  /** for so long a lead that nobody wanted is offered again (LEAD_HOLD_HOURS) */
  holdHours: number
}

/** Leads that are decided together. */
export const MOST_LEADS = 200
/** Orders whose refusal is told by name; of the others only how many. */
const MOST_REFUSALS = 100
/** An order or a balance may change between being read and being locked; so often it is begun anew. */
const MOST_TRIES = 5

/**
 * Decides who gets these leads, and writes all of it, in one transaction (docs/product.md §10): the one way of every lead that is to be
 * sold. What is not to be sold any more, because somebody has it, say, is left as it is. Safe to run twice, and beside itself.
 * @param leadIds at most {@link MOST_LEADS}
 * @returns what was sold
 */
export async function assignLeads(market: Market, leadIds: readonly string[]): Promise<Sale[]> {
  return await repeatOnConflict(() => market.db.transaction().execute((trx) => assign(trx, market, leadIds)))
}

async function assign(trx: Db, market: Market, leadIds: readonly string[]): Promise<Sale[]> {
  const types = await lockLeadTypes(trx, leadIds)
  const leads = await lockOffered(trx, leadIds, types, market.suppressionKey)
  let sales: Sale[] = []
  if (leads.length > 0) {
    const decisions = await decideAndLock(trx, leads, types)
    sales = await recordSales(trx, decisions)
    await recordDecisions(trx, decisions, market.holdHours)
  }
  await markOffersTaken(trx, leadIds)
  await failpoint('before-assign')
  return sales
}

/**
 * Decides by what is read, locks what is to be sold to, and looks whether the same would be decided by what is locked. Not all is
 * locked from the start: that would be every order of the type, for each lead.
 */
async function decideAndLock(
  trx: Db,
  leads: readonly OfferedLead[],
  types: readonly string[],
): Promise<Decision<CandidateOrder>[]> {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const read = await readCandidates(trx, types)
    const first = decide(leads, read)
    const chosen = listChosen(first)
    if (chosen.length === 0) return first
    await lockCandidates(trx, chosen)
    const locked = await readCandidates(trx, types, chosen)
    if (isUnchanged(read, locked, chosen)) return first
    const decisions = decide(leads, putOver(read, locked, chosen))
    if (listChosen(decisions).every((id) => chosen.includes(id))) return decisions
    await unlockCandidates(trx)
  }
  throw new Error(`orders changed ${MOST_TRIES} times while leads were given to them`)
}

function isUnchanged(read: Candidates, locked: Candidates, chosen: readonly string[]): boolean {
  return chosen.every((id) => {
    const [before, now] = [read.orders.get(id), locked.orders.get(id)]
    return isDeepStrictEqual(before, now)
  })
}

/** What was read, but for these orders and their clients, which are locked by now. */
function putOver(read: Candidates, locked: Candidates, chosen: readonly string[]): Candidates {
  const accounts = new Map([...read.accounts, ...locked.accounts])
  const others = [...read.orders].filter(([id]) => !chosen.includes(id))
  return { at: read.at, orders: new Map([...others, ...locked.orders]), accounts }
}

/** What was read stays as it is: it may be asked again. */
function decide(
  leads: readonly OfferedLead[],
  { at, orders, accounts }: Candidates,
): Decision<CandidateOrder>[] {
  const own = new Map([...accounts].map(([id, account]) => [id, { ...account }]))
  const copies = [...orders.values()].map((order) => ({
    ...order,
    account: own.get(order.client_user_id) ?? order.account,
    // What is over is left behind once, not for each lead.
    tally: readTally(order.tally, localMoment(order.timezone, at)),
  }))
  const byType = Map.groupBy(copies, (order) => order.lead_type)
  return decideLeads(leads, (type) => byType.get(type) ?? [], at, MOST_REFUSALS)
}

function listChosen(decisions: readonly Decision<CandidateOrder>[]): string[] {
  return [...new Set(decisions.flatMap(({ choice }) => choice?.chosen?.order.id ?? []))]
}
