import { sql, type RawBuilder } from 'kysely'

/** SQL: the client of this id as a NamedClient; null without a client. */
export function namedClient(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select jsonb_build_object('user_id', named.user_id, 'name', coalesce(${clientName(sql`named`)}, ''))
    from profiles named where named.user_id = ${id})`
}

/** SQL: the name of the client with this profile: its business's, or the person's if there is none. */
export function clientName(profile: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(
    (select nullif(business.business_name, '') from client_accounts business where business.user_id = ${profile}.user_id),
    ${profile}.name)`
}
