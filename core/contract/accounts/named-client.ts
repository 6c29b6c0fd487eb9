import { z } from 'zod'
import { accountIdSchema } from './account.ts'

/** A client by what it is called (core/data/accounts/named-client.ts): never the mailbox part of its address. */
export const namedClientSchema = z.object({
  user_id: accountIdSchema,
  // Servers of an earlier version may send null, or leave it out.
  name: z.preprocess((name) => name ?? 'Client', z.string()),
})
export type NamedClient = z.infer<typeof namedClientSchema>

/** The same with the address that its person signs in with. */
export const clientSchema = namedClientSchema.extend({ email: z.string() })
export type Client = z.infer<typeof clientSchema>
