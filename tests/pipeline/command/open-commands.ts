import { afterAll, beforeAll } from 'vitest'
import type { ScriptEnd } from '#scripts/lab/run-script.ts'
import { givenClient, startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { runLeadwire } from './run-leadwire.ts'

export const WHY = 'Asked for by the client'

/** A product whose administrator changes things with `leadwire`. */
export interface Commands {
  pipeline: TestPipeline
  admin: string
  /** the options that name the administrator and the reason */
  by: string[]
  run: (...args: string[]) => Promise<ScriptEnd>
  /** The newest row of the audit log with this action. */
  audited: (action: string) => Promise<unknown>
}

/** Starts a product before the tests of the calling file, and ends it afterwards. */
export function openCommands(env: Record<string, string> = {}): Commands {
  let pipeline: TestPipeline
  let admin: string
  beforeAll(async () => {
    pipeline = await startPipeline(env)
    admin = await givenClient(pipeline.db, 'admin')
  })
  afterAll(() => pipeline.close())
  return {
    get pipeline() {
      return pipeline
    },
    get admin() {
      return admin
    },
    get by() {
      return ['--as', `${admin}@example.com`, '--reason', WHY]
    },
    run: async (...args) => await runLeadwire(pipeline.environment.env, ...args),
    audited: async (action) =>
      await pipeline.db
        .selectFrom('auth.audit_log')
        .select(['user_id', 'actor', 'actor_id', 'user_agent', 'details'])
        .where('action', '=', action)
        .orderBy('id', 'desc')
        .executeTakeFirst(),
  }
}
