import { sql, type Kysely } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'
import { plantBuyers, plantLeads, plantOffers, plantOrders } from '../../lab/market/plant-market.ts'

/** The states of the leads, in turns. */
const STATES = [
  'CA',
  'TX',
  'FL',
  'NY',
  'PA',
  'IL',
  'OH',
  'GA',
  'NC',
  'MI',
  'NJ',
  'VA',
  'WA',
  'AZ',
  'MA',
  'TN',
]
/** Orders of one client. */
const ORDERS_EACH = 4

/**
 * Makes varied orders: of ten, six are for all states and four name some; one asks for an age, one is paused,
 * one is closed at any hour, and one has a client without funds.
 */
export async function plantChoice(db: Kysely<Database>, type: string, count: number): Promise<void> {
  await sql`
    insert into lead_types (code, label, price, floor_price) values (${type}, ${type}, 25, 10)`.execute(db)
  const rich = await plantBuyers(db, Math.ceil(count / ORDERS_EACH), 1_000_000)
  const [poor = ''] = await plantBuyers(db, 1, 1)
  await plantOrders(
    db,
    Array.from({ length: count }, (_none, index) => {
      const kind = index % 10
      return {
        client_user_id: kind === 9 ? poor : (rich[index % rich.length] ?? ''),
        lead_type: type,
        states: kind < 4 ? [0, 3, 7].map((step) => STATES[(index + step) % STATES.length] ?? '') : [],
        daily_cap: 100_000,
        weight: 1 + (index % 3),
        ...(kind === 5 && { age_min: 75, age_max: 85 }),
        ...(kind === 7 && { paused_by: 'client' }),
        ...(kind === 8 && { schedule: '{"mon": []}' }),
      }
    }),
  )
}

/** @returns the events that offer them */
export async function plantChoosing(db: Kysely<Database>, type: string, count: number, from: number) {
  const leads = await plantLeads(
    db,
    Array.from({ length: count }, (_none, index) => ({
      lead_type: type,
      state: STATES[index % STATES.length] ?? '',
      age: 50 + (index % 40),
      phone: `+1512${String(3_000_000 + from + index)}`,
    })),
  )
  return await plantOffers(db, leads)
}
