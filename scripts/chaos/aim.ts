import { sql } from 'kysely'
import type { World } from './world.ts'

/** Points an endpoint to another origin. Its path stays, by which the receiver recognises it. */
export async function aim(world: World, endpoint: number, origin: string): Promise<void> {
  await sql`
    update client_webhook_configs set endpoint_url = ${`${origin}/e/${endpoint}`}, updated_at = now()
    where endpoint_url ~ ${`/e/${endpoint}$`}`.execute(world.db)
}
