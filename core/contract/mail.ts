import { z } from 'zod'

/** Of which configuration a notice speaks, and whose it is. */
const endpointSchema = z.object({
  webhook_config_id: z.uuid(),
  webhook_name: z.string(),
  client_user_id: z.uuid(),
  client_name: z.string(),
})

/**
 * Every mail that Leadwire sends: the template's name and what it says. `data` holds ids, counts, moments and the names of
 * configurations; never a lead's personal data, never a secret, because it stays in the table `mails`.
 */
export const mailSchema = z.discriminatedUnion('template', [
  z.object({
    template: z.literal('endpoint_failing'),
    data: endpointSchema.extend({
      failures_in_row: z.int(),
      failing_since: z.string(),
      last_failure: z.string().nullable(),
      /** it answers, but its answers say no: that alone never switches it off */
      refuses: z.boolean().default(false),
      waiting: z.int(),
    }),
  }),
  z.object({
    template: z.literal('endpoint_recovered'),
    data: endpointSchema.extend({ failing_since: z.string().nullable(), recovered_at: z.string() }),
  }),
  z.object({
    template: z.literal('endpoint_switched_off'),
    data: endpointSchema.extend({ reason: z.string(), switched_off_at: z.string(), waiting: z.int() }),
  }),
])
export type Mail = z.infer<typeof mailSchema>
export type MailData<Template extends Mail['template']> = Extract<Mail, { template: Template }>['data']
