import { givenConfig, givenDeadLetter } from '../operations/dead-letters/give-dead-letter.ts'
import type { Person, TestApp } from './start-app.ts'
import { waitsOf } from './waiting-deliveries.ts'

/** The webhooks of an outage: one that is slow, one that fails, one that is silent, and the ids of dead letters. */
export interface Outage {
  client: Person
  dead: string[]
}

/** An outage: 50 deliveries under way, 80 that wait for a retry, 12 held, and 3 dead letters. */
export async function givenOutage(app: TestApp): Promise<Outage> {
  const client = await app.newClient()
  const { givenDeliveries } = waitsOf(() => app)
  const [slow, failing, silent, dying] = [
    await givenConfig(app, client),
    await givenConfig(app, client),
    await givenConfig(app, client),
    await givenConfig(app, client),
  ]
  await givenDeliveries(client, slow, { count: 50, dueForSeconds: 5, leasedForSeconds: 600 })
  await givenDeliveries(client, failing, { count: 80, dueForSeconds: -600 })
  await givenDeliveries(client, silent, { count: 12, state: 'held' })
  await app.context.db
    .insertInto('webhook_endpoint_health')
    .values({ webhook_config_id: silent, breaker: 'open' })
    .execute()
  const dead: string[] = []
  for (const secondsAgo of [60, 120, 180])
    dead.push(await givenDeadLetter(app, client, { secondsAgo, config: dying }))
  return { client, dead }
}
