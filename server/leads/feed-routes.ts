import { feedDaySchema, feedQuerySchema, feedSchema } from '#core/contract/leads/feed.ts'
import { route } from '../http/route.ts'
import { showFeed, showFeedDay } from './show-feed.ts'

/** The feed has the leads of all people of the account, so an agent may not read it. */
export const feedRoutes = [
  route({
    method: 'get',
    path: '/api/v1/feed',
    who: 'user',
    may: 'members',
    summary: 'List what happened to your leads, by number and without gaps',
    description:
      'Returns the entries after the number `after`, oldest first. Read on from the last `number` that you stored: no entry is ever inserted before it. `lead` has the placeholders of a webhook’s template, except those of a delivery; it is null once you no longer hold the lead, and for other kinds than `assigned`.',
    query: feedQuerySchema,
    answers: { 200: feedSchema },
    handle: async ({ context, caller, query }) => ({
      status: 200,
      json: await showFeed(context, caller.user_id, query),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/feed/days/:day',
    who: 'user',
    may: 'members',
    summary: 'Return the numbers, counts and hash of one day of your feed',
    description:
      'Days are in UTC. `hash` is that of the entry `last_number`; it covers all entries up to it. Once `is_final` is true, the answer never changes.',
    answers: { 200: feedDaySchema },
    handle: async ({ context, caller, day }) => ({
      status: 200,
      json: await showFeedDay(context.db, caller.user_id, day),
    }),
  }),
]
