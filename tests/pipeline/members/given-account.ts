import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { Database } from '#core/data/schema/tables.ts'
import { givenBuyer, givenOrder } from '#tests/support/given/market.ts'
import { givenConfig, type TestPipeline } from '#tests/support/given/pipeline.ts'

/** An account with two agents: a webhook and an order for each, and a shared webhook and order. */
export interface GivenAccount {
  account: string
  agents: readonly [string, string]
  /** by whose they are: shared, the first agent's, the second agent's */
  hooks: readonly [string, string, string]
  orders: readonly [string, string, string]
}

/**
 * @param url an endpoint; the paths are `/shared`, `/first` and `/second`
 * @param states of each order, in the same order as `orders`
 */
export async function givenAccount(
  { context }: Pick<TestPipeline, 'context'>,
  url: string,
  states: readonly [string, string, string],
): Promise<GivenAccount> {
  const db: Kysely<Database> = context.db
  const account = await givenBuyer(db, '100000.00')
  const agents = [randomUUID(), randomUUID()] as const
  const hook = async (path: string, member: string | null): Promise<string> => {
    const { id } = await givenConfig(context, account, { endpoint_url: `${url}/${path}` })
    await db
      .updateTable('client_webhook_configs')
      .set({ member_user_id: member })
      .where('id', '=', id)
      .execute()
    return id
  }
  const order = async (state: string, member: string | null): Promise<string> => {
    const id = await givenOrder(db, account, { states: [state] })
    await db.updateTable('orders').set({ member_user_id: member }).where('id', '=', id).execute()
    return id
  }
  return {
    account,
    agents,
    hooks: [await hook('shared', null), await hook('first', agents[0]), await hook('second', agents[1])],
    orders: [
      await order(states[0], null),
      await order(states[1], agents[0]),
      await order(states[2], agents[1]),
    ],
  }
}
