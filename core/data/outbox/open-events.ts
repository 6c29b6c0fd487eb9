import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../database.ts'

/** Seconds after which an event that is not planned is noted as overdue. */
const OVERDUE_SECONDS = 3
/** A PostgreSQL that takes over may have a clock that is behind by so many seconds: the ids that it makes are below those before. */
const SKEW_SECONDS = 30
/** Events looked at in one statement: a tenth of a second. */
const MOST_NOTED = 200_000
/** Overdue events looked at that may be planned by now. */
const MOST_SETTLED = 20_000

/**
 * SQL: of events that are not planned, the oldest so many, by their ids, which are given in the order in which they come. The newest are
 * looked at one by one; all before them are in overdue_events. PostgreSQL cannot know how few both are: it is given no choice but to go
 * by the ids. No index has those that wait, so that most events, which are planned
 * within milliseconds, pay for none (docs/decisions/0038).
 * @param columns SQL on the event `e`
 * @param options.after the id behind which they are
 * @param options.unenqueued only those that Redis does not have
 */
export function openEvents(
  columns: RawBuilder<unknown>,
  options: {
    condition?: RawBuilder<unknown>
    limit: number
    after?: string | undefined
    unenqueued?: boolean
  },
): RawBuilder<unknown> {
  const { condition = sql`true`, limit, after, unenqueued = false } = options
  const beyond = (id: string) => (after === undefined ? sql`true` : sql`${sql.ref(id)} > ${after}::uuid`)
  const waits = sql`e.planned_at is null and ${unenqueued ? sql`e.enqueued_at is null` : sql`true`} and ${condition}`
  return sql`
    (select ${columns} from overdue_events o cross join lateral (select * from events where id = o.event_id offset 0) e
      where ${unenqueued ? sql`o.enqueued_at is null` : sql`true`} and ${beyond('o.event_id')} and ${waits}
      order by o.event_id limit ${limit})
    union all
    (select ${columns} from (
        select * from events where id > (select noted_until from event_marks) and ${beyond('id')} order by id offset 0) e
      where ${waits} order by e.id limit ${limit})`
}

/** SQL: there is an event that is not planned, and of which this holds. In no order, so that the first that is met ends the search. */
export function hasOpenEvent(
  condition: RawBuilder<unknown>,
  { unenqueued = false } = {},
): RawBuilder<unknown> {
  const waits = sql`e.planned_at is null and ${unenqueued ? sql`e.enqueued_at is null` : sql`true`} and ${condition}`
  return sql`(
    exists (select from overdue_events o cross join lateral (select * from events where id = o.event_id offset 0) e
      where ${unenqueued ? sql`o.enqueued_at is null` : sql`true`} and ${waits})
    or exists (select from events e where e.id > (select noted_until from event_marks) and ${waits}))`
}

/** SQL: there are events behind those of which it is noted whether they are overdue. */
export const MAY_BE_OVERDUE = sql`(exists (
  select from events where id > (select noted_until from event_marks) and id < uuid_floor(now() - make_interval(secs => ${OVERDUE_SECONDS}))
) or exists (select from overdue_events))`

/**
 * Notes which events are overdue, and takes out those that are planned. To be done every few seconds by somebody: until then they are
 * found among the newest. An event that is committed late is not passed over: looked at are all since the moment before which every
 * transaction has ended. Safe to run twice, and from several processes: while one does, the others have nothing to do.
 */
export async function noteOverdueEvents(db: Db): Promise<void> {
  await sql`
    with mark as materialized (
      select *, pg_snapshot_xmin(pg_current_snapshot()) >= asked_xmax as is_proved from event_marks for update skip locked
    ), newest as materialized (
      select e.id, e.enqueued_at, e.planned_at from mark cross join lateral (
        select * from events
        where id > least(mark.proved_until, uuid_floor(now() - make_interval(secs => ${SKEW_SECONDS})))
          and id <= uuid_floor(now() - make_interval(secs => ${OVERDUE_SECONDS}))
        order by id limit ${MOST_NOTED}) e
    ), reached as (
      select case when (select count(*) from newest) < ${MOST_NOTED} then uuid_floor(now() - make_interval(secs => ${OVERDUE_SECONDS}))
        else (select id from newest order by id desc limit 1) end as until from mark
    ), noted as (
      insert into overdue_events (event_id, enqueued_at) select id, enqueued_at from newest where planned_at is null
      on conflict do nothing
    ), settled as (
      delete from overdue_events o using (
        select o.event_id from mark cross join (select event_id from overdue_events order by event_id limit ${MOST_SETTLED}) o
        left join events e on e.id = o.event_id where e.id is null or e.planned_at is not null) gone
      where o.event_id = gone.event_id
    )
    update event_marks m set noted_until = greatest(m.noted_until, reached.until),
      proved_until = case when mark.is_proved then least(m.asked_until, reached.until) else m.proved_until end,
      asked_until = case when mark.is_proved then reached.until else m.asked_until end,
      asked_xmax = case when mark.is_proved then pg_snapshot_xmax(pg_current_snapshot()) else m.asked_xmax end
    from mark, reached
  `.execute(db)
}
