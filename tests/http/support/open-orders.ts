import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Db } from '#core/data/database.ts'
import { startApp, type AnswerBody, type CallResult, type Person, type TestApp } from './start-app.ts'

const PATH = '/api/v1/orders'
/** The required members of an order. */
export const LEAST = { name: 'Texas seniors', lead_type: 'final_expense', timezone: 'America/New_York' }

/** The product, a new client for each test, and calls about that client's orders. */
export interface OpenOrders {
  app: TestApp
  client: Person
  db: () => Db
  /** `path` is appended to that of the orders. */
  call: (method: string, path: string, body?: unknown, person?: Person) => Promise<CallResult>
  create: (given?: Record<string, unknown>) => Promise<AnswerBody>
  fund: (amount: number) => Promise<unknown>
  approve: () => Promise<unknown>
}

/** Starts the product before the tests of the calling file, and ends it afterwards. */
export function openOrders(): OpenOrders {
  let app: TestApp
  let client: Person
  beforeAll(async () => {
    app = await startApp()
  })
  beforeEach(async () => {
    client = await app.newClient()
  })
  afterAll(() => app.close())

  const db = () => app.context.db
  const call = (method: string, path: string, body?: unknown, person = client) =>
    app.call(method, `${PATH}${path}`, { token: person.token, ...(body === undefined ? {} : { body }) })
  return {
    get app() {
      return app
    },
    get client() {
      return client
    },
    db,
    call,
    create: async (given = {}) => (await call('POST', '', { ...LEAST, ...given })).json,
    fund: (amount) =>
      sql`insert into balance_ledger (client_user_id, entry_type, amount) values (${client.id}, 'top_up', ${amount})`.execute(
        db(),
      ),
    approve: () =>
      sql`update client_accounts set status = 'active' where user_id = ${client.id}`.execute(db()),
  }
}
