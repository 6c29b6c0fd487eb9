import { sql, type RawBuilder } from 'kysely'

/** SQL: the client of this id as a NamedClient: the business's name, or the person's; null without a client. */
export function namedClient(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select jsonb_build_object('user_id', named.user_id, 'name', ${clientName(sql`named`, sql`account`)})
    from profiles named left join client_accounts account on account.user_id = named.user_id
    where named.user_id = ${id})`
}

/** SQL: the name of the client with this profile and account. Never the mailbox part of an address. */
function clientName(profile: RawBuilder<unknown>, account: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(nullif(${account}.business_name, ''), ${profile}.name, '')`
}
