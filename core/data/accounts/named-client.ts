import { sql, type RawBuilder } from 'kysely'

/**
 * SQL: what a client is called wherever somebody reads it (docs/product.md §2, Names): its business, else the name that
 * its person gave, else "Client" with the end of its id. Never the mailbox part of its address, which stands in for a name
 * at sign-up.
 * @param profile alias of the client's row of `profiles`
 */
export function clientName(profile: string): RawBuilder<string> {
  const [id, email] = ['user_id', 'email'].map((column) => sql.ref(`${profile}.${column}`))
  return sql<string>`coalesce(
    (select nullif(business.business_name, '') from client_accounts business where business.user_id = ${id}),
    ${givenName(profile)},
    case ${email} when '' then 'Erased account' else 'Client ' || right(${id}::text, 6) end)`
}

/** SQL: the name that the person of this row of `profiles` gave; null without one. */
export function givenName(profile: string): RawBuilder<string | null> {
  const [name, email] = ['name', 'email'].map((column) => sql.ref(`${profile}.${column}`))
  return sql<string | null>`nullif(nullif(${name}, ''), split_part(${email}::text, '@', 1))`
}

/** SQL: what the people of one account call each other: by the name that was given, or else by the address. */
export function memberName(profile: string): RawBuilder<string> {
  return sql<string>`coalesce(${givenName(profile)}, ${sql.ref(`${profile}.email`)}::text)`
}

/** SQL: the client of this id as a NamedClient; null without a client. */
export function namedClient(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select jsonb_build_object('user_id', named.user_id, 'name', ${clientName('named')})
    from profiles named where named.user_id = ${id})`
}
