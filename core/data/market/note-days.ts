import { sql, type RawBuilder } from 'kysely'

/**
 * A trigger notes, for each changed delivery, which sums are void (day-sums.ts). A statement that changes hundreds of
 * deliveries notes that itself, in one step. It selects this before the change, so that the trigger does nothing for
 * the rest of the transaction.
 */
export const SAYS_DAYS_ARE_NOTED = sql`set_config('leadwire.days_are_noted', 'yes', true)`

/**
 * The step of the changing statement that notes them. The age limit is that of
 * migrations/20261124004000-sum-days-of-leads.ts: no sum is stored for younger leads.
 * @param changed a step with `lead_id` and `client_user_id`
 */
export const noteDays = (changed: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into lead_day_changes (client_user_id, quarter)
  select distinct c.client_user_id, date_bin('15 minutes', l.created_at, '2000-01-01 00:00+00')
  from ${changed} c join leads l on l.id = c.lead_id
  where l.created_at < now() - interval '36 hours'`
