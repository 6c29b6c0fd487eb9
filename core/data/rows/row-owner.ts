import { sql, type RawBuilder } from 'kysely'
import type { RowTable } from '#core/contract/rows/row-tables.ts'
import { isSharedOr } from '../leads/deliveries-of-lead.ts'
import { isVisible, type Viewer } from '../leads/leads.ts'
import { isOfAgent } from '../webhooks/logs/told-lead.ts'

/**
 * The account whose rows are read. An agent sees own rows only. Administrators read their own account's rows here, like
 * any client.
 */
export interface RowOwner {
  account_id: string
  /** the agent */
  member_user_id?: string | undefined
}

/** The owner as one who looks at leads. */
export function asViewer({ account_id, member_user_id }: RowOwner): Viewer {
  return { user_id: account_id, role: 'client', member_user_id }
}

/**
 * SQL: the row belongs to the owner: of configurations `c`, attempts `g` or deliveries `d`, leads `l`, profiles `p`.
 */
export const isOwned = {
  client_webhook_configs: ({ account_id, member_user_id: member }: RowOwner): RawBuilder<boolean> =>
    member === undefined
      ? sql<boolean>`c.client_user_id = ${account_id}`
      : sql<boolean>`(c.client_user_id = ${account_id} and c.member_user_id = ${member})`,
  webhook_delivery_logs: (owner: RowOwner, alias: 'g' | 'd' = 'g'): RawBuilder<boolean> => {
    const { account_id, member_user_id: member } = owner
    const column = (name: string) => sql.ref(`${alias}.${name}`)
    return member === undefined
      ? sql<boolean>`${column('client_user_id')} = ${account_id}`
      : sql<boolean>`(${column('client_user_id')} = ${account_id} and ${isSharedOr(column('webhook_config_id'), member)}
          and ${isOfAgent(alias, member)})`
  },
  leads: (owner: RowOwner): RawBuilder<boolean> => isVisible(asViewer(owner)),
  /** no agent sees the balance */
  client_balances: ({ account_id, member_user_id: member }: RowOwner): RawBuilder<boolean> =>
    member === undefined ? sql<boolean>`p.user_id = ${account_id}` : sql<boolean>`false`,
} as const satisfies Record<RowTable, (owner: RowOwner) => RawBuilder<boolean>>
