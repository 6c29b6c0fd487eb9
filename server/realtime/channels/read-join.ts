import { z } from 'zod'
import { SOCKETS } from '../../admission/limits.ts'

const textSchema = z.string().max(200)

const bindingSchema = z.object({
  event: textSchema,
  schema: textSchema.nullish(),
  table: textSchema.nullish(),
  filter: z.string().max(8000).nullish(),
  select: z.array(textSchema).max(200).nullish(),
})

/** A binding as its client asked for it: one kind of change that the client wants to hear of. */
export type AskedBinding = z.infer<typeof bindingSchema>

const joinSchema = z.object({
  config: z
    .object({
      postgres_changes: z.array(bindingSchema).max(SOCKETS.bindings).nullish(),
      presence: z.object({ enabled: z.boolean().nullish() }).nullish(),
      private: z.boolean().nullish(),
      postgres_changes_options: z
        .object({ wait: z.boolean().nullish(), timeout: z.number().min(0).max(60_000).nullish() })
        .nullish(),
    })
    .nullish(),
  access_token: z.string().nullish(),
})

/** The payload of a join. */
export interface Join {
  bindings: AskedBinding[]
  wantsPresence: boolean
  isPrivate: boolean
  /** milliseconds to wait with the reply until changes are heard; undefined: do not wait */
  waitMs: number | undefined
  token: string | undefined
}

/** The client library's own default. */
const WAIT_MS = 15_000

/** @returns the reason as text if the payload is no join */
export function readJoin(payload: unknown): Join | string {
  const read = joinSchema.safeParse(payload)
  if (!read.success) {
    const [issue] = read.error.issues
    return `${issue?.path.join('.') ?? 'payload'}: ${issue?.message ?? 'is not usable'}`
  }
  const { config, access_token } = read.data
  const { wait, timeout } = config?.postgres_changes_options ?? {}
  return {
    bindings: config?.postgres_changes ?? [],
    wantsPresence: config?.presence?.enabled === true,
    isPrivate: config?.private === true,
    waitMs: wait === true ? (timeout ?? WAIT_MS) : undefined,
    token: access_token ?? undefined,
  }
}
