import type { z } from 'zod'
import type { AdminPermission } from '#core/contract/accounts/admin-role.ts'
import { reasonSchema } from '#core/contract/admin-note.ts'
import { momentSchema } from '#core/contract/moment.ts'
import { openFileStore } from '#core/file-store/open-file-store.ts'
import { takeKeyring } from '#core/secrets/secrets-key.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { actAsAdministrator } from '#server/accounts/people/act-as-administrator.ts'
import type { Caller } from '#server/identity/caller.ts'
import type { By } from '#server/market/audit-change.ts'
import type { OperatorContext } from '#server/operator-context.ts'
import { UsageError } from './failures.ts'
import { WITHOUT_REDIS, type Services } from './open-services.ts'

/** Flags of every command that changes something. */
export const CHANGE_FLAGS = {
  as: {
    type: 'string',
    value: 'E-MAIL',
    help: 'the administrator in whose name this is done; the audit log names them, and their role must allow it',
  },
  reason: { type: 'string', value: 'TEXT', help: 'why; the audit log keeps it for good, so name no people' },
} as const

/** The context that use cases of the API need, without Redis. */
export async function openOperator(services: Services): Promise<OperatorContext> {
  const config = services.config(WITHOUT_REDIS)
  const db = await services.database({ needs: WITHOUT_REDIS })
  return {
    config,
    // Answers are the command's; a log line on standard output would spoil --json.
    logger: createLogger('leadwire', 'silent'),
    db,
    // Workers poll for due deliveries once a second, so a wake-up would save a second at most.
    announce: { deliveries: () => undefined },
    admission: { inReplayQueue: (piece) => piece() },
    market: {
      suppressionKeys: (await takeKeyring(config, db)).keysFor('suppressions'),
    },
    files: openFileStore(config),
    identity: { sources: { forget: () => undefined } },
  }
}

/** The origin of a change in the audit log. */
export const callerOf = (command: string): Caller => ({
  ip: '::',
  network: '::',
  user_agent: `leadwire ${command}`,
})

/**
 * The administrator and the reason of a change.
 * @throws UsageError if one is missing; AppError if there is no such administrator, or their role does not allow it
 */
export async function readBy(
  context: Pick<OperatorContext, 'db' | 'config'>,
  values: { as: string | undefined; reason: string | undefined },
  { command, needs }: { command: string; needs: AdminPermission },
): Promise<{ by: By; reason: string }> {
  const { as } = values
  if (as === undefined) throw new UsageError('Name the administrator who answers for this: --as E-MAIL')
  const reason = readReason(values.reason)
  return { by: await actAsAdministrator(context, as, needs, callerOf(command)), reason }
}

/** @throws UsageError */
export function readReason(given: string | undefined): string {
  return parse(reasonSchema('Say why: --reason TEXT'), given)
}

/** @throws UsageError */
export function readMoment(flag: string, given: string | undefined): Date | undefined {
  if (given === undefined) return undefined
  return parse(momentSchema(`--${flag} must be a time like 2026-01-31T17:05:00Z`), given)
}

/** Reads a value by its schema. @throws UsageError with the schema's message, which quotes nothing */
export function parse<Out>(schema: z.ZodType<Out>, given: unknown): Out {
  const { data, error } = schema.safeParse(given)
  if (error !== undefined) throw new UsageError(error.issues[0]?.message ?? 'Is not understood')
  return data
}
