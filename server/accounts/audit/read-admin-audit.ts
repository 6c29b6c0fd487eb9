import { sql } from 'kysely'
import type { AdminAuditFilter, AdminAuditRow } from '#core/contract/accounts/audit.ts'
import { foldText } from '#core/contract/fold-text.ts'
import { containsPattern } from '#core/data/leads/lists/search-leads.ts'
import type { Db } from '#core/data/database.ts'
import { POSITION_FORMAT, type PagePosition } from '#core/data/page.ts'
import { describeAudited } from '#core/domain/accounts/audit-words.ts'
import { maskPersonal, nameMasked } from '#core/domain/accounts/mask-personal.ts'

type Row = AdminAuditRow & { position: string }

/**
 * A page of the audit log for administrators, newest first, with names and without e-mail addresses and phones; one row
 * more than `limit` if there is another page.
 */
export async function readAdminAudit(
  db: Db,
  filter: AdminAuditFilter,
  { limit, after }: { limit: number; after: PagePosition | undefined },
): Promise<Row[]> {
  const people = filter.client === undefined ? undefined : await findPeople(db, filter.client)
  if (people?.length === 0) return []
  const rows = await selectRows(db, filter, people)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(l.at, l.id) < (${after?.at}::timestamptz, ${after?.id}::uuid)`),
    )
    .orderBy('l.at', 'desc')
    .orderBy('l.id', 'desc')
    .limit(limit + 1)
    .execute()
  return rows.map(describe)
}

/** Accounts whose rows are found by the account; the rows of more accounts are found by walking through the log. */
const FEW_PEOPLE = 100

/** The accounts with a name like this, if they are few; undefined if they are many. */
async function findPeople(db: Db, client: string): Promise<string[] | undefined> {
  const { rows } = await sql<{ user_id: string }>`
    select person.user_id from profiles person left join client_accounts account on account.user_id = person.user_id
    where ${isCalled(client)} limit ${FEW_PEOPLE + 1}`.execute(db)
  return rows.length > FEW_PEOPLE ? undefined : rows.map(({ user_id }) => user_id)
}

/** SQL on `person` and `account`: a name is like this. */
const isCalled = (client: string) => sql<boolean>`
  search_text(person.name, person.email::text, account.business_name) ilike ${containsPattern(foldText(client))}`

function selectRows(db: Db, filter: AdminAuditFilter, people: readonly string[] | undefined) {
  const { user_id: user, actor_id: actor, action, client, changes, from, to } = filter
  return db
    .selectFrom('auth.audit_log as l')
    .leftJoin('profiles as actor', 'actor.user_id', 'l.actor_id')
    .leftJoin('profiles as person', 'person.user_id', 'l.user_id')
    .leftJoin('client_accounts as account', 'account.user_id', 'l.user_id')
    .selectAll('l')
    .select([
      'actor.name as actor_given',
      'actor.email as actor_email',
      'person.name as user_given',
      'person.email as user_email',
      'account.business_name',
      sql<string>`to_char(l.at at time zone 'utc', ${sql.lit(POSITION_FORMAT)})`.as('position'),
    ])
    .$if(user !== undefined, (query) => query.where('l.user_id', '=', user ?? null))
    .$if(actor !== undefined, (query) => query.where('l.actor_id', '=', actor ?? null))
    .$if(action !== undefined, (query) => query.where('l.action', '=', action ?? ''))
    .$if(changes === 'true', (query) => query.where(sql<boolean>`l.actor in ('admin', 'service')`))
    .$if(from !== undefined, (query) => query.where('l.at', '>=', new Date(from ?? '')))
    .$if(to !== undefined, (query) => query.where('l.at', '<', new Date(to ?? '')))
    .$if(people !== undefined, (query) => query.where('l.user_id', 'in', people ?? []))
    .$if(client !== undefined && people === undefined, (query) => query.where(isCalled(client ?? '')))
}

type Stored = Awaited<ReturnType<ReturnType<typeof selectRows>['execute']>>[number]

function describe(stored: Stored): Row {
  const { at, details, actor_given, actor_email, user_given, user_email, business_name, ...row } = stored
  return {
    ...row,
    at: at.toISOString(),
    details: maskPersonal(details) as Record<string, unknown>,
    sentence: describeAudited(row.action),
    actor_name: nameMasked({ name: actor_given, email: actor_email, business_name: null }),
    user_name: nameMasked({ name: user_given, email: user_email, business_name }),
  }
}
