import { sql, type RawBuilder } from 'kysely'

/**
 * Who changes deliveries by the hundred notes himself whose sums no longer hold (day-sums.ts), all in one step, where a trigger would
 * look at each: `select` of this, run before the change, says so to the trigger for as long as the transaction lasts.
 */
export const SAYS_DAYS_ARE_NOTED = sql`set_config('leadwire.days_are_noted', 'yes', true)`

/**
 * What notes them, as a step of the statement that changes them. As old as in migrations/20261124004000-sum-days-of-leads.ts: of younger leads no sum is kept.
 * @param changed a step with `lead_id` and `client_user_id`
 */
export const noteDays = (changed: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into lead_day_changes (client_user_id, quarter)
  select distinct c.client_user_id, date_bin('15 minutes', l.created_at, '2000-01-01 00:00+00')
  from ${changed} c join leads l on l.id = c.lead_id
  where l.created_at < now() - interval '36 hours'`
